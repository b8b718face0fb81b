import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../../server/accounts/change.ts';
import type { MemberLevel } from '../../../server/contract/levels.ts';
import { makePublishDocument } from '../../support/publish-document.ts';
import { encodeName, rootToken } from '../../support/registry.ts';
import type { TestUser } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('test');

const name = '@local/app';
const project = { kind: 'project', id: 1 } as const;
let dan: TestUser;
let mia: TestUser;
let rob: TestUser;
let sue: TestUser;

/**
 * `latest` is guarded by production: only administrators deploy there, and a release needs two maintainers and one of security, which is
 * sue alone, a reporter. dan is a developer; mia and rob are maintainers.
 */
beforeEach(async () => {
  const person = async (username: string, level: MemberLevel) => {
    const user = await kit.user({ username });
    await kit.member(1, user.user.id, level);
    return user;
  };
  [dan, mia, rob, sue] = [
    await person('dan', 30),
    await person('mia', 40),
    await person('rob', 40),
    await person('sue', 30),
  ];
  await kit.publish({ name, version: '1.0.0' });
  await kit.registry.environments.protections.protect(systemActor, project, {
    name: 'production',
    deployLevels: [{ accessLevel: 60 }],
    approvalRules: [
      { accessLevel: 40, requiredApprovals: 2 },
      { userId: sue.user.id, requiredApprovals: 1 },
    ],
  });
  // A rule can name a developer, and goes on to name them as a reporter.
  await kit.registry.people.members.update(systemActor, project, { userId: sue.user.id, level: 20, expiresOn: null });
  await kit.registry.guards.guards.set(systemActor, 1, { pattern: 'latest', environment: 'production' });
  await kit.registry.guards.guards.setOnRefusal(systemActor, { id: 1, fullPath: 'local/packages' }, 'stage');
});

const json = { 'content-type': 'application/json' };
const publish = async (version: string, { token }: TestUser, tag = 'latest') =>
  kit.send('PUT', `${kit.projectPath()}/${encodeName(name)}`, {
    token,
    body: await makePublishDocument({ name, version, tag }),
  });
const setTag = (tag: string, version: string, { token }: TestUser) =>
  kit.send('PUT', `${kit.projectPath()}/-/package/${encodeName(name)}/dist-tags/${tag}`, {
    token,
    headers: json,
    body: JSON.stringify(version),
  });
const tags = async () =>
  (await kit.get(`${kit.projectPath()}/${encodeName(name)}`)).json<{ 'dist-tags': Record<string, string> }>()[
    'dist-tags'
  ];
const approve = (id: string, { token }: TestUser) =>
  kit.send('POST', `${kit.projectPath()}/-/stage/${id}/approve`, { token });
const decide = (id: string, { token }: TestUser, body: Record<string, unknown>) =>
  kit.send('POST', `${kit.projectPath()}/-/requests/${id}/approval`, {
    token,
    headers: json,
    body: JSON.stringify(body),
  });
const list = async ({ token }: TestUser) =>
  (await kit.send('GET', `${kit.projectPath()}/-/requests`, { token })).json<{ items: Waiting[] }>().items;
const audit = () => kit.registry.audit.list({}, { offset: 0, limit: 50 }).map(({ action }) => action);

interface Waiting {
  id: string;
  kind: string;
  status: string;
  version: string;
  tags: string[];
  from_version: string | null;
  requested_by: string;
  pending_approval_count: number;
  missing: string | null;
  approvals: { user: { username: string }; comment: string; represented_as: string | null }[];
  approval_summary: {
    rules: { access_level_description: string; required_approvals: number; deployment_approvals: unknown[] }[];
  };
}

async function stage(version = '2.0.0', by = dan): Promise<string> {
  const answer = await publish(version, by);
  expect(answer.status, answer.text).toBe(202);
  return answer.json<{ id: string }>().id;
}

