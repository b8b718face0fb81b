import { beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../server/accounts/change.ts';
import { methods } from '../../../server/contract/methods.ts';
import type { MethodName, MethodParams, MethodResult } from '../../../server/contract/methods.ts';
import { events } from '../../../server/contract/events.ts';
import { callMethod } from '../../../server/control/call-method.ts';
import { createMethodTable } from '../../../server/control/method-table.ts';
import { makePublishDocument } from '../../support/publish-document.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

/* What the window can do about logins, staged versions and shown ages, against the registry that clients use. */

useRegistry('test');
let heard: string[];
let table: ReturnType<typeof createMethodTable>;

beforeEach(async () => {
  heard = [];
  kit.registry.events.subscribe((event) => {
    heard.push(event.topic);
    expect(events[event.topic].safeParse(event.payload).success).toBe(true);
  });
  table = createMethodTable(kit.registry, kit.server);
});

/** A call as the control link makes it: both ends are held to the contract. */
async function call<M extends MethodName>(method: M, params: MethodParams<M>): Promise<MethodResult<M>> {
  const value = await callMethod(table, 'window', method, params);
  return methods[method].output.parse(value) as MethodResult<M>;
}

async function startLogin(): Promise<string> {
  const answer = await kit.send('POST', `${kit.projectPath()}/-/v1/login`, {
    token: undefined,
    headers: { 'user-agent': 'npm/12.2.0' },
  });
  return answer.json<{ doneUrl: string }>().doneUrl.slice(kit.origin.length);
}

const poll = (path: string) => kit.get(path, { token: undefined });

test('a login waits in the window, is approved there, and the client acts as the user of the window', async () => {
  const done = await startLogin();
  expect(heard).toContain('login.changed');
  const [pending] = await call('login.pending', {});
  expect(pending).toMatchObject({ client: 'npm/12.2.0', code: expect.stringMatching(/^[A-Z2-9]{3}-[A-Z2-9]{3}$/) });
  await call('login.approve', { id: pending?.id ?? '' });
  expect(await call('login.pending', {})).toEqual([]);
  const { token } = (await poll(done)).json<{ token: string }>();
  expect((await kit.get(`${kit.projectPath()}/-/whoami`, { token })).json()).toEqual({ username: 'root' });
  await expect(call('login.approve', { id: pending?.id ?? '' })).rejects.toThrow(/over/);
});

test('a login can be given to another user, not to a blocked one, and can be denied', async () => {
  const ann = await kit.user({ username: 'ann' });
  const first = await startLogin();
  const [pending] = await call('login.pending', {});
  await call('login.approve', { id: pending?.id ?? '', userId: ann.user.id });
  const { token } = (await poll(first)).json<{ token: string }>();
  expect((await kit.get(`${kit.projectPath()}/-/whoami`, { token })).json()).toEqual({ username: 'ann' });
  await call('directory.setUserBlocked', { userId: ann.user.id, blocked: true });
  const second = await startLogin();
  const [next] = await call('login.pending', {});
  await expect(call('login.approve', { id: next?.id ?? '', userId: ann.user.id })).rejects.toThrow(/blocked/);
  await call('login.deny', { id: next?.id ?? '' });
  expect((await poll(second)).status).toBe(403);
});

test('a user who is blocked between the answer and the collection gets no token', async () => {
  const ann = await kit.user({ username: 'ann' });
  const done = await startLogin();
  const [pending] = await call('login.pending', {});
  await call('login.approve', { id: pending?.id ?? '', userId: ann.user.id });
  await call('directory.setUserBlocked', { userId: ann.user.id, blocked: true });
  const before = kit.directory.tokens.list(ann.user.id).length;
  expect((await poll(done)).status).toBe(403);
  expect(kit.directory.tokens.list(ann.user.id)).toHaveLength(before);
});

test('staged versions are listed, approved and rejected in the window', async () => {
  for (const version of ['1.0.0', '1.1.0']) {
    const body = await makePublishDocument({ name: '@acme/first', version });
    await kit.send('POST', `${kit.projectPath()}/-/stage/package/@acme%2ffirst`, { body });
  }
  const waiting = await call('releases.list', {});
  expect(waiting).toHaveLength(2);
  expect(waiting[0]).toMatchObject({
    name: '@acme/first',
    projectPath: 'local/packages',
    requester: 'root',
    tags: ['latest'],
    kind: 'version',
    gates: [],
  });
  const byVersion = new Map(waiting.map(({ version, id }) => [version, id]));
  expect(await call('releases.approve', { id: byVersion.get('1.0.0') ?? '' })).toEqual({
    state: 'published',
    missing: '',
  });
  await call('releases.reject', { id: byVersion.get('1.1.0') ?? '' });
  expect(await call('releases.list', { projectId: 1 })).toEqual([]);
  expect((await kit.get(`${kit.projectPath()}/@acme%2ffirst/1.0.0`)).status).toBe(200);
  expect((await kit.get(`${kit.projectPath()}/@acme%2ffirst/1.1.0`)).status).toBe(404);
  expect(heard.filter((topic) => topic === 'releases.changed')).toHaveLength(4);
  await expect(call('releases.reject', { id: byVersion.get('1.1.0') ?? '' })).rejects.toThrow(
    /Nothing waits for approval/,
  );
});

test('a release without an approval rule names those who may approve it, while they are few', async () => {
  const project = { kind: 'project', id: 1 } as const;
  await kit.registry.environments.protections.protect(systemActor, project, {
    name: 'production',
    deployLevels: [{ accessLevel: 40 }],
    approvalRules: [],
  });
  await call('guards.set', { projectId: 1, pattern: 'latest', environment: 'production', onRefusal: 'stage' });
  const person = async (username: string, level: 30 | 40) => {
    const user = await kit.user({ username });
    await kit.member(1, user.user.id, level);
    return user;
  };
  const dan = await person('dan', 30);
  const body = await makePublishDocument({ name: '@acme/first', version: '1.0.0' });
  await kit.send('PUT', `${kit.projectPath()}/@acme%2ffirst`, { token: dan.token, body });
  const gates = async () => (await call('releases.list', {}))[0]?.gates;
  const gate = (description: string) => [{ environment: 'production', tags: ['latest'], rules: [{ description }] }];
  expect(await gates()).toMatchObject(gate('Who may approve now: Administrator (@root)'));
  await person('mia', 40);
  await person('rob', 40);
  expect(await gates()).toMatchObject(gate('Who may approve now: User mia (@mia) or User rob (@rob)'));
  await person('sue', 40);
  await person('tom', 40);
  expect(await gates()).toMatchObject(gate('Users who may approve'));
});

test('the age that a project shows is set in the window', async () => {
  expect(await call('publishAge.get', { projectId: 1 })).toEqual({ hours: 0 });
  await call('publishAge.set', { projectId: 1, hours: 48 });
  expect(await call('publishAge.get', { projectId: 1 })).toEqual({ hours: 48 });
  expect(heard).toContain('publish_age.changed');
  await expect(call('publishAge.set', { projectId: 99, hours: 1 })).rejects.toThrow(/Project not found/);
});

test('an undo that comes after another change of the tag overwrites nothing', async () => {
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    const body = await makePublishDocument({ name: '@acme/moved', version });
    expect((await kit.send('PUT', `${kit.projectPath()}/@acme%2fmoved`, { body })).status).toBe(200);
  }
  const packageId = (await call('packages.list', { search: '@acme/moved' })).packages[0]?.id ?? 0;
  const tagged = async () =>
    (await call('packages.get', { packageId })).tags.find(({ tag }) => tag === 'beta')?.version;
  await call('packages.setTag', { packageId, tag: 'beta', version: '1.0.0', expected: null });
  await call('packages.setTag', { packageId, tag: 'beta', version: '1.1.0', expected: '1.0.0' });
  await call('packages.setTag', { packageId, tag: 'beta', version: '1.2.0' });
  await expect(
    call('packages.setTag', { packageId, tag: 'beta', version: '1.0.0', expected: '1.1.0' }),
  ).rejects.toThrow('Another change came first: beta now points to 1.2.0. It stays so.');
  await expect(call('packages.removeTag', { packageId, tag: 'beta', expected: '1.0.0' })).rejects.toThrow(/1\.2\.0/);
  expect(await tagged()).toBe('1.2.0');
  await call('packages.removeTag', { packageId, tag: 'beta', expected: '1.2.0' });
  expect(await tagged()).toBeUndefined();
});

