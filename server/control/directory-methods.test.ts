import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tokenLabel } from '../contract/constants.ts';
import { methods } from '../contract/methods.ts';
import type { MethodName, MethodParams, MethodResult } from '../contract/methods.ts';
import type { Actor } from '../accounts/change.ts';
import { openRegistry, type OpenRegistry } from '../compose.ts';
import { callMethod } from './call-method.ts';
import { createDirectoryMethods } from './directory-methods.ts';
import { createEnvironmentMethods } from './environment-methods.ts';

const actor: Actor = { userId: 1, username: 'root', origin: 'window', address: null };

let folder: string;
let registry: OpenRegistry;
let heard: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-control-'));
  registry = await openRegistry({ dataDir: folder });
  heard = [];
  registry.events.subscribe(({ topic }) => heard.push(topic));
});
afterEach(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

/** A call as the control link makes it: both ends are held to the contract. */
async function call<M extends Extract<MethodName, `directory.${string}` | `environments.${string}`>>(
  method: M,
  params: MethodParams<M>,
): Promise<MethodResult<M>> {
  const table = {
    ...createDirectoryMethods(registry.people, actor, registry.packages.store),
    ...createEnvironmentMethods({ directory: registry.people, environments: registry.environments }, actor),
  };
  const [caller = 'window'] = methods[method].callers;
  const value = await callMethod(table, caller, method, params);
  return methods[method].output.parse(value) as MethodResult<M>;
}

async function person(username: string) {
  return call('directory.createUser', { username, name: username.toUpperCase(), email: `${username}@example.test` });
}

function createEnvironment(name: string) {
  const { environments } = registry.environments;
  return environments.create(actor, 1, { name, tier: null, externalUrl: null, description: null });
}

const local = { kind: 'group', id: 1 } as const;
const project = { kind: 'project', id: 1 } as const;

describe('people in the window', () => {
  it('are made, changed, blocked and deleted', async () => {
    const ann = await person('ann');
    expect(ann).toMatchObject({ username: 'ann', isAdmin: false, lastUsedAt: null });
    expect(await call('directory.updateUser', { userId: ann.id, name: 'Ann' })).toMatchObject({ name: 'Ann' });
    expect(await call('directory.setUserBlocked', { userId: ann.id, blocked: true })).toMatchObject({
      state: 'blocked',
    });
    expect(await call('directory.users', { search: 'ANN' })).toHaveLength(1);
    await call('directory.deleteUser', { userId: ann.id });
    expect(await call('directory.users', {})).toHaveLength(1);
    await expect(call('directory.deleteUser', { userId: 1 })).rejects.toThrow(/last active administrator/);
  });

  it('have members shown with where their access comes from', async () => {
    const [ann, bob] = [await person('ann'), await person('bob')];
    const group = await call('directory.createGroup', { name: 'Team', path: 'team' });
    await call('directory.addMember', { container: { kind: 'group', id: group.id }, userId: bob.id, level: 50 });
    await call('directory.addShare', { container: project, groupId: group.id, level: 30 });
    expect(await call('directory.addMember', { container: local, userId: ann.id, level: 20 })).toMatchObject({
      direct: true,
      level: 20,
    });
    expect(await call('directory.members', { container: project })).toMatchObject([
      { user: { username: 'root' }, level: 50, direct: false, source: { fullPath: 'local' }, throughGroup: null },
      { user: { username: 'ann' }, level: 20, direct: false },
      { user: { username: 'bob' }, level: 30, direct: false, throughGroup: { fullPath: 'team' } },
    ]);
    expect(await call('directory.shares', { container: project })).toMatchObject([
      { level: 30, group: { name: 'Team' } },
    ]);
    expect(await call('directory.ruleCandidates', { projectId: 1 })).toMatchObject({
      users: [{ username: 'root' }, { username: 'bob' }],
      groups: [{ fullPath: 'team' }],
    });
    expect(await call('directory.groups', {})).toMatchObject([
      { fullPath: 'local', memberCount: 2, projectCount: 1 },
      { fullPath: 'team', memberCount: 2, projectCount: 0 },
    ]);
    const invited = { container: project, groupId: group.id };
    await call('directory.updateShare', { ...invited, level: 20, expiresOn: '2999-01-01' });
    expect(await call('directory.shares', { container: project })).toMatchObject([
      { level: 20, expiresOn: '2999-01-01' },
    ]);
    expect(await call('directory.members', { container: project })).toContainEqual(
      expect.objectContaining({ level: 20, throughGroup: expect.objectContaining({ fullPath: 'team' }) }),
    );
    expect((await call('directory.audit', { limit: 1 })).rows).toMatchObject([
      { action: 'share.updated', before: { role: 'Developer' }, after: { role: 'Reporter', expires_on: '2999-01-01' } },
    ]);
    await expect(call('directory.updateShare', { ...invited, level: 20, expiresOn: '2001-01-01' })).rejects.toThrow();
    await call('directory.removeShare', invited);
    await expect(call('directory.updateShare', { ...invited, level: 30, expiresOn: null })).rejects.toThrow(
      'This group is not invited.',
    );
    expect(await call('directory.removeMember', { container: local, userId: ann.id })).toEqual({ isAlone: true });
    expect(await call('directory.members', { container: project })).toHaveLength(1);
  });

  it('say of a removed role whether adding it again restores everything', async () => {
    const ann = await person('ann');
    const remove = (container: typeof local | typeof project) =>
      call('directory.removeMember', { container, userId: ann.id });
    const add = (container: typeof local | typeof project, level: 30 | 40) =>
      call('directory.addMember', { container, userId: ann.id, level });
    await add(project, 40);
    expect(await remove(project)).toEqual({ isAlone: true });
    await add(local, 30);
    await add(project, 40);
    expect(await remove(local)).toEqual({ isAlone: false });
    expect(await call('directory.members', { container: project })).toHaveLength(1);
  });

  it('keep a direct role in sight, and removable, beside a stronger one from elsewhere', async () => {
    const [ann, bob] = [await person('ann'), await person('bob')];
    const group = await call('directory.createGroup', { name: 'Team', path: 'team' });
    const team = { kind: 'group', id: group.id } as const;
    for (const { id } of [ann, bob]) await call('directory.addMember', { container: project, userId: id, level: 20 });
    await call('directory.addMember', { container: team, userId: ann.id, level: 40 });
    await call('directory.addShare', { container: project, groupId: group.id, level: 40 });
    const direct = { direct: true, level: 20, throughGroup: null, source: { fullPath: 'local/packages' } };
    const root = { user: { username: 'root' }, direct: false, level: 50 };
    const inherited = { user: { username: 'ann' }, direct: false, level: 40, throughGroup: { fullPath: 'team' } };
    expect(await call('directory.members', { container: project })).toMatchObject([
      { user: { username: 'ann' }, ...direct },
      { user: { username: 'bob' }, ...direct },
      root,
      inherited,
    ]);
    const change = { container: project, userId: ann.id, level: 30, expiresOn: null } as const;
    expect(await call('directory.updateMember', change)).toMatchObject({ direct: true, level: 30 });
    await call('directory.removeMember', { container: project, userId: ann.id });
    expect(await call('directory.members', { container: project })).toMatchObject([
      { user: { username: 'bob' }, ...direct },
      root,
      inherited,
    ]);
    // A direct role that is at least as strong as the other stands alone.
    await call('directory.addMember', { container: project, userId: ann.id, level: 50 });
    expect(await call('directory.members', { container: project })).toHaveLength(3);
  });

  it('are shown with all that they reach, and where it comes from', async () => {
    const [ann, bob] = [await person('bea'), await person('ann')];
    const group = await call('directory.createGroup', { name: 'Team', path: 'team' });
    const team = { kind: 'group', id: group.id } as const;
    await call('directory.addMember', { container: team, userId: ann.id, level: 40, expiresOn: '2999-01-01' });
    await call('directory.addShare', { container: project, groupId: group.id, level: 30 });
    await call('directory.addMember', { container: project, userId: ann.id, level: 20 });
    const inProject = { container: { ...project, fullPath: 'local/packages' }, user: { username: 'bea' } };
    expect(await call('directory.userAccess', { userId: ann.id })).toMatchObject([
      { container: { ...team, fullPath: 'team' }, level: 40, direct: true, expiresOn: '2999-01-01' },
      { ...inProject, level: 30, direct: false, throughGroup: { fullPath: 'team' }, expiresOn: '2999-01-01' },
      { ...inProject, level: 20, direct: true, throughGroup: null, expiresOn: null },
    ]);
    expect(await call('directory.userAccess', { userId: 1 })).toMatchObject([
      { container: { fullPath: 'local' }, direct: true },
      { container: { fullPath: 'team' }, direct: true },
      { ...inProject, user: { username: 'root' }, direct: false, source: { fullPath: 'local' } },
    ]);
    expect(await call('directory.userAccess', { userId: bob.id })).toEqual([]);
    // Users are listed by name.
    expect((await call('directory.users', {})).map(({ name }) => name)).toEqual(['Administrator', 'ANN', 'BEA']);
  });

  it('get tokens that are shown once, rotate and end', async () => {
    const made = await call('directory.createToken', { userId: 1, name: 'laptop', scopes: ['api'] });
    expect(registry.directory.authenticate(made.secret).user.username).toBe('root');
    // Not written yet.
    const [used] = (await call('directory.tokens', {})).filter(({ id }) => id === made.token.id);
    expect(used?.lastUsedAt).toBeGreaterThanOrEqual(made.token.createdAt);
    expect((await call('directory.users', {}))[0]?.lastUsedAt).toBe(used?.lastUsedAt);
    const rotated = await call('directory.rotateToken', { tokenId: made.token.id });
    expect(rotated.token).toMatchObject({ name: 'laptop', expiresOn: null, hint: rotated.secret.slice(-4) });
    expect(() => registry.directory.authenticate(made.secret)).toThrow(/revoked/);
    await call('directory.revokeToken', { tokenId: rotated.token.id });
    expect((await call('directory.tokens', { userId: 1 })).map((token) => token.state)).toEqual([
      'revoked',
      'revoked',
      'active',
    ]);
  });

  it('have projects made, moved and deleted', async () => {
    const made = await call('directory.createProject', { name: 'Shop', path: 'shop', namespaceId: 1 });
    expect(made).toMatchObject({ fullPath: 'local/shop', namespaceKind: 'group', visibility: 'private' });
    const changed = await call('directory.updateProject', { projectId: made.id, path: 'store', visibility: 'public' });
    expect(changed).toMatchObject({ fullPath: 'local/store', visibility: 'public' });
    expect(await call('directory.updateGroup', { groupId: 1, path: 'here' })).toMatchObject({ fullPath: 'here' });
    expect((await call('directory.projectDetails', {})).map((row) => row.fullPath)).toEqual([
      'here/packages',
      'here/store',
    ]);
    await call('directory.deleteProject', { projectId: made.id });
    await call('directory.deleteGroup', { groupId: 1 });
    expect(await call('directory.projects', {})).toEqual([]);
  });
});

describe('environments in the window', () => {
  it('are protected, changed as a whole, and refused when somebody else was faster', async () => {
    const made = await call('environments.protect', { projectId: 1, name: 'production', rules: [{ accessLevel: 40 }] });
    const rules = [{ accessLevel: 40 as const }, { userId: 1 }];
    const changed = await call('environments.replaceRules', {
      projectId: 1,
      name: 'production',
      rules,
      updatedAt: made.updatedAt,
    });
    expect(changed.rules).toMatchObject([made.rules[0], { kind: 'user', userId: 1, description: 'Administrator' }]);
    const late = call('environments.replaceRules', {
      projectId: 1,
      name: 'production',
      rules: [],
      updatedAt: made.updatedAt,
    });
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    const none = call('environments.replaceRules', {
      projectId: 1,
      name: 'production',
      rules: [],
      updatedAt: changed.updatedAt,
    });
    await expect(none).rejects.toMatchObject({ code: 'unprocessable' });
    expect(await call('environments.listProtected', { projectId: 1 })).toEqual([changed]);
    expect(heard).toEqual(['environments.changed', 'environments.changed']);
  });

  it('say who may deploy where, and why', async () => {
    const ann = await person('ann');
    await call('directory.addMember', { container: project, userId: ann.id, level: 30 });
    await createEnvironment('staging');
    await call('environments.protect', { projectId: 1, name: 'production', rules: [{ accessLevel: 60 }] });
    expect(await call('environments.access', { projectId: 1 })).toMatchObject([
      { environment: 'production', protected: true, users: [{ user: { username: 'root' } }] },
      {
        environment: 'staging',
        protected: false,
        users: [{ user: { username: 'root' } }, { user: { username: 'ann' } }],
      },
    ]);
    expect(await call('environments.decide', { projectId: 1, name: 'production', userId: ann.id })).toMatchObject({
      allowed: false,
      reason: 'No rule of production allows @ann, who has the Developer role.',
    });
  });

  it('list the protected environments that a user may deploy to, with the rule of each', async () => {
    const [ann, bob] = [await person('ann'), await person('bob')];
    await call('directory.addMember', { container: project, userId: ann.id, level: 40 });
    await createEnvironment('testing');
    await createEnvironment('staging');
    await call('environments.protect', { groupId: 1, name: 'staging', rules: [{ accessLevel: 60 }] });
    await call('environments.protect', { projectId: 1, name: 'closed', rules: [{ accessLevel: 60 }] });
    await call('environments.protect', { projectId: 1, name: 'production', rules: [{ userId: ann.id }] });
    const targetsOf = (userId: number) => call('environments.targetsOf', { userId });
    expect(await targetsOf(ann.id)).toEqual([
      {
        project: { id: 1, fullPath: 'local/packages' },
        environment: 'production',
        right: 'deploy',
        reason: 'The rules of production allow @ann by name.',
        rule: expect.objectContaining({ userId: ann.id }) as unknown,
      },
    ]);
    expect(await targetsOf(bob.id)).toEqual([]);
    const closed = { environment: 'closed', rule: null };
    expect(await targetsOf(1)).toMatchObject([closed, { environment: 'production' }, { environment: 'staging' }]);
    await call('directory.setUserBlocked', { userId: ann.id, blocked: true });
    expect(await targetsOf(ann.id)).toEqual([]);
    await expect(targetsOf(99)).rejects.toMatchObject({ code: 'user_not_found' });
  });

  it('list the protected environments where a user may only approve, too', async () => {
    const [ann, bob] = [await person('ann'), await person('bob')];
    for (const { id } of [ann, bob]) await call('directory.addMember', { container: project, userId: id, level: 30 });
    const approvalRules = [{ userId: ann.id, requiredApprovals: 1 }];
    await call('environments.protect', {
      projectId: 1,
      name: 'production',
      rules: [{ userId: bob.id }],
      approvalRules,
    });
    const targetsOf = (userId: number) => call('environments.targetsOf', { userId });
    expect(await targetsOf(ann.id)).toEqual([
      {
        project: { id: 1, fullPath: 'local/packages' },
        environment: 'production',
        right: 'approve',
        reason: 'The approval rules of production allow @ann by name.',
        rule: expect.objectContaining({ userId: ann.id }) as unknown,
      },
    ]);
    expect(await targetsOf(bob.id)).toMatchObject([{ right: 'deploy' }]);
    expect(await targetsOf(1)).toMatchObject([
      { right: 'deploy', rule: null },
      { right: 'approve', rule: null },
    ]);
    await call('directory.setUserBlocked', { userId: ann.id, blocked: true });
    expect(await targetsOf(ann.id)).toEqual([]);
  });

  it('keep approval rules by id, change and add some, and leave them alone where only deploy rules are sent', async () => {
    const ann = await person('ann');
    await call('directory.addMember', { container: project, userId: ann.id, level: 30 });
    const made = await call('environments.protect', {
      projectId: 1,
      name: 'production',
      rules: [{ accessLevel: 40 }],
      approvalRules: [
        { accessLevel: 40, requiredApprovals: 2 },
        { userId: ann.id, requiredApprovals: 1 },
      ],
    });
    expect(made.approvalRules).toMatchObject([
      { kind: 'role', description: 'Maintainers', requiredApprovals: 2 },
      { kind: 'user', description: 'ANN', requiredApprovals: 1 },
    ]);
    const target = { projectId: 1, name: 'production', rules: [{ accessLevel: 60 as const }] };
    const later = await call('environments.replaceRules', { ...target, updatedAt: made.updatedAt });
    expect(later.approvalRules).toEqual(made.approvalRules);
    const [first] = made.approvalRules;
    if (first === undefined) throw new Error('There is no approval rule.');
    const changed = await call('environments.replaceRules', {
      ...target,
      updatedAt: later.updatedAt,
      approvalRules: [
        { id: first.id, requiredApprovals: 3, groupInheritanceType: 0 },
        { accessLevel: 60, requiredApprovals: 1 },
      ],
    });
    expect(changed.approvalRules).toMatchObject([
      { id: first.id, accessLevel: 40, requiredApprovals: 3 },
      { accessLevel: 60, requiredApprovals: 1 },
    ]);
  });

  it('protect tiers in a group, by those who may be named there', async () => {
    const [ann, bob] = [await person('ann'), await person('bob')];
    await call('directory.addMember', { container: local, userId: ann.id, level: 40 });
    await call('directory.addMember', { container: local, userId: bob.id, level: 30 });
    const crew = await call('directory.createGroup', { name: 'Crew', path: 'crew', parentId: 1 });
    await call('directory.createGroup', { name: 'Strangers', path: 'elsewhere' });
    expect(await call('directory.ruleCandidates', { groupId: 1 })).toMatchObject({
      users: [{ username: 'root' }, { username: 'ann' }],
      groups: [{ fullPath: 'local' }, { fullPath: 'local/crew' }],
    });
    const group = { groupId: 1, name: 'staging' };
    const made = await call('environments.protect', {
      ...group,
      rules: [{ userId: ann.id }],
      approvalRules: [{ groupId: crew.id, requiredApprovals: 2 }],
    });
    expect(made).toMatchObject({ name: 'staging', tier: 'staging', approvalRules: [{ requiredApprovals: 2 }] });
    expect(await call('environments.listInherited', { projectId: 1 })).toMatchObject([{ tier: 'staging' }]);
    const changed = await call('environments.replaceRules', {
      ...group,
      rules: [{ accessLevel: 40 }],
      updatedAt: made.updatedAt,
    });
    expect(await call('environments.listProtected', { groupId: 1 })).toEqual([changed]);
    expect(await call('environments.listProtected', { projectId: 1 })).toEqual([]);
    await expect(
      call('environments.protect', { ...group, name: 'live', rules: [{ accessLevel: 40 }] }),
    ).rejects.toThrow('Name must be one of environment tiers');
    await expect(
      call('environments.protect', { ...group, name: 'testing', rules: [{ userId: bob.id }] }),
    ).rejects.toThrow('does not have Maintainer access to the group');
    await call('environments.unprotect', group);
    expect(await call('environments.listProtected', { groupId: 1 })).toEqual([]);
    await expect(call('environments.listProtected', { groupId: 99 })).rejects.toMatchObject({
      code: 'group_not_found',
    });
  });

  it('show what the groups above protect, and name the group whose rule refuses', async () => {
    const ann = await person('ann');
    await call('directory.addMember', { container: project, userId: ann.id, level: 40 });
    const group = { kind: 'group', id: 1 } as const;
    await registry.environments.protections.protect(actor, group, {
      name: 'production',
      deployLevels: [{ accessLevel: 60 }],
      approvalRules: [{ accessLevel: 40 }],
    });
    await call('environments.protect', { projectId: 1, name: 'live', rules: [{ accessLevel: 40 }] });
    expect(await call('environments.listProtected', { projectId: 1 })).toMatchObject([
      { name: 'live', tier: 'production' },
    ]);
    expect(await call('environments.listInherited', { projectId: 1 })).toMatchObject([
      {
        group: { id: 1, fullPath: 'local' },
        tier: 'production',
        rules: [{ accessLevel: 60 }],
        approvalRules: [{ accessLevel: 40, requiredApprovals: 1 }],
      },
    ]);
    expect(await call('environments.decide', { projectId: 1, name: 'live', userId: ann.id })).toMatchObject({
      allowed: false,
      reason: 'The group "local" lets others deploy to production environments, not @ann.',
    });
  });

  it('have every change in the audit trail, from which it can be undone', async () => {
    const made = await call('environments.protect', { projectId: 1, name: 'production', rules: [{ accessLevel: 40 }] });
    const updatedAt = made.updatedAt;
    await call('environments.replaceRules', {
      projectId: 1,
      name: 'production',
      rules: [{ accessLevel: 60 }],
      updatedAt,
    });
    await call('environments.unprotect', { projectId: 1, name: 'production' });
    const trail = await call('directory.audit', { projectId: 1, search: 'environment.' });
    expect(trail.rows.map((row) => row.action)).toEqual([
      'environment.unprotected',
      'environment.rules_changed',
      'environment.protected',
    ]);
    const [unprotected, changed, first] = trail.rows.map((row) => row.id);
    await expect(call('environments.undo', { auditId: changed ?? 0 })).rejects.toMatchObject({ code: 'conflict' });
    const levels = async () =>
      (await call('environments.listProtected', { projectId: 1 })).flatMap((row) =>
        row.rules.map((rule) => rule.accessLevel),
      );
    await call('environments.undo', { auditId: unprotected ?? 0 });
    expect(await levels()).toEqual([60]);
    await call('environments.undo', { auditId: changed ?? 0 });
    expect(await levels()).toEqual([40]);
    await call('environments.undo', { auditId: first ?? 0 });
    expect(await levels()).toEqual([]);
  });

  it('are not offered to be undone where a user, group or project of the former rules is gone', async () => {
    const [ann, bob] = [await person('ann'), await person('bob')];
    const made = await call('directory.createGroup', { name: 'Crew', path: 'crew' });
    const join = (userId: number) => call('directory.addMember', { container: project, userId, level: 30 });
    for (const { id } of [ann, bob]) await join(id);
    await call('directory.addShare', { container: project, groupId: made.id, level: 30 });
    const protect = (name: string, rule: { userId: number } | { groupId: number }) =>
      call('environments.protect', {
        projectId: 1,
        name,
        rules: [{ accessLevel: 40 }],
        approvalRules: [{ ...rule, requiredApprovals: 1 }],
      });
    await protect('a', { userId: ann.id });
    await protect('b', { userId: bob.id });
    await protect('c', { groupId: made.id });
    await call('directory.deleteUser', { userId: ann.id });
    await call('directory.removeMember', { container: project, userId: bob.id });
    await call('directory.deleteGroup', { groupId: made.id });
    const refusals = { a: 'ANN was deleted.', b: 'BOB no longer has the role that rules of the project ask for.' };
    const { rows } = await call('directory.audit', { search: 'environment.rules_changed' });
    expect(rows.map(({ target, isLost }) => [target.name, isLost])).toEqual([
      ['c', true],
      ['b', true],
      ['a', true],
    ]);
    for (const { id, target } of rows) {
      const message = { ...refusals, c: 'Crew was deleted.' }[target.name];
      await expect(call('environments.undo', { auditId: id })).rejects.toMatchObject({
        code: 'unprocessable',
        message,
      });
    }
    // With the user back as a member the rules can be, too.
    await join(bob.id);
    const again = await call('directory.audit', { search: 'environment.rules_changed' });
    expect(again.rows.map(({ isLost }) => isLost)).toEqual([true, false, true]);
    await call('environments.undo', { auditId: rows[1]?.id ?? 0 });
  });

  it('page through the audit trail', async () => {
    for (const name of ['a1', 'b2', 'c3']) await createEnvironment(name);
    const first = await call('directory.audit', { projectId: 1, limit: 2 });
    expect(first.rows.map((row) => row.target.name)).toEqual(['c3', 'b2']);
    const second = await call('directory.audit', { projectId: 1, limit: 3, beforeId: first.nextBeforeId });
    expect(second.rows.map((row) => row.target.name)).toEqual(['a1', 'local/packages']);
    expect(second.nextBeforeId).toBeNull();
  });

  it('are listed in the order of their names, with numbers by their value', async () => {
    for (const username of ['user-10', 'user-9']) {
      const { id } = await person(username);
      await call('directory.addMember', { container: project, userId: id, level: 30 });
      await call('directory.createGroup', { name: username, path: `group-${username}` });
      await call('environments.protect', { projectId: 1, name: username, rules: [{ accessLevel: 40 }] });
    }
    const numbers = (names: readonly string[]) => names.flatMap((name) => /\d+$/.exec(name)?.[0] ?? []);
    expect(numbers((await call('directory.users', {})).map(({ username }) => username))).toEqual(['9', '10']);
    const members = await call('directory.members', { container: project });
    expect(numbers(members.map(({ user }) => user.username))).toEqual(['9', '10']);
    expect(numbers((await call('directory.groups', {})).map(({ fullPath }) => fullPath))).toEqual(['9', '10']);
    const targets = await call('environments.targetsOf', { userId: 1 });
    const listed = await call('environments.listProtected', { projectId: 1 });
    const access = await call('environments.access', { projectId: 1 });
    for (const names of [targets.map(({ environment }) => environment), listed.map(({ name }) => name)])
      expect(numbers(names)).toEqual(['9', '10']);
    expect(numbers(access.map(({ environment }) => environment))).toEqual(['9', '10']);
  });

  it('are refused with the field that is taken', async () => {
    await person('ann');
    const like = (more: { username?: string; email?: string }) =>
      call('directory.createUser', { username: 'bob', name: 'Bob', email: 'bob@example.test', ...more });
    const taken = (field: string) => ({
      code: 'conflict',
      details: { fields: { [field]: ['has already been taken'] } },
    });
    await expect(like({ email: 'ann@example.test' })).rejects.toMatchObject(taken('email'));
    await expect(like({ username: 'ann' })).rejects.toMatchObject(taken('username'));
  });

  it('find the creation and the end of a token with what it did, and not those of another of its name', async () => {
    const make = () => call('directory.createToken', { userId: 1, name: 'laptop', scopes: ['api'] });
    const { token } = await make();
    const other = await make();
    await call('directory.revokeToken', { tokenId: token.id });
    const actionsOf = async (search: string) =>
      (await call('directory.audit', { search })).rows.map(({ action, target }) => [action, target.id]);
    expect(await actionsOf(tokenLabel(token))).toEqual([
      ['token.revoked', token.id],
      ['token.created', token.id],
    ]);
    expect(await actionsOf(tokenLabel(other.token))).toEqual([['token.created', other.token.id]]);
  });

  it('narrow the audit trail by kind and by person', async () => {
    const ann = await person('ann');
    await createEnvironment('a1');
    const { environments } = registry.environments;
    const byAnn: Actor = { userId: ann.id, username: 'ann', origin: 'http', address: '127.0.0.1' };
    await environments.create(byAnn, 1, { name: 'b2', tier: null, externalUrl: null, description: null });
    const names = async (filter: MethodParams<'directory.audit'>) =>
      (await call('directory.audit', filter)).rows.map((row) => row.target.name);
    expect(await names({ kind: 'environments' })).toEqual(['b2', 'a1']);
    expect(await names({ actorId: ann.id })).toEqual(['b2']);
    expect(await names({ actorId: 1, kind: 'environments' })).toEqual(['a1']);
    expect(await names({ kind: 'people', actorId: ann.id })).toEqual([]);
    expect((await call('directory.audit', { kind: 'people' })).rows[0]).toMatchObject({ action: 'user.created' });
    expect(await names({ kind: 'registry' })).toEqual([]);
  });

  it('keep their rules in a file', async () => {
    await call('environments.protect', {
      projectId: 1,
      name: 'production',
      rules: [{ accessLevel: 40 }, { userId: 1 }],
    });
    const { yaml } = await call('environments.exportRules', { projectId: 1 });
    expect(yaml).toContain('- name: production');
    expect(await call('environments.applyRules', { projectId: 1, yaml })).toMatchObject({
      steps: [{ action: 'keep' }],
    });
    const edited = yaml.replace('role: maintainer', 'role: developer');
    const rehearsed = await call('environments.applyRules', { projectId: 1, yaml: edited, dryRun: true });
    expect(rehearsed).toEqual({
      applied: false,
      guards: [],
      steps: [{ action: 'change', environment: 'production', add: ['role developer'], remove: ['role maintainer'] }],
    });
    expect((await call('environments.exportRules', { projectId: 1 })).yaml).toBe(yaml);
  });
});
