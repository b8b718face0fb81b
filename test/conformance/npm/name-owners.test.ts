import { describe, expect, test } from 'vitest';
import type { Visibility } from '../../../server/contract/levels.ts';
import type { TestUser } from '../../support/registry.ts';
import { encodeName } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

interface Packument {
  readonly versions: Record<string, { readonly dist: { readonly shasum: string } }>;
  readonly 'dist-tags': Record<string, string>;
}

useRegistry('test');

/** A group of its own with one project, made by its owner over HTTP. */
async function tenant(path: string, visibility: Visibility = 'public', owner?: TestUser) {
  const who = owner ?? (await kit.user({ username: `${path}-owner` }));
  const group = await kit.send('POST', '/api/v4/groups', { token: who.token, body: { name: path, path, visibility } });
  const namespaceId = group.json<{ id: number }>().id;
  const body = { name: 'lib', path: 'lib', namespace_id: namespaceId, visibility };
  const project = await kit.send('POST', '/api/v4/projects', { token: who.token, body });
  expect([group.status, project.status]).toEqual([201, 201]);
  return { ...who, namespaceId, projectId: project.json<{ id: number }>().id };
}

const read = async (name: string, options: { token?: string | undefined; prefix?: string } = {}) =>
  kit.get(
    `${options.prefix ?? kit.instancePath}/${encodeName(name)}`,
    'token' in options ? { token: options.token } : {},
  );
const versionsOf = async (name: string, token?: string) => {
  const answer = await read(name, token === undefined ? {} : { token });
  return answer.status === 200 ? Object.keys(answer.json<Packument>().versions) : answer.status;
};

