import { expect, test } from 'vitest';
import { rootToken } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('test');

/** A group `before` with a project `before/lib`, which then moves to `after`. */
async function moved(visibility = 'private') {
  const post = async (path: string, body: object) =>
    (await kit.send('POST', `/api/v4/${path}`, { body })).json<{ id: number }>().id;
  const groupId = await post('groups', { name: 'before', path: 'before', visibility });
  const subgroupId = await post('groups', { name: 'sub', path: 'sub', parent_id: groupId, visibility });
  const projectId = await post('projects', { path: 'lib', namespace_id: groupId, visibility });
  await kit.publish({ name: '@before/lib', version: '1.0.0', projectId });
  await kit.send('PUT', `/api/v4/groups/${groupId}`, { body: { path: 'after' } });
  return { groupId, subgroupId, projectId };
}

test('reads below an old path are sent to the same address below the number of the project or group', async () => {
  const { groupId, subgroupId, projectId } = await moved();
  const old = kit.projectPath('before/lib');
  for (const rest of [
    '/@before%2flib?write=true',
    '/@before/lib/-/lib-1.0.0.tgz',
    '/-/package/@before%2flib/dist-tags',
    '/-/ping',
  ]) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await kit.send(method, `${old}${rest}`);
      expect([answer.status, answer.headers.location]).toEqual([
        301,
        `${kit.origin}${kit.projectPath(projectId)}${rest}`,
      ]);
    }
    expect((await kit.get(`${kit.projectPath(projectId)}${rest}`)).status).toBe(200);
  }
  // Proxies log headers of answers.
  for (const api of [`${old}/-/ping`, '/api/v4/projects/before%2Flib']) {
    const { headers } = await kit.get(`${api}?write=true&private_token=${rootToken}`, { token: undefined });
    expect(headers.location).toMatch(/\?write=true$/);
  }
  const tarball = '/@before/lib/-/lib-1.0.0.tgz';
  const ofGroup = await kit.get(`${kit.groupPath('before')}${tarball}`);
  expect([ofGroup.status, ofGroup.headers.location]).toEqual([301, `${kit.origin}${kit.groupPath(groupId)}${tarball}`]);
  const ofSubgroup = await kit.get(`${kit.groupPath('BEFORE/sub')}/-/ping`);
  expect(ofSubgroup.headers.location).toBe(`${kit.origin}${kit.groupPath(subgroupId)}/-/ping`);
  await kit.send('PUT', `/api/v4/projects/${projectId}`, { body: { path: 'other' } });
  expect((await kit.get(`${old}${tarball}`)).status).toBe(301);
  expect((await kit.get(`${kit.projectPath('after/lib')}${tarball}`)).status).toBe(301);
});

test('anything but a read is 404, and the text says where to', async () => {
  const { projectId } = await moved();
  const answer = await kit.send('PUT', `${kit.projectPath('before/lib')}/@before%2flib`, { body: {} });
  expect([answer.status, answer.json()['message']]).toEqual([404, '404 Project Not Found']);
  expect(answer.json()['error']).toContain(
    `moved to after/lib: use the registry address ${kit.origin}${kit.projectPath(projectId)}/`,
  );
});

test('who may not see the place is not told that it moved', async () => {
  await moved();
  const { token } = await kit.user();
  for (const prefix of [kit.projectPath('before/lib'), kit.groupPath('before')]) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      for (const caller of [token, undefined]) {
        const answer = await kit.send(method, `${prefix}/@before%2flib`, { token: caller });
        const unknown = await kit.send(method, `${prefix.replace('before', 'never')}/@before%2flib`, { token: caller });
        expect([answer.status, answer.headers.location, answer.text.includes('after')]).toEqual([
          unknown.status,
          undefined,
          false,
        ]);
      }
    }
  }
});

test('a token without a scope for packages is not told either', async () => {
  await moved('public');
  const token = await kit.token(1, ['read_user']);
  for (const prefix of [kit.projectPath('before/lib'), kit.groupPath('before')]) {
    for (const method of ['GET', 'PUT']) {
      const answer = await kit.send(method, `${prefix}/@before%2flib`, { token });
      expect([answer.status, answer.headers.location, answer.text.includes('after')]).toEqual([403, undefined, false]);
    }
  }
});

test('a path that is in use again means what has it now', async () => {
  const { groupId } = await moved('public');
  await kit.send('POST', '/api/v4/groups', { body: { name: 'before', path: 'before', visibility: 'public' } });
  expect((await kit.get(`${kit.groupPath('before')}/-/v1/search?text=`)).json()).toMatchObject({ total: 0 });
  expect((await kit.get(`${kit.groupPath(groupId)}/@before%2flib`)).status).toBe(200);
});

test('an old path is not taken by an ordinary user, to whom lockfiles with it would lead', async () => {
  const { groupId, projectId } = await moved('public');
  const { user, token } = await kit.user();
  await kit.send('DELETE', `${kit.projectPath(projectId)}/@before%2flib`);
  await kit.publish({ name: 'lib', version: '1.0.0', projectId });
  await kit.send('POST', `/api/v4/groups/${groupId}/members`, { body: { user_id: user.id, access_level: 30 } });
  await kit.directory.claims.release({ userId: 1, username: 'root', origin: 'cli', address: null }, ['@before']);
  const group = await kit.send('POST', '/api/v4/groups', { token, body: { name: 'before', path: 'before' } });
  expect(group.status).toBe(400);
  await kit.send('PUT', `/api/v4/projects/${projectId}`, { body: { path: 'library' } });
  const body = { path: 'lib', namespace_id: groupId };
  expect((await kit.send('POST', '/api/v4/projects', { token, body })).status).toBe(400);
  expect((await kit.get(`${kit.projectPath('after/lib')}/lib`, { token })).status).toBe(301);
  // It may come back, and an administrator may give it away.
  expect((await kit.send('PUT', `/api/v4/projects/${projectId}`, { body: { path: 'lib' } })).status).toBe(200);
  await kit.send('PUT', `/api/v4/projects/${projectId}`, { body: { path: 'library' } });
  expect((await kit.send('POST', '/api/v4/projects', { body })).status).toBe(201);
});
