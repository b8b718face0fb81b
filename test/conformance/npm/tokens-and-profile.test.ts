import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../server/accounts/change.ts';
import { tokenLabel } from '../../../server/contract/constants.ts';
import type { TestUser } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

interface TokenList {
  readonly objects: readonly { readonly key: string; readonly token: string; readonly readonly: boolean }[];
  readonly urls: Readonly<Record<string, unknown>>;
}

useRegistry('test');
let ann: TestUser;
beforeEach(async () => {
  ann = await kit.user({ username: 'ann' });
  await kit.member(1, ann.user.id, 40);
});

const path = (rest: string) => `${kit.projectPath()}/-/npm/v1/${rest}`;
const create = (body: unknown, token = ann.token) => kit.send('POST', path('tokens'), { token, body });
const list = async () => (await kit.get(path('tokens'), { token: ann.token })).json<TokenList>();

test('the list shows the own tokens without secrets, and never a "next" that leads nowhere', async () => {
  const { objects, urls } = await list();
  expect(urls).toEqual({});
  expect(objects).toMatchObject([
    {
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      readonly: false,
      cidr_whitelist: null,
      created: expect.any(String),
    },
  ]);
  expect(JSON.stringify(objects)).not.toContain(ann.token);
  const etag = (await kit.get(path('tokens'), { token: ann.token })).headers.etag ?? '';
  const again = await kit.get(path('tokens'), { token: ann.token, headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  expect((await kit.get(path('tokens'), { token: undefined })).status).toBe(401);
});

test('tokens that ended are listed, and the oldest of them go when there are more than a thousand', async () => {
  const { tokens } = kit.directory;
  const { user } = await kit.user();
  const input = { userId: user.id, name: 'x', description: '', scopes: ['api'], expiresOn: null } as const;
  const [before] = tokens.list(user.id);
  for (let round = 0; round < 1005; round += 1) {
    const { token } = await tokens.create(systemActor, input);
    await tokens.revoke(systemActor, token.id);
  }
  await tokens.create(systemActor, input);
  const ended = tokens.list(user.id).filter(({ revokedAt }) => revokedAt !== null);
  expect(ended).toHaveLength(1000);
  expect(ended.at(-1)?.id).toBe((tokens.list(user.id).at(-1)?.id ?? 0) - 1);
  // What works stays, however old it is.
  expect(tokens.find(before?.id ?? 0)).toMatchObject({ revokedAt: null });
});

test('a user has at most a thousand tokens that work, and can rotate the last of them', async () => {
  const { tokens } = kit.registry.people;
  const input = { userId: ann.user.id, name: 'many', description: '', scopes: ['api'], expiresOn: null } as const;
  for (let made = 1; made < 1000; made += 1) await tokens.create(systemActor, input);
  const refused = await create({ name: 'one more' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('Revoke some that are not used any more');
  const [first] = tokens.list(ann.user.id);
  await tokens.rotate(systemActor, first?.id ?? 0, null);
  const [, second] = tokens.list(ann.user.id);
  await tokens.revoke(systemActor, second?.id ?? 0);
  await tokens.create(systemActor, input);
  expect(tokens.list(ann.user.id).filter((token) => tokens.stateOf(token) === 'active')).toHaveLength(1000);
});

test('npm 8 to 10: a read-only token reads and does not publish', async () => {
  const made = await create({ password: '', readonly: true, cidr_whitelist: [] });
  expect(made.status).toBe(200);
  expect(made.json()).toMatchObject({
    token: expect.stringMatching(/^glpat-/),
    key: expect.any(String),
    readonly: true,
    cidr_whitelist: [],
  });
  const { token } = made.json<{ token: string }>();
  expect((await kit.get(path('user'), { token })).status).toBe(200);
  await kit.publish({ name: 'first', version: '1.0.0' });
  expect((await kit.get(`${kit.projectPath()}/first`, { token })).status).toBe(200);
  const refused = await kit.send('PUT', `${kit.projectPath()}/-/package/first/dist-tags/beta`, {
    token,
    body: '"1.0.0"',
  });
  expect(refused.status).toBe(403);
  expect(refused.json()).toMatchObject({ error: 'insufficient_scope' });
  expect((await create({ readonly: false }, token)).status).toBe(403);
});

test('npm 11 and 12: name, description, expiry in days and permissions', async () => {
  const made = await create({
    name: 'ci',
    password: '',
    description: 'for the build',
    expires: 30,
    packages_all: true,
    packages_and_scopes_permission: 'read-write',
  });
  expect(made.status).toBe(200);
  const [, record] = kit.directory.tokens.list(ann.user.id);
  expect(record).toMatchObject({ name: 'ci', description: 'for the build', scopes: ['api'] });
  const days = (Date.parse(record?.expiresOn ?? '') - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBeGreaterThanOrEqual(29);
});

test('npm 11 sends null for a name that nobody gave', async () => {
  expect((await create({ name: null, password: '', expires: null })).status).toBe(200);
});

test.each([
  [{ cidr_whitelist: ['10.0.0.0/8'] }, /IP addresses/],
  [{ packages: ['@acme/first'] }, /--packages/],
  [{ scopes: ['@acme'] }, /--scopes/],
  [{ orgs: ['acme'] }, /--orgs/],
  [{ packages_and_scopes_permission: 'read-write-stage-only' }, /read-write-stage-only/],
  [{ expires: -1 }, /number of days/],
  [{ expires: 'soon' }, /number of days/],
  [[], /JSON object/],
])('what would give more than was asked for is refused: %j', async (body, text) => {
  const before = kit.directory.tokens.list().length;
  const refused = await create(body);
  expect(refused.status).toBe(400);
  expect(refused.json()['error']).toMatch(text);
  expect(kit.directory.tokens.list()).toHaveLength(before);
});

test('who has a password must give it; a wrong one makes no token', async () => {
  await kit.directory.users.update(systemActor, ann.user.id, { password: 'correct horse battery' });
  expect((await create({ password: 'wrong' })).status).toBe(403);
  expect((await create({})).status).toBe(403);
  expect((await create({ password: 'correct horse battery' })).status).toBe(200);
});

test('without a password a token that ends can not make one that lasts longer', async () => {
  const ending = await kit.token(ann.user.id, ['api'], '2099-01-01');
  await create({ name: 'later' }, ending);
  expect(kit.directory.tokens.list(ann.user.id).at(-1)).toMatchObject({ name: 'later', expiresOn: '2099-01-01' });
});

test('a token is revoked by the start of its key, by the key, or by itself, and only by its owner', async () => {
  const other = await kit.user();
  const { token } = (await create({ name: 'one' })).json<{ token: string }>();
  const key = (await list()).objects[1]?.key ?? '';
  const remove = (what: string, by = ann.token) => kit.send('DELETE', path(`tokens/token/${what}`), { token: by });
  expect((await remove(key, other.token)).status).toBe(404);
  expect((await remove(key.slice(0, 3))).status).toBe(404);
  const removed = await remove(key.slice(0, 8));
  expect(removed.status).toBe(204);
  expect((await kit.get(path('user'), { token })).status).toBe(401);
  expect((await remove(key)).status).toBe(404);
  const second = (await create({ name: 'two' })).json<{ token: string }>().token;
  expect((await remove(second)).status).toBe(204);
  expect((await kit.get(path('user'), { token: second })).status).toBe(401);
});

test('a token with too small a scope lists, makes and revokes nothing, but may revoke itself', async () => {
  for (const scope of ['read_user', 'read_api', 'read_package_registry', 'write_package_registry'] as const) {
    const token = await kit.token(ann.user.id, [scope]);
    const own = (await list()).objects.at(-1)?.key ?? '';
    const other = (await list()).objects[0]?.key ?? '';
    const remove = (what: string) => kit.send('DELETE', path(`tokens/token/${what}`), { token });
    if (scope !== 'read_api') expect((await kit.get(path('tokens'), { token })).status).toBe(403);
    expect((await create({}, token)).status).toBe(403);
    expect((await remove(other)).status).toBe(403);
    expect((await remove(ann.token)).status).toBe(403);
    expect((await remove('ffffffffff')).status).toBe(403);
    expect((await kit.get(path('user'), { token: ann.token })).status).toBe(200);
    expect((await remove(own)).status).toBe(204);
    expect((await kit.get(`${kit.projectPath()}/-/whoami`, { token })).status).toBe(401);
  }
});

test('the log of requests does not hold a token that stood in a path', async () => {
  await kit.send('DELETE', path(`tokens/token/${ann.token}`), { token: ann.token });
  const another = await kit.user();
  await kit.send('DELETE', `${kit.projectPath()}/-/user/token/${another.token}`, { token: another.token });
  const log = JSON.stringify(kit.server.requests.list({ limit: 100 }));
  expect(log).not.toContain(ann.token);
  expect(log).not.toContain(another.token);
});

test('the log of requests held a part of a token with a slash in it, or one next to a broken escape', async () => {
  for (const token of ['begins%2Fhidden-end', 'hidden-end%', 'hidden-end%zz', '%ffhidden-end'])
    for (const place of ['user/token', 'us%65r/token', 'npm/v1/tokens/token'])
      await kit.send('DELETE', `${kit.projectPath()}/-/${place}/${token}`);
  await expect.poll(() => kit.server.requests.newest).toBeGreaterThanOrEqual(12);
  const log = kit.server.requests.list({ limit: 100 });
  expect(log.filter(({ path: logged }) => logged.endsWith('/token/…'))).toHaveLength(12);
  expect(JSON.stringify(log)).not.toContain('hidden-end');
});

test("the log of requests has the whole path of GitLab's API", async () => {
  const { status } = await kit.get('/api/v4/projects/1/members');
  expect(status).toBe(200);
  expect(kit.server.requests.list({ limit: 5 })).toContainEqual(
    expect.objectContaining({ path: '/api/v4/projects/1/members' }),
  );
});

test('the log of requests tells the tokens of a user apart, also in an answer that was kept ready, and has the address', async () => {
  const name = '@acme/logged';
  await kit.publish({ name, version: '1.0.0' });
  const laptop = await kit.token(ann.user.id, ['api']);
  const hint = laptop.slice(-4);
  const read = () => kit.get(`${kit.projectPath()}/@acme%2flogged`, { token: laptop });
  await read();
  await read();
  const address = expect.stringMatching(/127\.0\.0\.1$/) as string;
  const entry = { username: 'ann', userId: ann.user.id, token: { name: 'test', hint }, address };
  await expect.poll(() => kit.server.requests.list({ limit: 2 })).toMatchObject([entry, entry]);
});

test('the log of requests names a token that was revoked, rotated or expired, which gives its sender nothing', async () => {
  const { tokens } = kit.directory;
  const issue = async () => {
    const input = { userId: ann.user.id, name: 'leaked', description: '', scopes: ['api' as const], expiresOn: null };
    return tokens.create(systemActor, input);
  };
  const [revoked, rotated, expired] = [await issue(), await issue(), await issue()];
  await tokens.revoke(systemActor, revoked.token.id);
  await tokens.rotate(systemActor, rotated.token.id, null);
  const sqlite = new BetterSqlite3(join(kit.dataDir, 'gatehouse.db'));
  sqlite.prepare("UPDATE access_tokens SET expires_on = '2020-01-01' WHERE id = ?").run(expired.token.id);
  sqlite.close();
  for (const { secret, token } of [revoked, rotated, expired]) {
    for (const url of [`${kit.projectPath()}/-/whoami`, '/api/v4/user']) {
      const answer = await kit.get(url, { token: secret });
      expect(answer.status).toBe(401);
      expect(answer.text + JSON.stringify(answer.headers)).not.toMatch(new RegExp(`leaked|${token.hint}`));
      await expect
        .poll(() => kit.server.requests.list({ limit: 1 }))
        .toMatchObject([{ status: 401, username: null, userId: null, token: { name: 'leaked', hint: token.hint } }]);
    }
  }
  await kit.get('/api/v4/user', { token: 'glpat-of-nobody' });
  await expect.poll(() => kit.server.requests.list({ limit: 1 })).toMatchObject([{ status: 401, token: null }]);
});

test('the audit trail names the token that a change was made with, and is searched for it', async () => {
  const token = await kit.token(ann.user.id, ['api']);
  await kit.publish({ name: '@acme/booked', version: '1.0.0', token });
  await kit.send('PUT', `${kit.projectPath()}/-/package/@acme%2fbooked/dist-tags/next`, { token, body: '"1.0.0"' });
  await kit.send('POST', '/api/v4/projects/1/environments', { token, body: { name: 'live' } });
  const rows = kit.directory.audit.list({ search: token.slice(-4) }, { limit: 10, offset: 0 });
  // Its own creation is among them, which it did not make.
  const label = `test …${token.slice(-4)}`;
  expect(rows.map((row) => [row.action, row.token])).toEqual([
    ['environment.created', label],
    ['tag.set', label],
    ['package.published', label],
    ['token.created', null],
  ]);
  expect(JSON.stringify(rows)).not.toContain(token);
  // As the window searches for all that one token did: not what another of the same user and name did.
  const other = await kit.token(ann.user.id, ['api']);
  await kit.send('POST', '/api/v4/projects/1/environments', { token: other, body: { name: 'other' } });
  const search = tokenLabel({ name: 'test', hint: other.slice(-4) });
  const found = kit.directory.audit.list({ search }, { limit: 10, offset: 0 });
  expect(found.map((row) => row.action)).toEqual(['environment.created', 'token.created']);
  expect(found[0]?.targetName).toBe('other');
  // Who has a token can end it with nothing else.
  await kit.send('DELETE', `${kit.projectPath()}/-/user/token/${other}`, { token: undefined });
  const [last] = kit.directory.audit.list({ search }, { limit: 1, offset: 0 });
  expect(last).toMatchObject({ action: 'token.revoked', token: search });
});

test('the log of requests says which version was published', async () => {
  await kit.publish({ name: '@acme/versioned', version: '1.2.0' });
  await kit.get(`${kit.projectPath()}/@acme%2fversioned`, { token: ann.token });
  await expect
    .poll(() => kit.server.requests.list({ limit: 2 }))
    .toMatchObject([
      { method: 'GET', version: null },
      { method: 'PUT', version: '1.2.0' },
    ]);
});

test('the log of requests says why one was refused', async () => {
  const other = await kit.user();
  const { status } = await kit.get('/api/v4/projects/99999', { token: other.token });
  expect(status).toBe(404);
  const logged = () =>
    kit.server.requests.list({ limit: 5 }).find(({ path: each }) => each === '/api/v4/projects/99999');
  await expect.poll(logged).toMatchObject({ status: 404, error: expect.stringMatching(/project/i) as string });
  for (const headers of [{}, { 'npm-command': 'view' }]) {
    await kit.get('/nowhere', { headers });
    await expect
      .poll(() => kit.server.requests.list({ limit: 1 }))
      .toMatchObject([{ path: '/nowhere', status: 404, error: expect.any(String) as string }]);
  }
});

test('without a password a token that ends sets none, with which its holder could log in ever after', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const token = await kit.token(ann.user.id, ['api'], tomorrow);
  const body = { fullname: 'Other', password: { old: '', new: 'a long password' } };
  const refused = await kit.send('POST', path('user'), { token, body });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('expires')]);
  expect(await kit.directory.users.hasPassword(ann.user.id, 'a long password')).toBe(false);
  expect(kit.directory.users.get(ann.user.id).name).toBe(ann.user.name);
});

test('the profile is shown, and name, address and password are changed', async () => {
  const shown = await kit.get(path('user'), { token: ann.token });
  expect(shown.json()).toMatchObject({
    tfa: false,
    name: 'ann',
    email: 'ann@example.test',
    fullname: 'User ann',
    cidr_whitelist: null,
  });
  const changed = await kit.send('POST', path('user'), {
    token: ann.token,
    body: { ...shown.json<Record<string, unknown>>(), fullname: 'Ann Other', email: 'other@example.test' },
  });
  expect(changed.json()).toMatchObject({ fullname: 'Ann Other', email: 'other@example.test' });
  expect(kit.directory.users.get(ann.user.id)).toMatchObject({ name: 'Ann Other', email: 'other@example.test' });
  const change = (old: string, next: string) =>
    kit.send('POST', path('user'), { token: ann.token, body: { password: { old, new: next } } });
  expect((await change('', 'first password')).status).toBe(200);
  expect((await change('wrong', 'second password')).status).toBe(403);
  expect((await change('first password', 'second password')).status).toBe(200);
  expect((await change('second password', 'short')).status).toBe(400);
  expect(await kit.directory.users.hasPassword(ann.user.id, 'second password')).toBe(true);
});

test.each([
  [{ tfa: { mode: 'auth-only' } }, /two-factor/],
  [{ github: 'ann' }, /github/],
  [{ name: 'bob' }, /administrator/],
  [{ cidr_whitelist: ['10.0.0.0/8'] }, /IP addresses/],
])('what a profile does not hold is refused, not dropped: %j', async (body, text) => {
  const refused = await kit.send('POST', path('user'), { token: ann.token, body });
  expect(refused.status).toBe(400);
  expect(refused.json()['error']).toMatch(text);
});

test('the list of hundreds of tokens can be read: its headers do not grow with it', async () => {
  const { user, token } = await kit.user();
  for (let index = 0; index < 800; index += 1) await kit.token(user.id);
  const { status, headers } = await kit.get(path('tokens'), { token });
  expect([status, headers.etag]).toEqual([200, expect.stringMatching(/^W\/"[0-9a-f]{32}"$/)]);
});