describe('at the instance a name has one owner', () => {
  test('a scope that is a top group is served from below that group alone, in any case of letters', async () => {
    const acme = await tenant('acme');
    const mallory = await tenant('mallory');
    await kit.publish({ ...acme, name: '@acme/lib', version: '1.0.0', files: { 'a.js': 'ours' } });
    for (const name of ['@acme/lib', '@Acme/lib', '@acme/new']) {
      await kit.publish({ ...mallory, name, version: '1.0.0', files: { 'a.js': 'theirs' } });
      await kit.publish({ ...mallory, name, version: '99.0.0' });
    }
    const own = (await read('@acme/lib', { prefix: kit.projectPath(acme.projectId) })).json<Packument>();
    for (const token of [acme.token, undefined, mallory.token]) {
      const shown = (await read('@acme/lib', { token })).json<Packument>();
      expect(shown['dist-tags']).toEqual({ latest: '1.0.0' });
      expect(Object.keys(shown.versions)).toEqual(['1.0.0']);
      expect(shown.versions['1.0.0']?.dist.shasum).toBe(own.versions['1.0.0']?.dist.shasum);
    }
    const tarball = await kit.get(`${kit.instancePath}/@acme/lib/-/lib-1.0.0.tgz`);
    expect(tarball.bytes).toEqual(
      (await kit.get(`${kit.projectPath(acme.projectId)}/@acme/lib/-/lib-1.0.0.tgz`)).bytes,
    );
    expect((await kit.get(`${kit.instancePath}/@acme/lib/-/lib-99.0.0.tgz`)).status).toBe(404);
    expect((await kit.get(`${kit.instancePath}/@acme/lib/99.0.0`)).status).toBe(404);
    expect(await versionsOf('@Acme/lib', mallory.token)).toBe(404);
    expect(await versionsOf('@acme/new', mallory.token)).toBe(404);
    // The publisher's own project shows it as ever.
    expect((await read('@acme/new', { prefix: kit.projectPath(mallory.projectId) })).status).toBe(200);
  });

  test('any other name is that of the first publisher that the caller can read, and only its versions and tags are shown', async () => {
    const acme = await tenant('acme', 'private');
    const mallory = await tenant('mallory');
    await kit.publish({ ...acme, name: 'tool', version: '1.0.0' });
    await kit.publish({ ...mallory, name: 'tool', version: '99.0.0' });
    await kit.publish({ ...mallory, name: 'tool', version: '98.0.0', tag: 'beta' });
    const member = await kit.user();
    await kit.member(acme.projectId, member.user.id, 10);
    const seen = (await read('tool', { token: member.token })).json<Packument>();
    expect([Object.keys(seen.versions), seen['dist-tags']]).toEqual([['1.0.0'], { latest: '1.0.0' }]);
    expect(await versionsOf('tool', mallory.token)).toEqual(['99.0.0', '98.0.0']);
    // An answer that is kept ready ends with the membership.
    expect(await versionsOf('tool', member.token)).toEqual(['1.0.0']);
    await kit.directory.members.remove(
      { userId: 1, username: 'root', origin: 'http', address: null },
      { kind: 'project', id: acme.projectId },
      member.user.id,
    );
    expect(await versionsOf('tool', member.token)).toEqual(['99.0.0', '98.0.0']);
  });

  test('a name that was published first, but hidden, takes nothing from those who published it where more can see it', async () => {
    const mallory = await tenant('mallory', 'private');
    await kit.publish({ ...mallory, name: 'common', version: '99.0.0' });
    const acme = await tenant('acme');
    await kit.publish({ ...acme, name: 'common', version: '1.0.0' });
    const ann = await kit.user();
    expect(await versionsOf('common', ann.token)).toEqual(['1.0.0']);
    const project = `/api/v4/projects/${mallory.projectId}`;
    for (const visibility of ['internal', 'public']) {
      const raised = await kit.send('PUT', project, { token: mallory.token, body: { visibility } });
      expect([raised.status, raised.text]).toEqual([400, expect.stringContaining('common in this project')]);
    }
    expect(await versionsOf('common', ann.token)).toEqual(['1.0.0']);
    expect(await versionsOf('common', mallory.token)).toEqual(['99.0.0']);
    await kit.send('DELETE', `${kit.projectPath(mallory.projectId)}/common`, { token: mallory.token });
    const raise = { token: mallory.token, body: { visibility: 'public' } };
    expect((await kit.send('PUT', project, raise)).status).toBe(200);
  });

  test('tags, deprecation and unpublish act below the owner, and never in the project of another namespace', async () => {
    const acme = await tenant('acme');
    const mallory = await tenant('mallory');
    await kit.publish({ ...acme, name: 'tool', version: '1.0.0' });
    await kit.publish({ ...mallory, name: 'tool', version: '99.0.0' });
    const tags = `${kit.instancePath}/-/package/tool/dist-tags`;
    const { token } = mallory;
    expect((await kit.send('PUT', `${tags}/evil`, { token, body: '"99.0.0"' })).status).toBe(403);
    expect((await kit.send('PUT', `${tags}/latest`, { token, body: '"99.0.0"' })).status).toBe(403);
    expect((await kit.send('DELETE', `${tags}/latest`, { token })).status).toBe(403);
    expect((await kit.send('DELETE', `${kit.instancePath}/tool`, { token })).status).toBe(403);
    const document = { name: 'tool', versions: { '1.0.0': { deprecated: 'use mine' } } };
    expect((await kit.send('PUT', `${kit.instancePath}/tool`, { token, body: document })).status).toBe(403);
    const shown = (await read('tool')).json<Packument & { versions: Record<string, object> }>();
    expect(shown['dist-tags']).toEqual({ latest: '1.0.0' });
    expect(shown.versions['1.0.0']).not.toHaveProperty('deprecated');
  });

  test('search and the other lists show the package of the owner', async () => {
    const acme = await tenant('acme');
    const mallory = await tenant('mallory');
    await kit.publish({ ...acme, name: '@acme/lib', version: '1.0.0' });
    await kit.publish({ ...acme, name: 'tool', version: '1.0.0' });
    for (const name of ['@acme/lib', '@acme/new', 'tool'])
      await kit.publish({ ...mallory, name, version: '99.0.0', manifest: { description: 'a trap' } });
    const search = async (text: string, prefix = kit.instancePath) =>
      (await kit.get(`${prefix}/-/v1/search?text=${text}`)).json<{
        objects: { package: { name: string; version: string } }[];
      }>();
    const found = (await search('')).objects.map((hit) => `${hit.package.name}@${hit.package.version}`);
    expect(found.toSorted()).toEqual(['@acme/lib@1.0.0', 'tool@1.0.0']);
    expect((await search('trap')).objects).toEqual([]);
    expect((await search('trap', kit.projectPath(mallory.projectId))).objects).toHaveLength(3);
    const all = (await kit.get(`${kit.instancePath}/-/all`)).json<Record<string, { 'dist-tags': object }>>();
    expect(all['tool']?.['dist-tags']).toEqual({ latest: '1.0.0' });
    expect(all).not.toHaveProperty(['@acme/new']);
    // The owner's package gone, the next publisher's is the only one.
    await kit.send('DELETE', `${kit.projectPath(acme.projectId)}/tool`);
    expect((await search('trap')).objects.map((hit) => hit.package.name)).toEqual(['tool']);
  });
});

