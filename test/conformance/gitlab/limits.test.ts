import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { rootToken } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

/*
 * What one account can make without end slows lists, searches and the matrix of who may deploy down for everybody. Rows are put into the
 * database where making them by requests would take minutes.
 */
useRegistry('file');

/** Runs SQL for each number up to one, which it finds as `n`. */
function forEachNumber(most: number, sql: string): void {
  const database = new Database(`${kit.dataDir}/gatehouse.db`);
  database.exec(`CREATE TEMP TABLE numbers AS WITH RECURSIVE numbers (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${most}) SELECT n FROM numbers; ${sql}`);
  database.close();
}

const post = (path: string, token: string, body: unknown) => kit.send('POST', `/api/v4${path}`, { token, body });

test('one account creates no more than five thousand projects, administrators excepted', async () => {
  const { user, token } = await kit.user();
  const group = (await post('/groups', token, { name: 'many', path: 'many' })).json<{ id: number }>();
  forEachNumber(
    5000,
    `INSERT INTO projects (namespace_id, path, full_path, name, description, visibility, creator_id, created_at, updated_at)
       SELECT ${group.id}, 'p' || n, 'many/p' || n, 'p' || n, '', 'private', ${user.id}, 0, 0 FROM numbers`,
  );
  const more = { name: 'more', path: 'more', namespace_id: group.id };
  const refused = await post('/projects', token, more);
  expect(refused.status).toBe(400);
  expect(refused.json()).toMatchObject({ message: { limit_reached: [expect.stringContaining('5000 projects')] } });
  expect((await kit.get('/api/v4/projects/many%2fmore', { token })).status).toBe(404);
  expect((await post('/projects', rootToken, more)).status).toBe(201);
});

test('one account owns no more than a thousand groups that it makes, administrators excepted', async () => {
  const { user, token } = await kit.user();
  forEachNumber(
    1000,
    `INSERT INTO namespaces (kind, path, full_path, name, description, visibility, created_at, updated_at)
       SELECT 'group', 'g' || n, 'g' || n, 'g' || n, '', 'private', 0, 0 FROM numbers;
     INSERT INTO group_members (group_id, user_id, access_level, created_at)
       SELECT id, ${user.id}, 50, 0 FROM namespaces WHERE path GLOB 'g[0-9]*'`,
  );
  const more = { name: 'more-groups', path: 'more-groups' };
  const refused = await post('/groups', token, more);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('1000 groups');
  expect((await post('/groups', rootToken, more)).status).toBe(201);
});

test('a project has no more than ten thousand environments and a thousand protections', async () => {
  const { token } = await kit.user({ isAdmin: true });
  forEachNumber(
    10_000,
    `INSERT INTO environments (project_id, name, slug, tier, state, created_at, updated_at)
       SELECT 1, 'e' || n, 'e' || n, 'other', 'stopped', 0, 0 FROM numbers;
     INSERT INTO protected_environments (project_id, name, created_at, updated_at) SELECT 1, 'e' || n, 0, 0 FROM numbers LIMIT 1000`,
  );
  const environments = '/projects/1/environments';
  const refused = await post(environments, token, { name: 'more' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('Maximum number of environments (10000) exceeded');
  const protection = { name: 'more', deploy_access_levels: [{ access_level: 40 }] };
  const unprotected = await post('/projects/1/protected_environments', token, protection);
  expect(unprotected.status).toBe(422);
  expect(unprotected.text).toContain('Maximum number of protected environments (1000) exceeded');
  const [{ id } = { id: 0 }] = (await kit.get(`/api/v4${environments}`)).json<{ id: number }[]>();
  expect((await kit.send('DELETE', `/api/v4${environments}/${id}`, { token })).status).toBe(204);
  expect((await post(environments, token, { name: 'more' })).status).toBe(201);
});