describe('where those who may deploy wait, too', () => {
  beforeEach(async () => {
    await kit.registry.environments.protections.replace(systemActor, project, 'production', {
      deployLevels: [{ accessLevel: 40 }, { userId: dan.user.id }],
      approvalRules: [],
    });
    const settings = { pattern: 'latest', environment: 'production', deployersWait: true };
    await kit.registry.guards.guards.set(systemActor, 1, settings);
  });

  test('what one of them publishes needs the approval of any other of them, and of one alone', async () => {
    const answer = await publish('2.0.0', mia);
    expect(answer.status, answer.text).toBe(202);
    expect(String(answer.headers['npm-notice'])).toMatch(
      /It needs 1 approval for latest\. .*dan.* can approve it, in the inbox/,
    );
    const { id } = answer.json<{ id: string }>();
    expect((await approve(id, mia)).text).toContain('another user has to approve it');
    expect((await approve(id, sue)).status).toBe(403);
    expect(await tags()).toEqual({ latest: '1.0.0' });
    expect((await approve(id, dan)).json()).toMatchObject({ status: 'approved' });
    expect(await tags()).toEqual({ latest: '2.0.0' });
  });

  test('a move of the tag by one of them waits as well, and a publish with another tag does not', async () => {
    expect((await publish('2.0.0', mia, 'next')).status).toBe(200);
    const moved = await setTag('latest', '2.0.0', mia);
    expect(moved.status, moved.text).toBe(202);
    expect(await tags()).toEqual({ latest: '1.0.0', next: '2.0.0' });
    const [waiting] = await list(rob);
    expect(waiting).toMatchObject({ kind: 'tag', requested_by: 'mia', from_version: '1.0.0' });
    expect((await decide(waiting?.id ?? '', rob, { status: 'approved' })).status).toBe(201);
    expect(await tags()).toEqual({ latest: '2.0.0', next: '2.0.0' });
  });

  test('administrators never wait', async () => {
    await kit.publish({ name, version: '2.0.0' });
    expect(await tags()).toEqual({ latest: '2.0.0' });
  });

  test('approval rules decide where there are any', async () => {
    await kit.registry.environments.protections.replace(systemActor, project, 'production', {
      approvalRules: [{ userId: dan.user.id, requiredApprovals: 1 }],
    });
    const id = await stage('2.0.0', mia);
    expect((await approve(id, rob)).status).toBe(403);
    expect((await approve(id, dan)).json()).toMatchObject({ status: 'approved' });
  });

  test('who may deploy gives the environment no other tier, which other approval rules of groups go with', async () => {
    const environments = '/api/v4/projects/1/environments';
    const call = (method: string, path: string, { token }: TestUser, body?: Record<string, unknown>) =>
      kit.send(method, path, { token, headers: json, ...(body && { body: JSON.stringify(body) }) });
    expect((await call('POST', environments, dan, { name: 'production', tier: 'other' })).status).toBe(403);
    const made = await call('POST', environments, dan, { name: 'production' });
    expect(made.status, made.text).toBe(201);
    const path = `${environments}/${made.json<{ id: number }>().id}`;
    expect((await call('PUT', path, dan, { tier: 'production', description: 'Live' })).status).toBe(200);
    expect((await call('PUT', path, dan, { tier: 'other' })).status).toBe(403);
    expect((await call('PUT', path, mia, { tier: 'other' })).json()).toMatchObject({ tier: 'other' });
    // Without the environment, its name would say the tier.
    expect((await call('POST', `${path}/stop`, dan)).status).toBe(200);
    expect((await call('DELETE', path, dan)).status).toBe(403);
    expect((await call('DELETE', path, mia)).status).toBe(204);
  });

  test('the environment need not be protected: any other Developer approves then', async () => {
    await kit.registry.environments.protections.unprotect(systemActor, project, 'production');
    const id = await stage('2.0.0', dan);
    expect((await approve(id, sue)).status, 'a Reporter').toBe(403);
    expect((await approve(id, mia)).json()).toMatchObject({ status: 'approved' });
  });
});

