import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../server/accounts/change.ts';
import { TestRegistry } from '../support/registry.ts';
import type { TestUser } from '../support/registry.ts';
import { addUpstream } from '../upstream/support/upstream-registry.ts';
import { examineHealth, finishJob } from './support/maintenance.ts';

let gatehouse: TestRegistry;
let ann: TestUser;
let groupId = 0;
let projectId = 0;
beforeEach(async () => {
  gatehouse = await TestRegistry.start();
  ann = await gatehouse.user({ username: 'ann', password: 'the-first-password', isAdmin: true });
  const group = (await api('POST', '/groups', { name: 'team', path: 'team', visibility: 'public' })).json<{
    id: number;
  }>();
  groupId = group.id;
  const project = { name: 'tool', path: 'tool', namespace_id: groupId, visibility: 'public' };
  projectId = (await api('POST', '/projects', project)).json<{ id: number }>().id;
});
afterEach(() => gatehouse.stop());

async function api(method: string, path: string, body?: unknown, status = /^2/) {
  const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await gatehouse.send(method, `/api/v4${path}`, body === undefined ? {} : json);
  expect(String(answer.status), `${method} ${path}: ${answer.text}`).toMatch(status);
  return answer;
}

async function get<T>(path: string): Promise<T> {
  return (await api('GET', path)).json<T>();
}

/** Takes a snapshot, lets something happen, and goes back to the snapshot. */
async function rewindAfter(happens: () => Promise<unknown>): Promise<void> {
  const { maintenance } = gatehouse.registry;
  await finishJob(gatehouse, maintenance.createSnapshot('then', systemActor));
  await happens();
  await finishJob(gatehouse, maintenance.rewind('then', systemActor));
  expect(await examineHealth(gatehouse)).toEqual([]);
}

async function wayBack(): Promise<void> {
  await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('before-restore', systemActor));
}

const asAnn = (path: string) => gatehouse.get(`/api/v4${path}`, { token: ann.token });

interface Shown {
  is_admin: boolean;
  state: string;
  external: boolean;
}

