import BetterSqlite3 from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemActor } from '../../../server/accounts/change.ts';
import type { MemberLevel, Visibility } from '../../../server/contract/levels.ts';
import { makePublishDocument } from '../../support/publish-document.ts';
import { rootToken } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

/* Who may do what, as statuses, by role and visibility. */

const visibilities: readonly Visibility[] = ['private', 'internal', 'public'];
const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const satisfies Record<
  string,
  MemberLevel
>;
type Who = 'anonymous' | 'outsider' | 'external' | keyof typeof levels | 'admin' | 'blocked' | 'garbage';

useRegistry('file');
const tokens = new Map<Who, string | undefined>([
  ['anonymous', undefined],
  ['garbage', 'glpat-nobody-knows-this-one'],
  ['admin', rootToken],
]);
const projects = new Map<Visibility, number>();

beforeAll(async () => {
  const group = await kit.directory.groups.create(systemActor, {
    name: 'open',
    path: 'open',
    parentId: null,
    description: '',
    visibility: 'public',
  });
  for (const visibility of visibilities) {
    const project = await kit.project({ path: visibility, namespaceId: group.id, visibility });
    projects.set(visibility, project.id);
    await kit.publish({ name: `p-${visibility}`, version: '1.0.0', projectId: project.id });
  }
  tokens.set('outsider', (await kit.user()).token);
  tokens.set('external', (await kit.user({ external: true })).token);
  for (const [who, level] of Object.entries(levels)) {
    const { user, token } = await kit.user();
    tokens.set(who as Who, token);
    for (const id of projects.values()) await kit.member(id, user.id, level);
  }
  const blocked = await kit.user();
  await kit.directory.users.setBlocked(systemActor, blocked.user.id, true);
  tokens.set('blocked', blocked.token);
});

const everybody: readonly Who[] = [
  'anonymous',
  'garbage',
  'blocked',
  'outsider',
  'external',
  'guest',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'admin',
];

/** Statuses in the order of `everybody`, by visibility of the project. */
const reads: Readonly<Record<Visibility, readonly number[]>> = {
  private: [401, 401, 403, 404, 404, 200, 200, 200, 200, 200, 200],
  internal: [401, 401, 403, 200, 404, 200, 200, 200, 200, 200, 200],
  public: [200, 401, 403, 200, 200, 200, 200, 200, 200, 200, 200],
};
const publishes: Readonly<Record<Visibility, readonly number[]>> = {
  private: [401, 401, 403, 404, 404, 403, 403, 200, 200, 200, 200],
  internal: [401, 401, 403, 403, 404, 403, 403, 200, 200, 200, 200],
  public: [401, 401, 403, 403, 403, 403, 403, 200, 200, 200, 200],
};
const maintains: Readonly<Record<Visibility, readonly number[]>> = {
  private: [401, 401, 403, 404, 404, 403, 403, 403, 200, 200, 200],
  internal: [401, 401, 403, 403, 404, 403, 403, 403, 200, 200, 200],
  public: [401, 401, 403, 403, 403, 403, 403, 403, 200, 200, 200],
};

const prefixOf = (visibility: Visibility) => kit.projectPath(projects.get(visibility) ?? 0);