describe('a publish that a guard refuses', () => {
  test('waits for approval, and npm is told that nothing was published', async () => {
    const answer = await publish('2.0.0', dan);
    expect(answer.status).toBe(202);
    const notice = String(answer.headers['npm-notice']);
    expect(notice).toMatch(/^NOT PUBLISHED: @local\/app@2\.0\.0 as "latest" waits for approval\./);
    expect(notice).toContain('2 approvals from Maintainers and 1 approval from User sue');
    expect(notice).toMatch(/mia.* can approve it, in the inbox or with "npm stage approve [0-9a-f-]{36}"\./);
    expect(notice, 'an administrator is asked where there is nobody else').not.toMatch(/\broot\b/);
    // npm prints "+ @local/app@2.0.0" after every success.
    expect(notice).toMatch(/ The line "\+ @local\/app@2\.0\.0" below only means that the request arrived\.$/);
    expect(await tags()).toEqual({ latest: '1.0.0' });
    expect((await kit.get(`${kit.projectPath()}/${encodeName(name)}/2.0.0`)).status).toBe(404);
    expect(await list(dan)).toMatchObject([
      { kind: 'version', version: '2.0.0', requested_by: 'dan', pending_approval_count: 3, tags: ['latest'] },
    ]);
  });

  test('is published by the last approval that its rules need, not before', async () => {
    const id = await stage();
    const first = await approve(id, mia);
    expect(first.status).toBe(200);
    expect(first.json()).toMatchObject({ status: 'pending' });
    expect(first.headers['npm-notice']).toContain('NOT published yet: it still needs 1 approval from Maintainers');
    expect((await decide(id, sue, { status: 'approved', comment: 'scanned' })).status).toBe(201);
    expect(await tags()).toEqual({ latest: '1.0.0' });
    // Twice by one person is one approval.
    expect((await approve(id, mia)).json()).toMatchObject({ status: 'pending' });
    const [waiting] = await list(dan);
    expect(waiting?.approvals.map(({ user, comment }) => [user.username, comment])).toEqual([
      ['mia', ''],
      ['sue', 'scanned'],
    ]);
    expect(waiting?.missing).toBe('1 approval from Maintainers');
    const last = await approve(id, rob);
    expect(last.json()).toMatchObject({ status: 'approved' });
    expect(await tags()).toEqual({ latest: '2.0.0' });
    expect(await list(dan)).toEqual([]);
    expect((await approve(id, rob)).status).toBe(404);
    expect(audit()).toEqual(expect.arrayContaining(['package.staged', 'release.approved', 'package.stage_approved']));
  });

  test('is not approved by who asked for it, nor by whom no rule matches', async () => {
    await kit.member(1, (await kit.user({ username: 'eve' })).user.id, 30);
    const id = await stage('2.0.0', mia);
    const own = await approve(id, mia);
    expect(own.status).toBe(403);
    expect(own.text).toContain('another user has to approve it');
    const other = await approve(id, dan);
    expect(other.status).toBe(403);
    expect(other.text).toContain('Your approval would not count');
    expect(await list(dan)).toMatchObject([{ approvals: [] }]);
  });

  test('is approved by who asked for it where the guard allows it', async () => {
    await kit.registry.guards.guards.set(systemActor, 1, {
      pattern: 'latest',
      environment: 'production',
      allowSelfApproval: true,
    });
    const id = await stage('2.0.0', mia);
    await approve(id, sue);
    await approve(id, rob);
    expect((await approve(id, mia)).json()).toMatchObject({ status: 'approved' });
  });

  test('is decided by the rules and members of now', async () => {
    const id = await stage();
    await approve(id, mia);
    await approve(id, sue);
    // An approver who leaves does not count any more.
    await kit.registry.people.members.remove(systemActor, project, mia.user.id);
    expect(await list(dan)).toMatchObject([{ missing: '2 approvals from Maintainers' }]);
    const { protections } = kit.registry.environments;
    await protections.replace(systemActor, project, 'production', {
      approvalRules: [{ accessLevel: 40, requiredApprovals: 1 }],
    });
    expect((await approve(id, rob)).json()).toMatchObject({ status: 'approved' });
    expect(await tags()).toEqual({ latest: '2.0.0' });
  });

  test('is published by a developer once nothing guards its tag', async () => {
    const id = await stage();
    expect((await approve(id, dan)).status).toBe(403);
    await kit.registry.guards.guards.remove(systemActor, 1, 'latest');
    expect((await approve(id, dan)).json()).toMatchObject({ status: 'approved' });
    expect(await tags()).toEqual({ latest: '2.0.0' });
  });

  test('ends with a rejection, whose reason the audit trail keeps', async () => {
    const id = await stage();
    expect((await decide(id, rob, { status: 'rejected', comment: 'no changelog' })).status).toBe(201);
    expect(await list(dan)).toEqual([]);
    expect((await approve(id, mia)).status).toBe(404);
    const [row] = kit.registry.audit.list({ search: 'package.stage_rejected' }, { offset: 0, limit: 1 });
    expect(row?.after).toMatchObject({ comment: 'no changelog' });
  });

  test('can be taken back by who asked for it', async () => {
    const id = await stage();
    expect((await kit.send('DELETE', `${kit.projectPath()}/-/stage/${id}`, { token: dan.token })).status).toBe(200);
    expect(await list(dan)).toEqual([]);
  });

  test('that came by another way meanwhile is not overwritten', async () => {
    const id = await stage();
    await approve(id, mia);
    await approve(id, sue);
    await kit.publish({ name, version: '2.0.0', tag: 'other' });
    const last = await approve(id, rob);
    expect(last.status).toBe(403);
    expect(last.text).toContain('Package already exists');
    expect(await tags()).toMatchObject({ latest: '1.0.0' });
  });

  test('is published once by two approvals at a time', async () => {
    const id = await stage();
    await approve(id, sue);
    const answers = await Promise.all([approve(id, mia), approve(id, rob)]);
    expect(answers.map((answer) => answer.json<{ status: string }>().status).toSorted()).toEqual([
      'approved',
      'pending',
    ]);
    expect(audit().filter((action) => action === 'package.stage_approved')).toHaveLength(1);
    expect(await tags()).toEqual({ latest: '2.0.0' });
  });

  test('is either published or rejected by two at a time', async () => {
    const id = await stage();
    await approve(id, sue);
    await approve(id, mia);
    const [approved, rejected] = await Promise.all([approve(id, rob), decide(id, mia, { status: 'rejected' })]);
    const published = approved.status === 200;
    expect([approved.status, rejected.status]).toEqual(published ? [200, 404] : [404, 201]);
    expect((await tags())['latest']).toBe(published ? '2.0.0' : '1.0.0');
  });

  test('of a tag that nothing guards is a publish', async () => {
    expect((await publish('2.0.0', dan, 'next')).status).toBe(200);
  });

  test('counts an approval for one rule only, where it says so', async () => {
    const id = await stage();
    expect((await decide(id, mia, { status: 'approved', represented_as: 'User sue' })).status).toBe(422);
    expect((await decide(id, mia, { status: 'approved', represented_as: 'Maintainers' })).status).toBe(201);
    expect(await list(dan)).toMatchObject([
      { approvals: [{ represented_as: 'Maintainers' }], pending_approval_count: 2 },
    ]);
  });
});