test('several versions are unpublished in the window, all or none, and what becomes of their tags is said before', async () => {
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
    const body = await makePublishDocument({ name: '@acme/many', version });
    expect((await kit.send('PUT', `${kit.projectPath()}/@acme%2fmany`, { body })).status).toBe(200);
  }
  const packageId = (await call('packages.list', { search: '@acme/many' })).packages[0]?.id ?? 0;
  await call('packages.setTag', { packageId, tag: 'old', version: '1.1.0' });
  const versions = ['2.0.0', '1.1.0'];
  expect(await call('packages.previewUnpublish', { packageId, versions })).toEqual({
    removedTags: [{ tag: 'old', version: '1.1.0' }],
    latest: { from: '2.0.0', to: '1.0.0' },
  });
  expect(await call('packages.previewUnpublish', { packageId, versions: ['1.0.0'] })).toEqual({
    removedTags: [],
    latest: null,
  });
  await expect(call('packages.unpublishVersions', { packageId, versions: [...versions, '9.9.9'] })).rejects.toThrow(
    /no version 9\.9\.9/,
  );
  expect((await call('packages.get', { packageId })).versions).toHaveLength(3);
  await call('packages.unpublishVersions', { packageId, versions: [...versions, '2.0.0'] });
  expect(await call('packages.get', { packageId })).toMatchObject({
    latest: '1.0.0',
    versions: [{ version: '1.0.0' }],
  });
  const { rows } = await call('directory.audit', { limit: 2 });
  expect(rows.map(({ action, before, after }) => [action, before, after])).toMatchObject([
    ['package.unpublished', { version: '1.1.0', tags: ['old'] }, null],
    ['package.unpublished', { version: '2.0.0', tags: ['latest'] }, { latest: '1.0.0' }],
  ]);
});

