import { request } from 'node:http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../../server/accounts/change.ts';
import type { MemberLevel } from '../../../server/contract/levels.ts';
import type { Answer } from '../../support/http.ts';
import { makePublishDocument } from '../../support/publish-document.ts';
import { encodeName } from '../../support/registry.ts';
import type { TestUser } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('test');

const name = '@local/app';
let dan: TestUser;
let mia: TestUser;
let rob: TestUser;

/** `latest` is guarded by production, where only rob, a maintainer, may deploy; dan is a developer, mia a maintainer. */
beforeEach(async () => {
  const person = async (username: string, level: MemberLevel) => {
    const user = await kit.user({ username });
    await kit.member(1, user.user.id, level);
    return user;
  };
  dan = await person('dan', 30);
  mia = await person('mia', 40);
  rob = await person('rob', 40);
  await kit.publish({ name, version: '1.0.0' });
  await kit.publish({ name, version: '1.1.0', tag: 'next' });
  await protect([{ userId: rob.user.id }]);
  await guard('latest', 'production');
});

const production = { kind: 'project', id: 1 } as const;
const protect = (deployLevels: { userId?: number; accessLevel?: 30 | 40 }[], environment = 'production') =>
  kit.registry.environments.protections.protect(systemActor, production, { name: environment, deployLevels });
const guard = (pattern: string, environment: string, projectId = 1) =>
  kit.registry.guards.guards.set(systemActor, projectId, { pattern, environment });

async function publish(version: string, { token, tag = 'latest', projectId = 1, as = name }: PublishOptions) {
  const body = await makePublishDocument({ name: as, version, tag });
  return kit.send('PUT', `${kit.projectPath(projectId)}/${encodeName(as)}`, { token, body });
}

interface PublishOptions {
  token: string;
  tag?: string;
  projectId?: number;
  as?: string;
}

const json = { 'content-type': 'application/json' };
const tagPath = (tag: string) => `${kit.projectPath()}/-/package/${encodeName(name)}/dist-tags/${tag}`;
const setTag = (tag: string, version: string, { token }: TestUser) =>
  kit.send('PUT', tagPath(tag), { token, headers: json, body: JSON.stringify(version) });
const removeTag = (tag: string, { token }: TestUser) => kit.send('DELETE', tagPath(tag), { token });
const deprecate = (versions: Record<string, string>, { token }: TestUser) => {
  const documents = Object.entries(versions).map(([version, deprecated]) => [version, { name, version, deprecated }]);
  const body = { _id: name, name, versions: Object.fromEntries(documents) };
  return kit.send('PUT', `${kit.projectPath()}/${encodeName(name)}`, { token, body });
};
const deletePackage = ({ token }: TestUser) =>
  kit.send('DELETE', `${kit.projectPath()}/${encodeName(name)}`, { token });
const deleteVersion = (version: string, { token }: TestUser) =>
  kit.send('DELETE', `${kit.projectPath()}/${encodeName(name)}/-/app-${version}.tgz`, { token });

/** Everything that a refusal must leave as it is. */
async function state() {
  const packument = await kit.get(`${kit.projectPath()}/${encodeName(name)}`);
  const files = readdirSync(join(kit.dataDir, 'gatehouse-temporary'));
  const [newest] = kit.registry.audit.list({}, { offset: 0, limit: 1 });
  const entries = readdirSync(join(kit.dataDir, 'tarballs'), { recursive: true, withFileTypes: true });
  const tarballs = entries.filter((entry) => entry.isFile()).length;
  return { packument: packument.text, files, tarballs, newest: newest?.id };
}

function expectRefusal(answer: Answer, ...texts: (string | RegExp)[]): void {
  expect(answer.status, answer.text).toBe(403);
  const { message, error } = answer.json<{ message: string; error: string }>();
  expect(message).toBe('403 Forbidden');
  for (const text of texts) expect(error).toMatch(text);
}