describe.each(visibilities)('in a project that is %s', (visibility) => {
  const cases = (table: Readonly<Record<Visibility, readonly number[]>>) =>
    everybody.map((who, index) => [who, table[visibility][index] ?? 0] as const);

  test.each(cases(reads))('%s reads packument, manifest, tags and tarball at each prefix: %i', async (who, status) => {
    const name = `p-${visibility}`;
    for (const prefix of [prefixOf(visibility), kit.groupPath('open'), kit.instancePath]) {
      for (const path of [
        `/${name}`,
        `/${name}/latest`,
        `/-/package/${name}/dist-tags`,
        `/${name}/-/${name}-1.0.0.tgz`,
      ]) {
        const answer = await kit.get(prefix + path, { token: tokens.get(who) });
        expect(answer.status, `${prefix}${path}`).toBe(status);
        if (status === 401) expect(answer.headers['www-authenticate'], path).toContain('Bearer');
      }
    }
  });

  test.each(cases(publishes))('%s publishes: %i', async (who, status) => {
    const name = `by-${who}-${visibility}`;
    const answer = await kit.send('PUT', `${prefixOf(visibility)}/${name}`, {
      token: tokens.get(who),
      body: await makePublishDocument({ name, version: '1.0.0' }),
    });
    expect(answer.status).toBe(status);
    expect(kit.registry.packages.store.packagesNamed(name)).toHaveLength(status === 200 ? 1 : 0);
  });

  test.each(cases(publishes))('%s sets a tag: %i', async (who, status) => {
    const path = `${prefixOf(visibility)}/-/package/p-${visibility}/dist-tags/by-${who}`;
    const answer = await kit.send('PUT', path, { token: tokens.get(who), body: '"1.0.0"' });
    expect(answer.status).toBe(status === 200 ? 204 : status);
  });

  test.each(cases(maintains))('%s removes a tag: %i', async (who, status) => {
    const path = `${prefixOf(visibility)}/-/package/p-${visibility}/dist-tags/gone-${who}`;
    expect((await kit.send('PUT', path, { body: '"1.0.0"' })).status).toBe(204);
    const answer = await kit.send('DELETE', path, { token: tokens.get(who) });
    expect(answer.status).toBe(status === 200 ? 204 : status);
  });

  test.each(cases(maintains))('%s deprecates: %i', async (who, status) => {
    const name = `p-${visibility}`;
    const answer = await kit.send('PUT', `${prefixOf(visibility)}/${name}`, {
      token: tokens.get(who),
      body: { _id: name, name, versions: { '1.0.0': { name, version: '1.0.0', deprecated: '' } } },
      headers: { 'npm-command': 'deprecate' },
    });
    expect(answer.status).toBe(status);
  });

  test.each(cases(maintains))('%s unpublishes: %i', async (who, status) => {
    const name = `gone-${who}-${visibility}`;
    await kit.publish({ name, version: '1.0.0', projectId: projects.get(visibility) ?? 0 });
    const answer = await kit.send('DELETE', `${prefixOf(visibility)}/${name}`, { token: tokens.get(who) });
    expect(answer.status).toBe(status);
    expect(kit.registry.packages.store.packagesNamed(name)).toHaveLength(status === 200 ? 0 : 1);
  });
});

test('what is unknown looks like what is private, at every prefix and for every kind of thing', async () => {
  const hidden = prefixOf('private');
  for (const [who, status] of [
    ['anonymous', 401],
    ['outsider', 404],
  ] as const) {
    const token = tokens.get(who);
    for (const path of [
      '/p-private',
      '/nothing',
      '/p-private/-/p-private-1.0.0.tgz',
      '/nothing/-/nothing-1.0.0.tgz',
      '/-/package/p-private/dist-tags',
    ]) {
      const known = await kit.get(hidden + path, { token });
      const unknown = await kit.get(kit.projectPath(987_654) + path, { token });
      expect([known.status, unknown.status]).toEqual([status, status]);
      expect(known.text.replaceAll(/\d+/g, '#')).toBe(unknown.text.replaceAll(/\d+/g, '#'));
    }
    const hiddenGroup = await kit.get(`${kit.groupPath('local')}/nothing`, { token });
    const noGroup = await kit.get(`${kit.groupPath('no-such')}/nothing`, { token });
    expect(hiddenGroup.status).toBe(noGroup.status);
  }
});

test('at the instance a private package is not found by a stranger, and anonymous is asked to sign in', async () => {
  for (const name of ['p-private', 'no-such-package']) {
    expect((await kit.get(`${kit.instancePath}/${name}`, { token: tokens.get('outsider') })).status).toBe(404);
    expect((await kit.get(`${kit.instancePath}/${name}`, { token: undefined })).status).toBe(401);
  }
});

