import { beforeEach, expect, test } from 'vitest';
import { kit, useRegistry } from '../../support/use-registry.ts';

interface Packument {
  readonly versions: Record<string, { readonly dist: { readonly shasum: string } }>;
  readonly 'dist-tags': Record<string, string>;
}

useRegistry('test');
let other: number;
beforeEach(async () => {
  // Of the same top namespace: a name outside the scope convention may stand in both.
  other = (await kit.project()).id;
});

const read = async (prefix: string, token?: string) =>
  (await kit.get(`${prefix}/first`, token === undefined ? {} : { token })).json<Packument>();

test('the instance and the group show the versions of all projects of the owner that the caller may read', async () => {
  await kit.publish({ name: 'first', version: '1.0.0' });
  await kit.publish({ name: 'first', version: '2.0.0', projectId: other });
  expect(Object.keys((await read(kit.instancePath)).versions)).toEqual(['1.0.0', '2.0.0']);
  expect(Object.keys((await read(kit.groupPath('local'))).versions)).toEqual(['1.0.0', '2.0.0']);
  const member = await kit.user();
  await kit.member(1, member.user.id, 10);
  expect(Object.keys((await read(kit.instancePath, member.token)).versions)).toEqual(['1.0.0']);
});

test('of equal versions the first publish wins and keeps its bytes, of equal tags the newest change; the tarball is that of the version shown', async () => {
  await kit.publish({ name: 'first', version: '1.0.0', files: { 'a.js': 'old' } });
  await kit.publish({ name: 'first', version: '1.0.0', files: { 'a.js': 'new' }, projectId: other });
  const packument = await read(kit.instancePath);
  const first = (await read(kit.projectPath())).versions['1.0.0']?.dist.shasum;
  expect(packument.versions['1.0.0']?.dist.shasum).toBe(first);
  const tarball = await kit.get(`${kit.instancePath}/first/-/first-1.0.0.tgz`);
  expect(tarball.bytes).toEqual((await kit.get(`${kit.projectPath()}/first/-/first-1.0.0.tgz`)).bytes);
  await kit.publish({ name: 'first', version: '3.0.0', tag: 'beta' });
  await kit.publish({ name: 'first', version: '4.0.0', tag: 'beta', projectId: other });
  expect((await read(kit.instancePath))['dist-tags']).toMatchObject({ beta: '4.0.0' });
  await kit.send('PUT', `${kit.projectPath(1)}/-/package/first/dist-tags/beta`, { body: '"1.0.0"' });
  expect((await read(kit.instancePath))['dist-tags']).toMatchObject({ beta: '1.0.0' });
  expect((await kit.get(`${kit.instancePath}/-/package/first/dist-tags`)).json()).toMatchObject({ beta: '1.0.0' });
});

test('a change at the instance is made in the project that has the version or the tag that it names', async () => {
  await kit.publish({ name: 'first', version: '1.0.0' });
  await kit.publish({ name: 'first', version: '2.0.0', projectId: other });
  expect(
    (await kit.send('PUT', `${kit.instancePath}/-/package/first/dist-tags/stable`, { body: '"2.0.0"' })).status,
  ).toBe(204);
  expect((await read(kit.projectPath(other)))['dist-tags']).toHaveProperty('stable');
  expect((await read(kit.projectPath(1)))['dist-tags']).not.toHaveProperty('stable');
  await kit.publish({ name: 'first', version: '3.0.0' });
  expect((await kit.send('DELETE', `${kit.instancePath}/-/package/first/dist-tags/stable`)).status).toBe(204);
  expect((await read(kit.projectPath(other)))['dist-tags']).not.toHaveProperty('stable');
  const missing = await kit.send('PUT', `${kit.instancePath}/-/package/first/dist-tags/stable`, { body: '"9.9.9"' });
  expect(missing.status).toBe(404);
});

test('a project in a subgroup is found at the group above it', async () => {
  const answer = await kit.send('POST', '/api/v4/groups', { body: { name: 'sub', path: 'sub', parent_id: 1 } });
  const project = await kit.project({ namespaceId: answer.json<{ id: number }>().id });
  await kit.publish({ name: 'first', version: '1.0.0', projectId: project.id });
  for (const prefix of [
    kit.groupPath('local'),
    kit.groupPath('local/sub'),
    kit.groupPath(answer.json<{ id: number }>().id),
  ]) {
    expect((await kit.get(`${prefix}/first`)).status).toBe(200);
  }
});

test('where latest is missing it is the highest release, else the highest prerelease', async () => {
  const tags = async () => (await read(kit.projectPath()))['dist-tags'];
  await kit.publish({ name: 'first', version: '2.0.0-beta.1', tag: 'beta' });
  expect(await tags()).toEqual({ beta: '2.0.0-beta.1', latest: '2.0.0-beta.1' });
  await kit.publish({ name: 'first', version: '1.0.0', tag: 'old' });
  await kit.publish({ name: 'first', version: '0.9.0', tag: 'older' });
  expect((await tags())['latest']).toBe('1.0.0');
  await kit.send('PUT', `${kit.projectPath()}/-/package/first/dist-tags/latest`, { body: '"0.9.0"' });
  expect((await tags())['latest']).toBe('0.9.0');
  expect((await kit.send('DELETE', `${kit.projectPath()}/-/package/first/dist-tags/latest`)).status).toBe(204);
  expect((await tags())['latest']).toBe('1.0.0');
});