describe('a guarded tag', () => {
  const acts: [string, () => Promise<Answer>][] = [
    ['is not published to', () => publish('2.0.0', dan)],
    ['is not published to by a maintainer either', () => publish('2.0.0', mia)],
    ['is not moved', () => setTag('latest', '1.1.0', mia)],
    ['is not removed', () => removeTag('latest', mia)],
    ['keeps its version from being deprecated', () => deprecate({ '1.0.0': 'old' }, mia)],
    ['keeps all of a deprecation back that has its version', () => deprecate({ '1.1.0': 'old', '1.0.0': 'old' }, mia)],
    ['keeps its version from being unpublished', () => deleteVersion('1.0.0', mia)],
    ['keeps its package from being unpublished', () => deletePackage(mia)],
  ];
  test.each(acts)('%s without deploy access', async (_, act) => {
    const before = await state();
    expectRefusal(await act(), /dist-tag latest/, /@local\/app/, /production/, /User rob/, /Ask @rob or @root\./);
    expect(await state()).toEqual(before);
  });

  test('lets through who may deploy, and an administrator', async () => {
    expect((await publish('2.0.0', rob)).status).toBe(200);
    expect((await setTag('latest', '1.0.0', rob)).status).toBe(204);
    expect((await deprecate({ '1.0.0': 'old' }, rob)).status).toBe(200);
    expect((await deleteVersion('1.0.0', rob)).status).toBe(200);
    await kit.publish({ name, version: '3.0.0' });
    expect((await deletePackage(rob)).status).toBe(200);
  });

  test('lets nobody but an administrator through where those who may deploy have to wait, too', async () => {
    const settings = { pattern: 'latest', environment: 'production', deployersWait: true };
    await kit.registry.guards.guards.set(systemActor, 1, settings);
    const before = await state();
    const needsApproval = [
      / needs an approval\. A maintainer of the package's project can let publishes and moves of tags wait for one/,
    ];
    expectRefusal(await publish('2.0.0', rob), /^The dist-tag latest of @local\/app/, ...needsApproval);
    expectRefusal(await setTag('latest', '1.1.0', rob), ...needsApproval);
    expectRefusal(await publish('2.0.0', dan), ...needsApproval);
    const needsAdministrator =
      / needs an administrator\. Only publishes and moves of the tag can wait for an approval\./;
    expectRefusal(await removeTag('latest', rob), needsAdministrator);
    expectRefusal(await deprecate({ '1.0.0': 'old' }, rob), needsAdministrator);
    expectRefusal(await deleteVersion('1.0.0', rob), needsAdministrator);
    expectRefusal(await deletePackage(rob), needsAdministrator);
    expect(await state()).toEqual(before);
    await kit.publish({ name, version: '2.0.0' });
    expect((await setTag('latest', '2.0.0', rob)).status, 'it is there already').toBe(204);
  });

  test('does not concern other tags and the versions that they point at', async () => {
    expect((await publish('2.0.0', { ...dan, tag: 'next' })).status).toBe(200);
    expect((await setTag('beta', '1.1.0', dan)).status).toBe(204);
    expect((await deprecate({ '1.1.0': 'old' }, mia)).status).toBe(200);
    expect((await deleteVersion('1.1.0', mia)).status).toBe(200);
  });

  test('that points there already is set again without a decision', async () => {
    expect((await setTag('latest', '1.0.0', dan)).status).toBe(204);
  });

  test('is decided by role where nothing protects its environment', async () => {
    await guard('latest', 'elsewhere');
    expect((await publish('2.0.0', dan)).status).toBe(200);
  });

  test('is decided by the guard that fits best', async () => {
    await guard('*', 'production');
    await guard('v1-*', 'elsewhere');
    expectRefusal(await setTag('anything', '1.0.0', mia), /dist-tag anything/);
    expect((await setTag('v1-lts', '1.0.0', mia)).status).toBe(204);
  });

  test('is guarded by the group’s protection of the tier, too', async () => {
    const group = { kind: 'group', id: 1 } as const;
    const rules = { name: 'staging', deployLevels: [{ accessLevel: 40 as const }] };
    await kit.registry.environments.protections.protect(systemActor, group, rules);
    await guard('next', 'staging');
    // Both are members of the project alone.
    expectRefusal(
      await publish('2.0.0', { ...mia, tag: 'next' }),
      /The group "local" lets .* deploy to staging environments/,
    );
    await kit.directory.members.add(systemActor, group, { userId: mia.user.id, level: 40, expiresOn: null });
    expect((await publish('2.0.0', { ...mia, tag: 'next' })).status).toBe(200);
  });

  test('gives way as soon as the rules do', async () => {
    await kit.registry.environments.protections.update(systemActor, production, 'production', {
      deployLevels: [{ accessLevel: 30 }],
    });
    expect((await publish('2.0.0', dan)).status).toBe(200);
    await kit.registry.environments.protections.unprotect(systemActor, production, 'production');
    await protect([{ userId: rob.user.id }]);
    expectRefusal(await publish('3.0.0', dan));
  });

  test('is not moved by the approval of a staged version', async () => {
    const body = await makePublishDocument({ name, version: '2.0.0' });
    const path = `${kit.projectPath()}/-/stage`;
    const staged = await kit.send('POST', `${path}/package/${encodeName(name)}`, { token: dan.token, body });
    expect(staged.status).toBe(201);
    const approve = `${path}/${staged.json<{ stageId: string }>().stageId}/approve`;
    await kit.send('POST', approve, { token: dan.token });
    const packument = await kit.get(`${kit.projectPath()}/${encodeName(name)}`);
    expect(packument.json()).toMatchObject({ 'dist-tags': { latest: '1.0.0' } });
    expect((await kit.send('POST', approve, { token: rob.token })).status).toBe(200);
  });

  test('is not deleted through GitLab’s package API', async () => {
    const versions = (await kit.get('/api/v4/projects/1/packages')).json<{ id: number; version: string }[]>();
    const { id = 0 } = versions.find(({ version }) => version === '1.0.0') ?? {};
    const answer = await kit.send('DELETE', `/api/v4/projects/1/packages/${id}`, { token: mia.token });
    expect([answer.status, answer.json()]).toEqual([
      403,
      { message: expect.stringMatching(/^403 Forbidden - The dist-tag latest of @local\/app/) },
    ]);
  });
});