describe('a rule that names a group which is hidden from the developer', () => {
  test('is numbered in every answer and in the audit trail, and named to its members', async () => {
    const { groups, members, shares } = kit.registry.people;
    const club = await groups.create(systemActor, {
      name: 'Secret Club',
      path: 'club',
      parentId: null,
      description: '',
      visibility: 'private',
    });
    await members.add(systemActor, { kind: 'group', id: club.id }, { userId: sue.user.id, level: 30, expiresOn: null });
    await shares.add(systemActor, project, { groupId: club.id, level: 30, expiresOn: null });
    await kit.registry.environments.protections.replace(systemActor, project, 'production', {
      approvalRules: [
        { accessLevel: 40, requiredApprovals: 2 },
        { groupId: club.id, groupInheritanceType: 1, requiredApprovals: 1 },
      ],
    });
    const eve = await kit.user({ username: 'eve' });
    await kit.member(1, eve.user.id, 30);
    const published = await publish('2.0.0', dan);
    await kit.publish({ name, version: '1.1.0', tag: 'next' });
    const asked = await setTag('latest', '1.1.0', dan);
    expect([published.status, asked.status]).toEqual([202, 202]);
    const id = published.json<{ id: string }>().id;
    const refused = await approve(id, eve);
    const bySue = await decide(id, sue, { status: 'approved', represented_as: 'Secret Club' });
    expect(bySue.json()).toMatchObject({ approvals: [{ represented_as: 'Secret Club' }], pending_approval_count: 2 });
    const byMia = await decide(asked.json<{ id: string }>().id, mia, { status: 'approved' });
    const seen = await kit.send('GET', `${kit.projectPath()}/-/requests`, { token: dan.token });
    const trail = await kit.send('GET', '/api/v4/projects/1/audit_events?per_page=100', { token: mia.token });
    for (const answer of [published, asked, refused, byMia, seen, trail])
      expect(answer.text).toContain(`group ${club.id}`);
    for (const answer of [published, asked, refused, byMia, seen, trail]) {
      expect(answer.text + JSON.stringify(answer.headers)).not.toContain('ecret');
    }
    // An approval for the hidden rule counts in the list of those who do not see it, too.
    expect(seen.json<{ items: Waiting[] }>().items.find((waiting) => waiting.id === id)).toMatchObject({
      pending_approval_count: 2,
      approvals: [{ represented_as: `group ${club.id}` }],
    });
  });
});