test('a deprecation of a version that is not there was said to be done', async () => {
  await kit.publish({ name: '@acme/first', version: '1.0.0' });
  const packageId = (await call('packages.list', { search: '@acme/first' })).packages[0]?.id ?? 0;
  const before = await call('packages.get', { packageId });
  for (const messages of [{ '9.9.9': 'Old' }, { '1.0.0': 'Old', '9.9.9': 'Old' }]) {
    await expect(call('packages.deprecate', { packageId, messages })).rejects.toMatchObject({
      code: 'package_not_found',
      message: 'Package not found. @acme/first has no version 9.9.9 here.',
    });
  }
  await expect(call('packages.deprecate', { packageId: 9999, messages: { '1.0.0': 'Old' } })).rejects.toMatchObject({
    code: 'package_not_found',
  });
  expect(await call('packages.get', { packageId })).toEqual(before);
});

test('the window refused a deprecation message that npm may give, and so its undo', async () => {
  await kit.publish({ name: '@acme/first', version: '1.0.0' });
  const packageId = (await call('packages.list', { search: '@acme/first' })).packages[0]?.id ?? 0;
  const long = 'x'.repeat(4096);
  const body = { name: '@acme/first', versions: { '1.0.0': { deprecated: long } } };
  expect((await kit.send('PUT', `${kit.projectPath()}/@acme%2ffirst`, { body })).status).toBe(200);
  await call('packages.deprecate', { packageId, messages: { '1.0.0': '' } });
  await call('packages.deprecate', { packageId, messages: { '1.0.0': long }, expected: { '1.0.0': null } });
  expect((await call('packages.get', { packageId })).versions).toMatchObject([{ deprecated: long }]);
});

test('a change of a tag or deprecation is not offered to be undone once its version or package is gone', async () => {
  for (const version of ['1.0.0', '1.1.0']) {
    const body = await makePublishDocument({ name: '@acme/gone', version });
    expect((await kit.send('PUT', `${kit.projectPath()}/@acme%2fgone`, { body })).status).toBe(200);
  }
  const packageId = (await call('packages.list', { search: '@acme/gone' })).packages[0]?.id ?? 0;
  await call('packages.setTag', { packageId, tag: 'old', version: '1.0.0' });
  await call('packages.setTag', { packageId, tag: 'old', version: '1.1.0' });
  await call('packages.deprecate', { packageId, messages: { '1.0.0': 'Old' } });
  await call('packages.deprecate', { packageId, messages: { '1.1.0': 'Old' } });
  const lost = async () => {
    const { rows } = await call('directory.audit', { kind: 'packages', limit: 20 });
    return rows
      .filter((row) => row.isLost && row.target.id === packageId)
      .map(({ action, before }) => [action, before]);
  };
  expect(await lost()).toEqual([]);
  await call('packages.unpublishVersions', { packageId, versions: ['1.0.0'] });
  const ofVersion = [
    ['package.deprecated', { '1.0.0': null }],
    ['tag.set', { tag: 'old', version: '1.0.0' }],
  ];
  expect(await lost()).toEqual(ofVersion);
  await call('packages.unpublish', { packageId });
  expect(await lost()).toHaveLength(4);
});