describe('a scope in use', () => {
  test('is not taken by a new group or a renamed one of an ordinary user, but may be given by an administrator', async () => {
    const company = await tenant('company');
    await kit.publish({ ...company, name: '@acme/lib', version: '1.0.0' });
    const mallory = await tenant('mallory');
    const { token } = mallory;
    for (const path of ['acme', 'ACME']) {
      const refused = await kit.send('POST', '/api/v4/groups', { token, body: { name: path, path } });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('has already been taken')]);
      const renamed = await kit.send('PUT', `/api/v4/groups/${mallory.namespaceId}`, { token, body: { path } });
      expect(renamed.status).toBe(400);
    }
    expect(await versionsOf('@acme/lib')).toEqual(['1.0.0']);
    // Who has all packages of the scope may take its name.
    const own = await kit.send('PUT', `/api/v4/groups/${company.namespaceId}`, {
      token: company.token,
      body: { path: 'acme' },
    });
    expect(own.status).toBe(200);
    expect(await versionsOf('@acme/lib')).toEqual(['1.0.0']);
    await kit.send('POST', '/api/v4/groups', { body: { name: 'tools', path: 'tools' } });
    expect(kit.directory.claims.all().map(({ name }) => name)).toEqual(['@local', '@tools']);
  });

  test('that is claimed for a namespace is served from there alone; a claim of a name comes before that of its scope', async () => {
    const acme = await tenant('acme');
    const company = await tenant('company');
    for (const one of [acme, company]) {
      await kit.publish({ ...one, name: '@acme/lib', version: one === acme ? '1.0.0' : '2.0.0' });
      await kit.publish({ ...one, name: 'tool', version: one === acme ? '1.0.0' : '2.0.0' });
    }
    const actor = { userId: 1, username: 'root', origin: 'cli', address: null } as const;
    expect([await versionsOf('@acme/lib'), await versionsOf('tool')]).toEqual([['1.0.0'], ['1.0.0']]);
    await kit.directory.claims.claim(actor, ['@ACME/lib', 'Tool'], 'company');
    expect([await versionsOf('@acme/lib'), await versionsOf('tool')]).toEqual([['2.0.0'], ['2.0.0']]);
    await kit.directory.claims.release(actor, ['@acme/lib', 'tool']);
    expect([await versionsOf('@acme/lib'), await versionsOf('tool')]).toEqual([['1.0.0'], ['1.0.0']]);
    const recorded = kit.registry.audit.list({ search: 'name.' }, { limit: 10, offset: 0 });
    expect(recorded.map(({ action }) => action)).toContain('name.released');
  });
});

describe('a name in several projects of one top namespace', () => {
  test('is refused where it follows the scope convention, without naming a project that the publisher cannot see', async () => {
    const acme = await tenant('acme');
    const secret = await kit.project({ namespaceId: acme.namespaceId, path: 'secret-plans' });
    await kit.publish({ name: '@acme/lib', version: '1.0.0', projectId: secret.id });
    const developer = await kit.user();
    await kit.member(acme.projectId, developer.user.id, 30);
    const refused = kit.publish({ name: '@Acme/lib', version: '1.0.0', projectId: acme.projectId });
    await expect(refused).resolves.toBeDefined();
    const attempt = (token: string, version = '1.0.0') =>
      kit.publish({ name: '@acme/lib', version, projectId: acme.projectId, token });
    await expect(attempt(developer.token)).rejects.toThrow(/is in another project of the same group/);
    await expect(attempt(acme.token)).rejects.toThrow(/is in the project acme\/secret-plans of the same group/);
    await expect(attempt(developer.token, '1.0.0+build.7')).rejects.toThrow(/is in another project/);
  });

  test('is accepted where it does not', async () => {
    const acme = await tenant('acme');
    const other = await kit.project({ namespaceId: acme.namespaceId });
    for (const name of ['lib', '@other/lib', '@acmes/lib']) {
      await kit.publish({ ...acme, name, version: '1.0.0' });
      await kit.publish({ name, version: '1.0.0', projectId: other.id });
    }
  });
});

test('an external user sees an internal group at its prefix no more than anywhere else', async () => {
  await kit.send('POST', '/api/v4/groups', { body: { name: 'inside', path: 'inside', visibility: 'internal' } });
  const external = await kit.user({ external: true });
  const ordinary = await kit.user();
  const ping = (token: string) => kit.get(`${kit.groupPath('inside')}/-/v1/search?text=`, { token });
  expect([(await ping(external.token)).status, (await ping(ordinary.token)).status]).toEqual([404, 200]);
});

test('an external user makes no groups and no projects, neither of the own name nor in groups that gave a role', async () => {
  const external = await kit.user({ username: 'guest', external: true });
  const { token } = external;
  const acme = await tenant('acme');
  await kit.send('POST', `/api/v4/groups/${acme.namespaceId}/members`, {
    body: { user_id: external.user.id, access_level: 50 },
  });
  const bodies = [
    ['groups', { name: 'mine', path: 'mine' }],
    ['groups', { name: 'sub', path: 'sub', parent_id: acme.namespaceId }],
    ['projects', { path: 'mine' }],
    ['projects', { path: 'mine', namespace_id: acme.namespaceId }],
  ] as const;
  for (const [path, body] of bodies) {
    const answer = await kit.send('POST', `/api/v4/${path}`, { token, body });
    expect([answer.status, answer.json()]).toEqual([403, { message: '403 Forbidden' }]);
  }
  expect((await kit.get('/api/v4/user', { token })).json()).toMatchObject({
    can_create_group: false,
    can_create_project: false,
    projects_limit: 0,
  });
  const personal = await kit.send('PUT', `${kit.projectPath('guest/packages')}/tool`, { token, body: {} });
  expect(personal.status).toBe(404);
  expect(kit.registry.directory.allProjects()).toHaveLength(2);
  // In a project that was made for it, it works as its role says.
  await kit.publish({ ...acme, token, name: '@acme/lib', version: '1.0.0' });
});