describe('a move of a guarded tag', () => {
  beforeEach(() => kit.publish({ name, version: '1.1.0', tag: 'next' }));

  test('waits for approval, and moves the tag with the last one', async () => {
    const asked = await setTag('latest', '1.1.0', dan);
    expect(asked.status).toBe(202);
    expect(asked.headers['npm-notice']).toMatch(/^NOT MOVED: @local\/app@1\.1\.0 as "latest"/);
    // Twice is once.
    await setTag('latest', '1.1.0', dan);
    const [waiting, ...more] = await list(dan);
    expect(more).toEqual([]);
    expect(waiting).toMatchObject({ kind: 'tag', version: '1.1.0', from_version: '1.0.0', requested_by: 'dan' });
    for (const person of [mia, sue]) await decide(waiting?.id ?? '', person, { status: 'approved' });
    expect((await tags())['latest']).toBe('1.0.0');
    expect((await decide(waiting?.id ?? '', rob, { status: 'approved' })).json()).toMatchObject({ status: 'approved' });
    expect((await tags())['latest']).toBe('1.1.0');
  });

  test('is void once the tag moved otherwise', async () => {
    await setTag('latest', '1.1.0', dan);
    const [waiting] = await list(dan);
    await kit.publish({ name, version: '3.0.0' });
    expect(await list(dan)).toEqual([]);
    expect((await decide(waiting?.id ?? '', mia, { status: 'approved' })).status).toBe(404);
    expect(audit()).toContain('tag.request_void');
  });

  test('can be asked for again in the same moment in which it became void', async () => {
    await setTag('latest', '1.1.0', dan);
    await kit.publish({ name, version: '3.0.0', tag: 'other' });
    const [before] = await list(dan);
    const { packages, releaseRequests, directory } = kit.registry;
    const { id = 0 } = packages.store.findPackage(1, name) ?? {};
    const asDan = { userId: dan.user.id, username: 'dan', origin: 'http', address: null } as const;
    const [, again] = await Promise.all([
      packages.editor.setTag(id, 'latest', '3.0.0', systemActor),
      releaseRequests.moveTag(id, 'latest', '1.1.0', asDan),
    ]);
    expect(directory.isAdministrator(asDan)).toBe(false);
    expect(again).toMatchObject({ subject: { request: { fromVersion: '3.0.0' } }, approvals: [] });
    expect(await list(dan)).toMatchObject([{ id: again?.id, from_version: '3.0.0' }]);
    expect(again?.id).not.toBe(before?.id);
  });

  test('ends with its version, whatever is published under that number next', async () => {
    await setTag('latest', '1.1.0', dan);
    const [waiting] = await list(dan);
    await decide(waiting?.id ?? '', mia, { status: 'approved' });
    const { packages } = kit.registry;
    const { id = 0 } = packages.store.findPackage(1, name) ?? {};
    await Promise.all([
      packages.unpublisher.unpublishVersion(id, '1.1.0', systemActor),
      kit.publish({ name, version: '1.1.0', tag: 'next' }),
    ]);
    expect(await list(dan)).toEqual([]);
    expect((await decide(waiting?.id ?? '', rob, { status: 'approved' })).status).toBe(404);
    expect(audit()).toContain('tag.request_void');
  });

  test('is refused where the project does not say that it waits', async () => {
    await kit.registry.guards.guards.setOnRefusal(systemActor, { id: 1, fullPath: 'local/packages' }, 'refuse');
    expect((await setTag('latest', '1.1.0', dan)).status).toBe(403);
    expect((await publish('2.0.0', dan)).status).toBe(403);
    expect(await list(dan)).toEqual([]);
  });
});