describe('a rewind gives nobody back', () => {
  const passwordWorks = async (password: string, name = 'ann'): Promise<boolean> => {
    const body = JSON.stringify({ name, password, _id: `org.couchdb.user:${name}`, type: 'user', roles: [] });
    const path = `${gatehouse.projectPath()}/-/user/org.couchdb.user:${name}`;
    const headers = { 'content-type': 'application/json' };
    return (await gatehouse.send('PUT', path, { token: undefined, body, headers })).status === 201;
  };

  test('an old password', async () => {
    await rewindAfter(() => api('PUT', `/users/${ann.user.id}`, { password: 'the-second-password' }));
    expect(await passwordWorks('the-first-password')).toBe(false);
    expect(await passwordWorks('the-second-password')).toBe(true);
  });

  test('the rights of an administrator', async () => {
    await rewindAfter(() => api('PUT', `/users/${ann.user.id}`, { admin: false }));
    expect(await get<Shown>(`/users/${ann.user.id}`)).toMatchObject({ is_admin: false });
  });

  test('an account that was deleted', async () => {
    await rewindAfter(() => gatehouse.directory.users.delete(systemActor, ann.user.id));
    expect((await asAnn('/user')).status).toBe(401);
    await api('GET', `/users/${ann.user.id}`, undefined, /404/);
    expect(await passwordWorks('the-first-password')).toBe(false);
  });

  test('an account that was blocked, or the rights of one that became external', async () => {
    const bob = await gatehouse.user({ username: 'bob' });
    await rewindAfter(async () => {
      await api('POST', `/users/${ann.user.id}/block`);
      await api('PUT', `/users/${bob.user.id}`, { external: true });
    });
    expect((await asAnn('/user')).status).toBeGreaterThanOrEqual(401);
    expect(await get<Shown>(`/users/${bob.user.id}`)).toMatchObject({ external: true, state: 'active' });
  });

  test.each(['projects', 'groups'] as const)('a membership or a higher role in %s', async (kind) => {
    const container = `/${kind}/${kind === 'projects' ? projectId : groupId}`;
    const [bob, cleo] = [await gatehouse.user({ username: 'bob' }), await gatehouse.user({ username: 'cleo' })];
    for (const { user } of [bob, cleo])
      await api('POST', `${container}/members`, { user_id: user.id, access_level: 40 });
    await rewindAfter(async () => {
      await api('DELETE', `${container}/members/${bob.user.id}`);
      await api('PUT', `${container}/members/${cleo.user.id}`, { access_level: 20, expires_at: '2099-01-01' });
    });
    await api('GET', `${container}/members/${bob.user.id}`, undefined, /404/);
    expect(await get(`${container}/members/${cleo.user.id}`)).toMatchObject({
      access_level: 20,
      expires_at: '2099-01-01',
    });
  });

  test.each(['projects', 'groups'] as const)('an invitation of a group to one of the %s', async (kind) => {
    const container = `/${kind}/${kind === 'projects' ? projectId : groupId}`;
    const invited = (await api('POST', '/groups', { name: 'guests', path: 'guests' })).json<{ id: number }>().id;
    await api('POST', `${container}/share`, { group_id: invited, group_access: 30 });
    await rewindAfter(() => api('DELETE', `${container}/share/${invited}`));
    expect(await get(container)).toMatchObject({ shared_with_groups: [] });
  });

  test('what became private, or was public and deleted', async () => {
    const project = { name: 'gone', path: 'gone', namespace_id: groupId, visibility: 'public' };
    const gone = (await api('POST', '/projects', project)).json<{ id: number }>().id;
    await rewindAfter(async () => {
      await api('PUT', `/projects/${projectId}`, { visibility: 'private' });
      await gatehouse.directory.projects.delete(systemActor, gone);
    });
    for (const id of [projectId, gone]) expect(await get(`/projects/${id}`)).toMatchObject({ visibility: 'private' });
  });

  test('a deployment that was forbidden', async () => {
    const environments = `/projects/${projectId}/protected_environments`;
    const levels = [{ access_level: 30 }, { access_level: 40 }];
    await api('POST', environments, { name: 'production', deploy_access_levels: levels });
    await rewindAfter(async () => {
      await api('DELETE', `${environments}/production`);
      await api('POST', environments, {
        name: 'production',
        deploy_access_levels: [{ access_level: 40 }],
        approval_rules: [{ access_level: 40, required_approvals: 2 }],
      });
      await api('POST', environments, { name: 'staging', deploy_access_levels: [{ access_level: 40 }] });
    });
    expect(await get(`${environments}/production`)).toMatchObject({
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ access_level: 40, required_approvals: 2 }],
    });
    expect(await get(`${environments}/staging`)).toMatchObject({ deploy_access_levels: [{ access_level: 40 }] });
  });

  test('a tag whose guard was set or changed', async () => {
    const { guards } = gatehouse.registry.guards;
    const set = (pattern: string, environment: string, deployersWait?: boolean) =>
      guards.set(systemActor, projectId, { pattern, environment, deployersWait });
    const project = gatehouse.directory.projects.get(projectId);
    await set('latest', 'staging');
    await set('next', 'staging');
    await set('v1-lts', 'staging');
    await guards.setOnRefusal(systemActor, project, 'stage');
    await rewindAfter(async () => {
      await set('latest', 'production', true);
      await set('beta', 'production');
      await set('v*', 'production');
      await guards.remove(systemActor, projectId, 'v1-lts');
      await guards.setOnRefusal(systemActor, project, 'refuse');
    });
    const { onRefusal, guards: present } = guards.of(projectId);
    expect(present.map(({ pattern, environment }) => `${pattern} ${environment}`)).toEqual([
      'beta production',
      'latest production',
      'next staging',
      'v* production',
    ]);
    expect(present.filter(({ deployersWait }) => deployersWait).map(({ pattern }) => pattern)).toEqual(['latest']);
    expect(onRefusal).toBe('refuse');
  });

  test('a tag whose guard was removed, which is guarded again', async () => {
    const { guards } = gatehouse.registry.guards;
    await guards.set(systemActor, projectId, { pattern: 'latest', environment: 'production' });
    await rewindAfter(() => guards.remove(systemActor, projectId, 'latest'));
    expect(guards.of(projectId).guards).toMatchObject([{ pattern: 'latest', environment: 'production' }]);
  });

  test('a project by way of a group that was deleted', async () => {
    const bob = await gatehouse.user({ username: 'bob' });
    const top = (await api('POST', '/groups', { name: 'guests', path: 'guests' })).json<{ id: number }>().id;
    const below = { name: 'below', path: 'below', parent_id: top };
    const invited = (await api('POST', '/groups', below)).json<{ id: number }>().id;
    await api('POST', `/groups/${invited}/members`, { user_id: bob.user.id, access_level: 40 });
    await api('PUT', `/projects/${projectId}`, { visibility: 'private' });
    await api('POST', `/projects/${projectId}/share`, { group_id: invited, group_access: 40 });
    const environments = `/projects/${projectId}/protected_environments`;
    await api('POST', environments, { name: 'production', deploy_access_levels: [{ group_id: invited }] });
    const seenByBob = async () => (await gatehouse.get(`/api/v4/projects/${projectId}`, { token: bob.token })).status;
    expect(await seenByBob()).toBe(200);
    await rewindAfter(() => api('DELETE', `/groups/${top}`));
    expect(await seenByBob()).toBe(404);
    expect(await get(`${environments}/production`)).toMatchObject({ deploy_access_levels: [] });
  });

  test('a scope or name that was given to another group or released, nor takes a claim away', async () => {
    const { claims } = gatehouse.directory;
    const ownerOf = (name: string) => claims.all().find((claim) => claim.name === name)?.namespaceId;
    const other = (await api('POST', '/groups', { name: 'other', path: 'other' })).json<{ id: number }>().id;
    await claims.claim(systemActor, ['@moved', '@released'], 'team');
    await rewindAfter(async () => {
      await claims.claim(systemActor, ['@moved', 'later'], 'other');
      await claims.release(systemActor, ['@released']);
      await api('POST', '/groups', { name: 'young', path: 'young' });
    });
    expect(ownerOf('@moved')).toBe(other);
    expect(ownerOf('later')).toBe(other);
    expect(ownerOf('@released')).toBeUndefined();
    // Its owner is left out, but other registries are still not asked for it.
    expect(ownerOf('@young')).toBeNull();
    await wayBack();
    expect(ownerOf('@young')).toBeGreaterThan(other);
  });

  test('an outbox that was narrowed, keys that were replaced, or the network', async () => {
    const { upstreams } = gatehouse.registry.upstream;
    const wide = { pushSelection: ['@team', '@other'], pushFrom: { projectIds: [1, projectId] } };
    const narrow = { pushSelection: ['@team'], pushFrom: { projectIds: [projectId] } };
    const { id } = await addUpstream(gatehouse, 'http://127.0.0.1:9/', { kind: 'gatehouse', scopes: [], ...wide });
    await upstreams.setTrustedKeys(['SHA256:first'], systemActor);
    await rewindAfter(async () => {
      await upstreams.update(id, narrow, systemActor);
      await upstreams.setTrustedKeys(['SHA256:second'], systemActor);
      await upstreams.setOfflineMode('on', systemActor);
    });
    expect(upstreams.require(id)).toMatchObject(narrow);
    expect(upstreams.trustedKeys).toEqual(['SHA256:second']);
    expect(upstreams.offlineMode).toBe('on');
  });

  test('the number of a user or project, and with it that one’s account or packages, to another', async () => {
    const newProject = (path: string) =>
      api('POST', '/projects', { name: path, path, namespace_id: groupId }).then(
        (made) => made.json<{ id: number }>().id,
      );
    const numbers: [number, number][] = [];
    await rewindAfter(async () => {
      const { user } = await gatehouse.user({ username: 'bob', password: 'the-password-of-bob' });
      numbers.push([user.id, await newProject('one')]);
    });
    const { user } = await gatehouse.user({ username: 'cleo', password: 'the-password-of-cleo' });
    numbers.push([user.id, await newProject('two')]);
    expect(new Set(numbers.map(([number]) => number)).size).toBe(2);
    expect(new Set(numbers.map(([, number]) => number)).size).toBe(2);
    await wayBack();
    expect(await passwordWorks('the-password-of-cleo', 'bob')).toBe(false);
    expect(await passwordWorks('the-password-of-bob', 'bob')).toBe(true);
  });
});