describe('the latest that nobody set', () => {
  beforeEach(async () => {
    await kit.registry.packages.editor.removeTag(packageId(), 'latest', systemActor);
  });
  const packageId = () => kit.registry.packages.store.findPackage(1, name)?.id ?? 0;

  test('is not moved by a higher version under another tag', async () => {
    expectRefusal(await publish('2.0.0', { ...dan, tag: 'beta' }), /dist-tag latest/);
    expect((await publish('1.0.5', { ...dan, tag: 'beta' })).status).toBe(200);
  });

  test('guards the version that it means', async () => {
    expectRefusal(await deleteVersion('1.1.0', mia), /dist-tag latest/);
    expect((await deleteVersion('1.0.0', mia)).status).toBe(200);
  });

  test('is not given by the first version of a package', async () => {
    expectRefusal(await publish('1.0.0', { ...dan, as: '@local/new', tag: 'beta' }), /dist-tag latest of @local\/new/);
    expect((await kit.get(`${kit.projectPath()}/@local%2fnew`)).status).toBe(404);
  });
});

describe('the text of a refusal', () => {
  test('names at most five people, all of them members', async () => {
    const boss = await kit.user({ username: 'boss', isAdmin: true });
    await protect([{ accessLevel: 30 }], 'open');
    for (let count = 0; count < 6; count += 1) {
      const { user } = await kit.user({ username: `dev${count}` });
      await kit.member(1, user.id, 30);
    }
    const reader = await kit.user({ username: 'reader' });
    await kit.member(1, reader.user.id, 30);
    const named = kit.registry.environments.access.deployingMembers(1, 'open', 5).map(({ username }) => username);
    expect(named).toHaveLength(5);
    expect(named).not.toContain(boss.user.username);
  });

  test('does not name a group that the caller may not know of', async () => {
    const hidden = await kit.registry.people.groups.create(systemActor, {
      name: 'Secret team',
      path: 'secret-team',
      parentId: null,
      description: '',
      visibility: 'private',
    });
    await kit.directory.shares.add(systemActor, production, { groupId: hidden.id, level: 30, expiresOn: null });
    await kit.registry.environments.protections.protect(systemActor, production, {
      name: 'vault',
      deployLevels: [{ groupId: hidden.id }],
    });
    await guard('latest', 'vault');
    const answer = await publish('2.0.0', dan);
    expectRefusal(answer, `group ${hidden.id}`);
    expect(answer.text).not.toContain('ecret');
  });

  test.each([
    ['got (https://github.com/sindresorhus/got)', /^The dist-tag latest of @local\/app/],
    ['npm/12.2.0 node/v24.21.0', /^Forbidden$/],
  ])('is in the status line for clients that print nothing else: %s', async (agent, expected) => {
    const statusLine = new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${mia.token}`, 'user-agent': agent };
      const sent = request(kit.origin + tagPath('latest'), { method: 'DELETE', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusMessage);
      });
      sent.on('error', reject).end();
    });
    expect(await statusLine).toMatch(expected);
  });
});

describe('the same package in another project of the group', () => {
  let other = 0;
  beforeEach(async () => {
    other = (await kit.project({ path: 'other' })).id;
    await kit.member(other, dan.user.id, 30);
  });

  test('does not move a guarded tag at the shared prefixes', async () => {
    expectRefusal(await publish('9.9.9', { ...dan, projectId: other }), /production of local\/packages/);
    expect((await publish('9.9.9', { ...dan, projectId: other, tag: 'beta' })).status).toBe(200);
    const packument = await kit.get(`${kit.groupPath('local')}/${encodeName(name)}`);
    expect(packument.json()).toMatchObject({ 'dist-tags': { latest: '1.0.0', beta: '9.9.9' } });
  });

  test('holds nobody back who had the package first', async () => {
    await kit.publish({ name: '@local/mine', version: '1.0.0' });
    await kit.publish({ name: '@local/mine', version: '0.1.0', projectId: other, tag: 'old' });
    await kit.registry.environments.protections.protect(
      systemActor,
      { kind: 'project', id: other },
      { name: 'trap', deployLevels: [{ accessLevel: 60 }] },
    );
    await guard('*', 'trap', other);
    expect((await publish('1.1.0', { ...rob, as: '@local/mine' })).status).toBe(200);
  });

  test('is refused without a word about a project that the caller may not know of', async () => {
    const eve = await kit.user({ username: 'eve' });
    await kit.member(other, eve.user.id, 30);
    const answer = await publish('9.9.9', { ...eve, projectId: other });
    expectRefusal(answer, /guarded in another project of the same group/);
    expect(answer.text).not.toMatch(/production|local\/packages|rob/);
  });
});