describe('what waits', () => {
  test('is hidden from readers who can neither publish nor approve', async () => {
    const id = await stage();
    const reader = await kit.user({ username: 'reader' });
    await kit.member(1, reader.user.id, 20);
    const stranger = await kit.user({ username: 'stranger' });
    for (const [person, expected] of [
      [reader, 403],
      [stranger, 404],
    ] as const) {
      expect((await kit.send('GET', `${kit.projectPath()}/-/requests`, { token: person.token })).status).toBe(expected);
      expect((await kit.send('GET', `${kit.projectPath()}/-/requests/${id}`, { token: person.token })).status).toBe(
        expected,
      );
      expect((await decide(id, person, { status: 'approved' })).status).toBe(expected);
      const all = await kit.send('GET', `${kit.instancePath}/-/requests`, { token: person.token });
      expect(all.json()).toMatchObject({ items: [], total: 0 });
    }
    expect(await list(sue)).toHaveLength(1);
  });

  test('shows in "npm stage view" what is missing', async () => {
    const id = await stage();
    await approve(id, mia);
    const view = async () => (await kit.send('GET', `${kit.projectPath()}/-/stage/${id}`, { token: dan.token })).json();
    expect(await view()).toMatchObject({
      missing: '1 approval from Maintainers and 1 approval from User sue',
    });
    await kit.registry.guards.guards.remove(systemActor, 1, 'latest');
    expect(await view()).toMatchObject({ missing: '1 approval by a user who may publish' });
  });

  test('asks an administrator, not the one approver, for what that approver asked for', async () => {
    await kit.registry.environments.protections.replace(systemActor, project, 'production', {
      approvalRules: [{ userId: dan.user.id, requiredApprovals: 1 }],
    });
    const id = await stage('3.0.0', dan);
    const missing = async () =>
      (await kit.send('GET', `${kit.projectPath()}/-/requests/${id}`, { token: dan.token })).json<{ missing: string }>()
        .missing;
    expect(await missing()).toBe('1 approval from an administrator (User dan asked)');
    expect((await decide(id, dan, { status: 'approved' })).status).toBe(403);
    await kit.registry.guards.guards.set(systemActor, 1, {
      pattern: 'latest',
      environment: 'production',
      allowSelfApproval: true,
    });
    expect(await missing()).toBe('1 approval from User dan');
  });

  test('numbers a group that the reader may not know of, and counts its approvals all the same', async () => {
    const { people, environments } = kit.registry;
    const group = await people.groups.create(systemActor, {
      name: 'Hidden auditors',
      path: 'hidden',
      parentId: null,
      description: '',
      visibility: 'private',
    });
    await people.members.add(
      systemActor,
      { kind: 'group', id: group.id },
      { userId: rob.user.id, level: 30, expiresOn: null },
    );
    await people.shares.add(systemActor, { kind: 'project', id: 1 }, { groupId: group.id, level: 20, expiresOn: null });
    await environments.protections.replace(systemActor, project, 'production', {
      approvalRules: [
        { groupId: group.id, requiredApprovals: 1 },
        { userId: sue.user.id, requiredApprovals: 1 },
      ],
    });
    const answer = await publish('2.0.0', dan);
    expect(answer.text + String(answer.headers['npm-notice'])).not.toContain('Hidden auditors');
    const { id } = answer.json<{ id: string }>();
    const given = await decide(id, rob, { status: 'approved', represented_as: 'Hidden auditors' });
    expect(given.status, given.text).toBe(201);
    const seen = await kit.send('GET', `${kit.projectPath()}/-/requests/${id}`, { token: dan.token });
    expect(seen.text).not.toContain('Hidden auditors');
    expect(seen.json()).toMatchObject({
      pending_approval_count: 1,
      missing: '1 approval from User sue',
      approvals: [{ represented_as: `group ${group.id}` }],
    });
  });

  test.each([
    ['no status', {}],
    ['another status', { status: 'maybe' }],
    ['a comment that is too long', { status: 'approved', comment: 'x'.repeat(1001) }],
  ])('refuses a decision with %s', async (_, body) => {
    const id = await stage();
    expect((await decide(id, mia, body)).status).toBe(400);
    expect(await list(dan)).toMatchObject([{ approvals: [] }]);
  });
});

