import type { PublishAgeStore } from '../../../registry/packuments/publish-age.ts';
import type { Sqlite } from '../sqlite.ts';

/** The shown ages of projects in SQLite. */
export function sqlitePublishAges(sqlite: Sqlite): PublishAgeStore {
  const statements = prepareStatements(sqlite);
  return {
    all: () => new Map(statements.all.all().map(({ projectId, age }) => [projectId, age])),
    set: (projectId, milliseconds) => {
      statements.set.run(projectId, milliseconds);
      statements.touch.run(projectId);
    },
  };
}

function prepareStatements(sqlite: Sqlite) {
  return {
    all: sqlite.prepare<[], { projectId: number; age: number }>(
      'SELECT project_id AS projectId, publish_age AS age FROM project_package_settings WHERE publish_age > 0',
    ),
    set: sqlite.prepare<[number, number]>(
      `INSERT INTO project_package_settings (project_id, publish_age) VALUES (?, ?)
       ON CONFLICT (project_id) DO UPDATE SET publish_age = excluded.publish_age`,
    ),
    touch: sqlite.prepare<[number]>('UPDATE packages SET revision = revision + 1 WHERE project_id = ?'),
  };
}
