import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../server/accounts/change.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { TestRegistry, type TestUser } from '../support/registry.ts';
import { examineHealth } from './support/maintenance.ts';

/* Rights that end between the first half of a request and its second: it is refused as if the whole of it came now. */

let gatehouse: TestRegistry;
let person: TestUser;
let projectId: number;
beforeEach(async () => {
  gatehouse = await TestRegistry.start();
  person = await gatehouse.user({ username: 'mallory', password: 'a long password' });
  const project = await gatehouse.project({ path: 'theirs' });
  projectId = project.id;
  await gatehouse.member(projectId, person.user.id, 40);
});
afterEach(() => gatehouse.stop());

interface HalfRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly token?: string;
}

/** Sends half of each body; once the server reads all of them, lets `change` happen, and sends the rest. */
async function halfway(requests: readonly HalfRequest[], change: () => Promise<unknown>): Promise<string[]> {
  const begun = await Promise.all(requests.map(begin));
  await gatehouse.get('/-/liveness');
  await change();
  return Promise.all(begun.map((finish) => finish()));
}

/** Sends half a body once it is asked for, that is, once the caller was allowed to go on; returns how to send the rest. */
async function begin({ method, path, body, token = person.token }: HalfRequest): Promise<() => Promise<string>> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const half = Math.floor(bytes.length / 2);
  const socket = connect(gatehouse.server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n`,
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  socket.write(bytes.subarray(0, half));
  return async () => {
    socket.write(bytes.subarray(half));
    if (!socket.closed) await once(socket, 'close');
    return said;
  };
}

const statusOf = (said: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1]);
const inProject = (): { kind: 'project'; id: number } => ({ kind: 'project', id: projectId });

const endings: [string, number, () => Promise<unknown>][] = [
  [
    'the token is revoked',
    401,
    async () => {
      const [token] = gatehouse.registry.people.tokens.list(person.user.id);
      await gatehouse.registry.people.tokens.revoke(systemActor, token?.id ?? 0);
    },
  ],
  ['the user is blocked', 403, () => gatehouse.registry.people.users.setBlocked(systemActor, person.user.id, true)],
  ['the user is deleted', 401, () => gatehouse.registry.people.users.delete(systemActor, person.user.id)],
];

const endingsInProject: typeof endings = [
  ...endings,
  [
    'the role is lowered to Guest',
    403,
    () =>
      gatehouse.registry.people.members.update(systemActor, inProject(), {
        userId: person.user.id,
        level: 10,
        expiresOn: null,
      }),
  ],
  [
    'the membership ends',
    404,
    () => gatehouse.registry.people.members.remove(systemActor, inProject(), person.user.id, { keepBelow: false }),
  ],
  ['the project is deleted', 404, () => gatehouse.registry.people.projects.delete(systemActor, projectId)],
];

/** Nothing is left of what was refused. */
async function expectNothingStored(tarballs = 0): Promise<void> {
  expect(await gatehouse.temporaryFiles()).toEqual([]);
  expect(await gatehouse.storedTarballs()).toHaveLength(tarballs);
  expect(await examineHealth(gatehouse)).toEqual([]);
}

describe.each(endingsInProject)('half a request, then %s: refused with %i', (_what, status, end) => {
  test.each([
    ['publish', 'PUT', (npm: string) => `${npm}/late`],
    ['stage', 'POST', (npm: string) => `${npm}/-/stage/package/late`],
  ])('a %s, of which nothing is stored', async (_request, method, path) => {
    const body = await makePublishDocument({
      name: 'late',
      version: '1.0.0',
      files: { 'large.bin': Buffer.alloc(3_000_000, Math.random().toString(36)) },
    });
    const [said = ''] = await halfway([{ method, path: path(gatehouse.projectPath(projectId)), body }], end);
    expect(statusOf(said), said).toBe(status);
    await expectNothingStored();
  });

  test('a dist-tag, a deprecation, an unpublish, a new maintainer: the package stays as it was', async () => {
    await gatehouse.publish({ name: 'kept', version: '1.0.0', projectId });
    await gatehouse.publish({ name: 'kept', version: '1.1.0', projectId });
    const npm = gatehouse.projectPath(projectId);
    const before = (await gatehouse.get(`${npm}/kept`)).json<{ _rev: string; versions: object }>();
    const requests: HalfRequest[] = [
      { method: 'PUT', path: `${npm}/-/package/kept/dist-tags/beta`, body: '"1.0.0"' },
      { method: 'PUT', path: `${npm}/kept`, body: { ...before, versions: { '1.0.0': { deprecated: 'gone' } } } },
      { method: 'PUT', path: `${npm}/kept/-rev/${before._rev}`, body: { ...before, versions: { '1.0.0': {} } } },
      { method: 'PUT', path: `${npm}/-/package/kept/owners`, body: { user: 'root', pad: 'x'.repeat(100) } },
    ];
    for (const said of await halfway(requests, end)) expect(statusOf(said), said).toBe(status);
    if (status !== 404 || gatehouse.registry.directory.findProject(projectId)) {
      expect((await gatehouse.get(`${npm}/kept`)).json()['_rev']).toBe(before._rev);
    }
  });
});

describe.each(endings)('half a request, then %s: refused with %i', (_what, status, end) => {
  test('a new token, a changed profile, a new password', async () => {
    const tokensBefore = gatehouse.registry.people.tokens.list().length;
    const npm = gatehouse.instancePath;
    const password = { old: 'a long password', new: 'another long password' };
    const requests: HalfRequest[] = [
      { method: 'POST', path: `${npm}/-/npm/v1/tokens`, body: { name: 'late', password: 'a long password' } },
      { method: 'POST', path: `${npm}/-/npm/v1/user`, body: { fullname: 'Somebody Else' } },
      { method: 'POST', path: `${npm}/-/npm/v1/user`, body: { password } },
    ];
    for (const said of await halfway(requests, end)) expect(statusOf(said), said).toBe(status);
    expect(gatehouse.registry.people.tokens.list().length).toBeLessThanOrEqual(tokensBefore);
    const { users } = gatehouse.registry.people;
    const user = users.findByUsername('mallory');
    if (user) {
      expect(user.name).toBe(person.user.name);
      await users.setBlocked(systemActor, user.id, false);
      const logIn = (secret: string) =>
        gatehouse.send('PUT', `${npm}/-/user/org.couchdb.user:mallory`, {
          body: { name: 'mallory', password: secret },
        });
      expect((await logIn(password.new)).status).toBe(401);
      expect((await logIn(password.old)).status).toBe(201);
    }
  });

  test('a new project, environment, protection and member by GitLab calls', async () => {
    const api = `/api/v4/projects/${projectId}`;
    const requests: HalfRequest[] = [
      { method: 'POST', path: '/api/v4/projects', body: { name: 'late' } },
      { method: 'POST', path: `${api}/environments`, body: { name: 'late' } },
      {
        method: 'POST',
        path: `${api}/protected_environments`,
        body: { name: 'late', deploy_access_levels: [{ access_level: 40 }] },
      },
      { method: 'POST', path: `${api}/members`, body: { user_id: 1, access_level: 30 } },
    ];
    for (const said of await halfway(requests, end)) expect(statusOf(said), said).toBe(status);
    const { environments, protections } = gatehouse.registry.environments;
    expect(gatehouse.registry.directory.allProjects().map(({ path }) => path)).not.toContain('late');
    expect(environments.list(projectId)).toEqual([]);
    expect(protections.list({ kind: 'project', id: projectId })).toEqual([]);
    expect(gatehouse.registry.people.members.direct(inProject()).map(({ userId }) => userId)).not.toContain(1);
  });
});

test('an administrator who is demoted halfway makes no user and no token for others', async () => {
  const admin = await gatehouse.user({ isAdmin: true });
  const requests: HalfRequest[] = [
    {
      method: 'POST',
      path: '/api/v4/users',
      token: admin.token,
      body: { email: 'late@example.test', name: 'Late', username: 'late', password: 'a long password' },
    },
    {
      method: 'POST',
      path: `/api/v4/users/1/personal_access_tokens`,
      token: admin.token,
      body: { name: 'late', scopes: ['api'] },
    },
  ];
  const demote = () => gatehouse.registry.people.users.update(systemActor, admin.user.id, { isAdmin: false });
  const before = gatehouse.registry.people.tokens.list(1).length;
  for (const said of await halfway(requests, demote)) {
    expect(statusOf(said), said).toBe(403);
  }
  expect(gatehouse.registry.people.users.findByUsername('late')).toBeUndefined();
  expect(gatehouse.registry.people.tokens.list(1)).toHaveLength(before);
});

test('a project that is made private halfway takes no star of a user who is no member', async () => {
  const project = await gatehouse.project({ path: 'open', visibility: 'public' });
  await gatehouse.publish({ name: 'seen', version: '1.0.0', projectId: project.id });
  const visitor = await gatehouse.user();
  const npm = gatehouse.projectPath(project.id);
  const hide = () => gatehouse.registry.people.projects.update(systemActor, project.id, { visibility: 'private' });
  const star: HalfRequest[] = [
    { method: 'PUT', path: `${npm}/-/user/v1/star`, token: visitor.token, body: { package: 'seen' } },
    { method: 'PUT', path: `${npm}/seen`, token: visitor.token, body: { users: { [visitor.user.username]: true } } },
  ];
  for (const said of await halfway(star, hide)) expect(statusOf(said), said).toBe(404);
  expect((await gatehouse.get(`${npm}/seen`)).json()['users']).toEqual({});
});

test('a token that is revoked in the commit before publishes nothing', async () => {
  const bodies = await Promise.all(
    Array.from({ length: 24 }, (_, index) => makePublishDocument({ name: `near-${index}`, version: '1.0.0' })),
  );
  const [token] = gatehouse.registry.people.tokens.list(person.user.id);
  let revoked = Infinity;
  const publishes = bodies.map(async (body) => {
    const path = `${gatehouse.projectPath(projectId)}/${body.name}`;
    return gatehouse.send('PUT', path, { body, token: person.token });
  });
  const revoking = gatehouse.registry.people.tokens.revoke(systemActor, token?.id ?? 0).then(() => {
    revoked = gatehouse.registry.audit.list({ search: 'token.revoked' }, { limit: 1, offset: 0 })[0]?.id ?? 0;
  });
  const answers = await Promise.all(publishes);
  await revoking;
  for (const { status } of answers) expect([200, 401]).toContain(status);
  const published = gatehouse.registry.audit.list({ search: 'package.published' }, { limit: 100, offset: 0 });
  // The trail is in the order of the commits.
  for (const { id } of published) expect(id).toBeLessThan(revoked);
  expect(published).toHaveLength(answers.filter(({ status }) => status === 200).length);
  await expectNothingStored(published.length);
});

describe('the rules of a guarded tag that change', () => {
  const guards = () => gatehouse.registry.guards.guards;
  const protections = () => gatehouse.registry.environments.protections;
  const protect = () =>
    protections().protect(systemActor, inProject(), {
      name: 'production',
      deployLevels: [{ userId: person.user.id }, { accessLevel: 60 }],
    });
  const takeRule = async () => {
    const [rule] = protections().get(inProject(), 'production').deployLevels;
    await protections().update(systemActor, inProject(), 'production', {
      deployLevels: [{ id: rule?.id, destroy: true }],
    });
  };

  const toVault = { pattern: 'latest', environment: 'vault' };

  test.each([
    ['the rule is removed', takeRule],
    ['the tag is bound to another environment', () => guards().set(systemActor, projectId, toVault)],
  ])('halfway, when %s, refuse what was begun', async (_what, change) => {
    await protect();
    await protections().protect(systemActor, inProject(), { name: 'vault', deployLevels: [{ accessLevel: 60 }] });
    await guards().set(systemActor, projectId, { pattern: 'latest', environment: 'production' });
    await gatehouse.publish({ name: 'kept', version: '1.0.0', projectId });
    await gatehouse.publish({ name: 'kept', version: '0.9.0', tag: 'old', projectId });
    const npm = gatehouse.projectPath(projectId);
    const before = (await gatehouse.get(`${npm}/kept`)).json<{ _rev: string }>();
    const files = { 'large.bin': Buffer.alloc(3_000_000, Math.random().toString(36)) };
    const requests: HalfRequest[] = [
      {
        method: 'PUT',
        path: `${npm}/kept`,
        body: await makePublishDocument({ name: 'kept', version: '2.0.0', files }),
      },
      { method: 'PUT', path: `${npm}/-/package/kept/dist-tags/latest`, body: '"0.9.0"' },
      { method: 'PUT', path: `${npm}/kept`, body: { ...before, versions: { '1.0.0': { deprecated: 'gone' } } } },
      { method: 'PUT', path: `${npm}/kept/-rev/${before._rev}`, body: { ...before, versions: { '0.9.0': {} } } },
    ];
    for (const said of await halfway(requests, change)) {
      expect(statusOf(said), said).toBe(403);
      expect(said).toContain('is guarded by');
    }
    expect((await gatehouse.get(`${npm}/kept`)).json()['_rev']).toBe(before._rev);
    await expectNothingStored(2);
  });

  test('in the commit before, publish nothing', async () => {
    await protect();
    await guards().set(systemActor, projectId, { pattern: 'latest', environment: 'production' });
    const bodies = await Promise.all(
      Array.from({ length: 24 }, (_, index) => makePublishDocument({ name: `near-${index}`, version: '1.0.0' })),
    );
    const publishes = bodies.map((body) =>
      gatehouse.send('PUT', `${gatehouse.projectPath(projectId)}/${body.name}`, { body, token: person.token }),
    );
    await Promise.race(publishes);
    await takeRule();
    const answers = await Promise.all(publishes);
    for (const { status } of answers) expect([200, 403]).toContain(status);
    const [change] = gatehouse.registry.audit.list({ search: 'environment.rules_changed' }, { limit: 1, offset: 0 });
    const published = gatehouse.registry.audit.list({ search: 'package.published' }, { limit: 100, offset: 0 });
    for (const { id } of published) expect(id).toBeLessThan(change?.id ?? 0);
    expect(published).toHaveLength(answers.filter(({ status }) => status === 200).length);
    await expectNothingStored(published.length);
  });
});