describe('the inbox', () => {
  /** Copies of what waits, as if the same user had asked a thousand times. */
  function ask(table: 'staged_versions' | 'tag_requests', varied: string): void {
    const database = new Database(`${kit.dataDir}/gatehouse.db`);
    const columns = database.pragma(`table_info(${table})`) as { name: string }[];
    const copy = columns.map(({ name: column }) => {
      if (column === 'id') return `substr(id, 1, 24) || printf('%012x', n)`;
      return column === varied ? `${column} || n` : column;
    });
    database.exec(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 999)
       INSERT INTO ${table} SELECT ${copy.join(', ')} FROM ${table}, numbers`,
    );
    database.close();
  }

  test('takes no more than a thousand versions of one user', async () => {
    await stage();
    ask('staged_versions', 'version');
    const files = await kit.storedTarballs();
    const refused = await publish('3.0.0', dan);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('1000 of your changes wait for approval');
    expect(await kit.storedTarballs()).toEqual(files);
    expect(await kit.temporaryFiles()).toEqual([]);
    expect((await publish('3.0.0', mia)).status).toBe(202);
    expect(await list(dan)).toHaveLength(20);
  });

  test('takes no more than a thousand requests for tags of one user', async () => {
    await kit.publish({ name, version: '1.1.0', tag: 'next' });
    await kit.registry.guards.guards.set(systemActor, 1, { pattern: 'rc*', environment: 'production' });
    expect((await setTag('rc', '1.1.0', dan)).status).toBe(202);
    ask('tag_requests', 'tag');
    const refused = await setTag('rc-more', '1.1.0', dan);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Take some back');
    expect((await setTag('rc', '1.1.0', dan)).status).toBe(202);
    expect((await setTag('rc-more', '1.1.0', mia)).status).toBe(202);
  });
});

test('a release that a guard of a hidden project holds up says nothing of that project', async () => {
  const other = await kit.project({ path: 'other' });
  const eve = await kit.user({ username: 'eve' });
  await kit.member(other.id, eve.user.id, 30);
  await kit.registry.guards.guards.setOnRefusal(systemActor, { id: other.id, fullPath: 'local/other' }, 'stage');
  const answer = await kit.send('PUT', `${kit.projectPath(other.id)}/${encodeName(name)}`, {
    token: eve.token,
    body: await makePublishDocument({ name, version: '9.0.0' }),
  });
  expect(answer.status, answer.text).toBe(202);
  expect(answer.json<Waiting>()).toMatchObject({ pending_approval_count: 3 });
  const told = `${answer.text} ${String(answer.headers['npm-notice'])}`;
  expect(told).toContain('another project of the group');
  expect(told).not.toMatch(/production|Maintainers|User sue|local\/packages/);
  const waiting = await kit.send('GET', `${kit.instancePath}/-/requests`, { token: eve.token });
  expect(waiting.text).not.toMatch(/production|Maintainers|User sue/);
  // Who may read the guards of that project reads what it asks for: an administrator, and its members from Reporter on.
  await kit.member(1, eve.user.id, 10);
  expect((await kit.send('GET', `${kit.instancePath}/-/requests`, { token: eve.token })).text).not.toMatch(
    /production/,
  );
  const ray = await kit.user({ username: 'ray' });
  await kit.member(1, ray.user.id, 20);
  await kit.member(other.id, ray.user.id, 30);
  for (const token of [ray.token, rootToken]) {
    const seen = await kit.send('GET', `${kit.instancePath}/-/requests`, { token });
    expect(seen.json<{ items: Waiting[] }>().items).toMatchObject([{ environments: [{ name: 'production' }] }]);
    expect(seen.text).not.toContain('another project of the group');
  }
});