test('a guard and what becomes of refused publishes are saved together, or neither', async () => {
  const guard = { projectId: 1, pattern: 'latest', environment: 'production' };
  await call('guards.set', { ...guard, onRefusal: 'stage' });
  expect(await call('guards.list', { projectId: 1 })).toMatchObject({
    onRefusal: 'stage',
    guards: [{ pattern: 'latest' }],
  });
  await call('guards.set', { ...guard, allowSelfApproval: true });
  const changed = call('guards.set', { ...guard, onRefusal: 'refuse', updatedAt: 1 });
  await expect(changed).rejects.toMatchObject({ code: 'conflict' });
  expect(await call('guards.list', { projectId: 1 })).toMatchObject({ onRefusal: 'stage' });
});

test('the approvers of a tag come with its guard, in one step or not at all, and go with the last that needs them', async () => {
  const guard = { projectId: 1, environment: 'tag-approvers', onRefusal: 'stage' as const };
  const protection = { rules: [{ accessLevel: 40 as const }] };
  const environments = async () => (await call('environments.listProtected', { projectId: 1 })).map(({ name }) => name);
  await expect(call('guards.set', { ...guard, pattern: 'not a tag', protection })).rejects.toMatchObject({
    code: 'unprocessable',
  });
  expect(await environments()).toEqual([]);
  await call('guards.set', { ...guard, pattern: 'latest', protection });
  await call('guards.set', { ...guard, pattern: 'next' });
  expect(await environments()).toEqual(['tag-approvers']);
  const { rows } = await call('directory.audit', { kind: 'environments', limit: 20 });
  const ofLatest = rows.filter(({ target }) => target.name !== 'next');
  expect(ofLatest.map(({ action }) => action)).toEqual([
    'guard.set',
    'guard.settings_changed',
    'environment.protected',
  ]);
  expect(new Set(ofLatest.map(({ at }) => at)).size).toBe(1);
  expect(ofLatest[0]?.after).toMatchObject({ on_refusal: 'stage' });
  await call('guards.remove', { projectId: 1, pattern: 'latest', unprotect: true });
  expect(await environments()).toEqual(['tag-approvers']);
  await call('guards.remove', { projectId: 1, pattern: 'next', unprotect: true });
  expect(await environments()).toEqual([]);
});

test('an undo that comes after another deprecation overwrites nothing', async () => {
  for (const version of ['1.0.0', '1.1.0']) {
    const body = await makePublishDocument({ name: '@acme/bad', version });
    expect((await kit.send('PUT', `${kit.projectPath()}/@acme%2fbad`, { body })).status).toBe(200);
  }
  const packageId = (await call('packages.list', { search: '@acme/bad' })).packages[0]?.id ?? 0;
  const messages = async () =>
    Object.fromEntries(
      (await call('packages.get', { packageId })).versions.map(({ version, deprecated }) => [version, deprecated]),
    );
  const bad = { '1.0.0': 'Loses data', '1.1.0': 'Loses data' };
  await call('packages.deprecate', { packageId, messages: bad });
  await call('packages.deprecate', { packageId, messages: { '1.1.0': 'Leaks tokens' } });
  const undo = { packageId, messages: { '1.0.0': '', '1.1.0': '' } };
  await expect(call('packages.deprecate', { ...undo, expected: bad })).rejects.toThrow(
    'Another change came first: the deprecation of 1.1.0 was changed. It stays so.',
  );
  expect(await messages()).toEqual({ '1.0.0': 'Loses data', '1.1.0': 'Leaks tokens' });
  await call('packages.deprecate', { ...undo, expected: { ...bad, '1.1.0': 'Leaks tokens' } });
  expect(await messages()).toEqual({ '1.0.0': null, '1.1.0': null });
});
