import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { gatehouse } from '../../support/gatehouse-process.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('test');

const run = (args: readonly string[], input = '') => gatehouse(args, { dataDir: kit.dataDir, input });

test('root gets a password beside a running server, and logs in with it', async () => {
  const logIn = () =>
    kit.send('PUT', `${kit.projectPath()}/-/user/org.couchdb.user:root`, {
      token: undefined,
      body: { name: 'root', password: 'correct horse battery' },
    });
  expect((await logIn()).status).toBe(401);
  const set = await run(['user', 'password', 'root'], 'correct horse battery\n');
  expect(set).toMatchObject({ code: 0, stdout: '' });
  expect(set.stderr).toContain('npm login');
  expect((await logIn()).status).toBe(201);
});

test('a password that is too short, or for nobody, is refused in one line', async () => {
  const short = await run(['user', 'password', 'root'], 'short\n');
  expect(short.code).toBe(1);
  expect(short.stderr).toMatch(/^gatehouse: .*too short.*\n$/);
  expect((await run(['user', 'password', 'nobody'], 'long enough to do\n')).stderr).toContain(
    'There is no user nobody',
  );
});

test('advisories are imported from a folder beside a running server, which answers from them at once', async () => {
  const folder = join(kit.dataDir, 'snapshot', 'npm');
  await mkdir(folder, { recursive: true });
  const osv = (id: string, name: string, ecosystem = 'npm') => ({
    id,
    summary: `Trouble in ${name}`,
    affected: [
      { package: { ecosystem, name }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }] },
    ],
  });
  await writeFile(join(folder, 'a.json'), JSON.stringify(osv('GHSA-1', 'left-pad')));
  await writeFile(join(folder, 'b.json'), JSON.stringify(osv('PYSEC-1', 'left-pad', 'PyPI')));
  await writeFile(join(folder, 'notes.txt'), 'no advisory');
  const imported = await run(['advisories', 'import', join(kit.dataDir, 'snapshot'), '--json']);
  expect(JSON.parse(imported.stdout)).toEqual({ advisories: 1, packages: 1, skipped: 1 });
  const audit = () =>
    kit.send('POST', `${kit.projectPath()}/-/npm/v1/security/advisories/bulk`, { body: { 'left-pad': ['1.3.0'] } });
  expect((await audit()).json()).toMatchObject({ 'left-pad': [{ title: 'Trouble in left-pad' }] });
  expect((await run(['advisories', 'status'])).stdout).toContain('1 advisory about 1 package');
  expect((await run(['advisories', 'clear'])).stderr).toContain('Forgot 1');
  expect((await audit()).text).toBe('{}');
});

test('a file that is no JSON is named', async () => {
  const file = join(kit.dataDir, 'broken.json');
  await writeFile(file, '{');
  const refused = await run(['advisories', 'import', file]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('broken.json cannot be read as JSON');
});

test('publish times are shown older beside a running server, which shows it at once', async () => {
  await kit.publish({ name: 'first', version: '1.0.0' });
  const shown = async () => {
    const packument = (await kit.get(`${kit.projectPath()}/first`)).json<{ time: Record<string, string> }>();
    return Date.parse(packument.time['1.0.0'] ?? '');
  };
  const real = await shown();
  expect((await run(['publish-age'])).stdout).toBe('0\n');
  const set = await run(['publish-age', '72']);
  expect(set.stderr).toContain('72 hours older');
  expect(await shown()).toBe(real - 72 * 3_600_000);
  expect((await run(['publish-age', '--project', '1'])).stdout).toBe('72\n');
  expect((await run(['publish-age', 'soon'])).code).toBe(2);
});

test('commands that run at the same moment wait for each other', async () => {
  const folder = join(kit.dataDir, 'another');
  const names = ['a', 'b', 'c'];
  const made = await Promise.all(
    names.map((name) => gatehouse(['token', 'create', '--name', name], { dataDir: folder })),
  );
  expect(made.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']));
  const list = JSON.parse((await gatehouse(['token', 'list', '--json'], { dataDir: folder })).stdout) as unknown[];
  expect(list).toHaveLength(4);
});

test('the audit trail of a server names the user of the command line', async () => {
  await run(['user', 'password', 'root'], 'correct horse battery\n');
  const [row] = JSON.parse((await run(['audit', '--json', '--limit', '1'])).stdout) as unknown[];
  expect(row).toMatchObject({ origin: 'cli', actorId: null, actorName: userInfo().username, targetName: 'root' });
});

test('a name with characters that cannot be seen neither ends the command that lists it nor steers the terminal', async () => {
  const protection = { name: 'review-one', deploy_access_levels: [{ access_level: 40 }] };
  const answer = await kit.send('POST', '/api/v4/projects/1/protected_environments', { body: protection });
  expect(answer.status, answer.text).toBe(201);
  // Such names are refused; a registry may have one of an earlier time.
  const sqlite = new BetterSqlite3(join(kit.dataDir, 'gatehouse.db'));
  sqlite.prepare('UPDATE protected_environments SET name = ?').run('review\u2028one\u202e');
  sqlite.close();
  const listed = await run(['rules', 'export', 'local/packages']);
  expect(listed.code, listed.stderr).toBe(0);
  expect(listed.stdout).toMatch(/review(?:�|\\L)one/);
  expect(listed.stdout).not.toMatch(/[\u2028\u202e]/);
  const created = await run(['token', 'create', '--user', 'root', '--name', 'Ann\u2028Smith', '--scope', 'api']);
  expect(created).toMatchObject({ code: 1, stderr: expect.stringContaining('contains control characters') });
});