describe('a token', () => {
  const who = () => tokens.get('developer') ?? '';
  const path = () => `${kit.projectPath(projects.get('private') ?? 0)}/-/whoami`;
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  test('is taken as Bearer, PRIVATE-TOKEN, query, and Basic with any user name', async () => {
    const headers: Record<string, string>[] = [
      { authorization: `Bearer ${who()}` },
      { authorization: `bearer ${who()}` },
      { 'private-token': who() },
      { authorization: basic('anyone', who()) },
      { authorization: basic('', who()) },
      { 'job-token': who() },
      { 'deploy-token': who() },
    ];
    for (const header of headers) {
      expect((await kit.get(path(), { token: undefined, headers: header })).status, JSON.stringify(header)).toBe(200);
    }
    expect((await kit.get(`${path()}?private_token=${who()}`, { token: undefined })).status).toBe(200);
    expect((await kit.get(`${path()}?access_token=${who()}`, { token: undefined })).status).toBe(200);
  });

  test('that is no token is refused, an empty one is none', async () => {
    for (const header of ['Bearer nonsense', basic('x', 'nonsense'), basic('x', '')]) {
      expect((await kit.get(path(), { token: undefined, headers: { authorization: header } })).status).toBe(401);
    }
    const open = `${kit.projectPath(projects.get('public') ?? 0)}/p-public`;
    expect((await kit.get(open, { token: undefined, headers: { authorization: 'Bearer ' } })).status).toBe(200);
    expect((await kit.get(open, { token: undefined, headers: { authorization: 'Bearer nonsense' } })).status).toBe(401);
  });

  test('opens what its scopes open', async () => {
    const { user } = await kit.user();
    const id = projects.get('private') ?? 0;
    await kit.member(id, user.id, 40);
    const prefix = kit.projectPath(id);
    const expected: Record<string, [number, number]> = {
      api: [200, 204],
      read_api: [200, 403],
      read_package_registry: [200, 403],
      write_package_registry: [200, 204],
      read_user: [403, 403],
    };
    for (const [scope, [read, write]] of Object.entries(expected)) {
      const token = await kit.token(user.id, [scope as 'api']);
      expect((await kit.get(`${prefix}/p-private`, { token })).status, scope).toBe(read);
      const set = await kit.send('PUT', `${prefix}/-/package/p-private/dist-tags/${scope}`, { token, body: '"1.0.0"' });
      expect(set.status, scope).toBe(write);
      if (read === 200) continue;
      // Whether there is such a package anywhere is nothing that such a token may find out.
      for (const name of ['p-private', 'no-such-package']) {
        const answer = await kit.get(`${kit.instancePath}/${name}`, { token });
        expect(answer.status, name).toBe(read);
        expect(answer.headers['npm-notice']).toMatch(/higher privileges/);
      }
    }
  });

  test('whose last day is over is refused in the words of OAuth, even where no token is needed', async () => {
    const { user } = await kit.user();
    const token = await kit.token(user.id, ['api'], '2099-01-01');
    const id = kit.directory.tokens.findBySecret(token)?.id ?? 0;
    const database = new BetterSqlite3(kit.registry.folder.databaseFile);
    database.prepare('UPDATE access_tokens SET expires_on = ? WHERE id = ?').run('2020-01-01', id);
    database.close();
    const refused = await kit.get(`${kit.projectPath(projects.get('public') ?? 0)}/p-public`, { token });
    expect(refused.status).toBe(401);
    expect(refused.json()).toEqual({
      error: 'invalid_token',
      error_description: 'Token is expired. You can either do re-authorization or token refresh.',
    });
    expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test('that was revoked, and a member who was removed, are out at once, also of answers that were kept', async () => {
    const { user, token } = await kit.user();
    const id = projects.get('private') ?? 0;
    const path = `${kit.projectPath(id)}/p-private`;
    await kit.member(id, user.id, 20);
    for (let times = 0; times < 3; times += 1) expect((await kit.get(path, { token })).status).toBe(200);
    await kit.directory.members.remove(systemActor, { kind: 'project', id }, user.id);
    expect((await kit.get(path, { token })).status).toBe(404);
    await kit.member(id, user.id, 20);
    for (let times = 0; times < 3; times += 1) expect((await kit.get(path, { token })).status).toBe(200);
    await kit.directory.tokens.revoke(systemActor, kit.directory.tokens.findBySecret(token)?.id ?? 0);
    const refused = await kit.get(path, { token });
    expect(refused.status).toBe(401);
    expect(refused.json()).toMatchObject({ error: 'invalid_token' });
  });
});
