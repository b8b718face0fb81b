import type { PublishAgeStore } from '../../../registry/packuments/publish-age.ts';
import type { Sqlite } from '../sqlite.ts';

/** The shown ages of projects in SQLite. */
export class SqlitePublishAgeStore implements PublishAgeStore {
  readonly #all;
  readonly #set;
  readonly #touch;

  constructor(sqlite: Sqlite) {
    this.#all = sqlite.prepare<[], { projectId: number; age: number }>(
      'SELECT project_id AS projectId, publish_age AS age FROM project_package_settings WHERE publish_age > 0',
    );
    this.#set = sqlite.prepare<[number, number]>(
      `INSERT INTO project_package_settings (project_id, publish_age) VALUES (?, ?)
       ON CONFLICT (project_id) DO UPDATE SET publish_age = excluded.publish_age`,
    );
    this.#touch = sqlite.prepare<[number]>('UPDATE packages SET revision = revision + 1 WHERE project_id = ?');
  }

  all(): ReadonlyMap<number, number> {
    return new Map(this.#all.all().map(({ projectId, age }) => [projectId, age]));
  }

  set(projectId: number, milliseconds: number): void {
    this.#set.run(projectId, milliseconds);
    this.#touch.run(projectId);
  }
}