describe('a rewind that is taken back', () => {
  test('brings back everything that was made and given meanwhile', async () => {
    await rewindAfter(async () => {
      const { user } = await gatehouse.user({ username: 'late' });
      await api('POST', `/projects/${projectId}/members`, { user_id: user.id, access_level: 40 });
      await api('PUT', `/users/${ann.user.id}`, { admin: false });
    });
    expect(await get('/users?username=late')).toEqual([]);
    await wayBack();
    const [late] = await get<{ id: number }[]>('/users?username=late');
    expect(await get(`/projects/${projectId}/members/${late?.id}`)).toMatchObject({ access_level: 40 });
    expect(await get<Shown>(`/users/${ann.user.id}`)).toMatchObject({ is_admin: false });
  });

  test('leaves one way back with a name, however often it happens', async () => {
    const { maintenance } = gatehouse.registry;
    await finishJob(gatehouse, maintenance.createSnapshot('base', systemActor));
    for (let round = 0; round < 3; round += 1) {
      await gatehouse.publish({ name: `round-${round}`, version: '1.0.0' });
      await finishJob(gatehouse, maintenance.rewind(round === 1 ? 'before-restore' : 'base', systemActor));
    }
    expect(
      maintenance
        .snapshots()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['base', 'before-restore']);
  });

  test('has its name also where a crash came in between, and none where the rewind did not come about', async () => {
    const { maintenance } = gatehouse.registry;
    await finishJob(gatehouse, maintenance.createSnapshot('base', systemActor));
    const startedAt = Date.now();
    await gatehouse.publish({ name: 'late', version: '1.0.0' });
    await finishJob(gatehouse, maintenance.rewind('base', systemActor));
    const folder = join(gatehouse.dataDir, 'snapshots');
    renameSync(join(folder, 'before-restore'), join(folder, `before-restore-${startedAt}`));
    cpSync(join(folder, `before-restore-${startedAt}`), join(folder, `before-restore-${Date.now() + 60_000}`), {
      recursive: true,
    });
    await gatehouse.restart();
    await gatehouse.registry.maintenance.swept();
    expect(
      gatehouse.registry.maintenance
        .snapshots()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['base', 'before-restore']);
    await wayBack();
    expect((await gatehouse.get(`${gatehouse.projectPath()}/late/-/late-1.0.0.tgz`)).status).toBe(200);
  });
});
