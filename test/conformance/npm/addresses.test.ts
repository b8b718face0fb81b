import { describe, expect, test } from 'vitest';
import { makePublishDocument } from '../../support/publish-document.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('file');

const npmHeaders = { 'user-agent': 'npm/12.2.0 node/v24.21.0 linux x64', 'npm-command': 'install' };

test('repeated slashes in a path count as one', async () => {
  await kit.publish({ name: '@acme/slashes', version: '1.0.0' });
  for (const path of [
    `/${kit.projectPath()}//@acme%2fslashes`,
    `${kit.projectPath().replaceAll('/', '//')}/@acme///slashes//-/slashes-1.0.0.tgz`,
    '//api//v4//projects//1',
    `${kit.projectPath()}//-/ping`,
  ]) {
    expect((await kit.get(path)).status, path).toBe(200);
  }
  const document = await makePublishDocument({ name: 'slashes', version: '1.0.0' });
  expect((await kit.send('PUT', `${kit.projectPath()}//slashes`, { body: document })).status).toBe(200);
});

describe('npm at an address that is no registry', () => {
  test.each([
    ['/', '/api/v4/packages/npm/'],
    ['/react', '/api/v4/packages/npm/'],
    ['/@acme%2fthing', '/api/v4/packages/npm/'],
    ['/api/v4/', '/api/v4/packages/npm/'],
    ['/api/v4/packages/', '/api/v4/packages/npm/'],
    ['/api/v4/packages/react', '/api/v4/packages/npm/'],
    ['/api/v4/packages/npmreact', '/api/v4/packages/npm/'],
    ['/api/v4/projects/1', '/api/v4/projects/1/packages/npm/'],
    ['/api/v4/projects/1/react', '/api/v4/projects/1/packages/npm/'],
    ['/api/v4/projects/1/packages/react', '/api/v4/projects/1/packages/npm/'],
    ['/api/v4/projects/local%2Fpackages/packages/', '/api/v4/projects/local%2Fpackages/packages/npm/'],
    ['/api/v4/groups/local/-/packages/react', '/api/v4/groups/local/-/packages/npm/'],
  ])('%s: is answered with the one that was meant', async (path, meant) => {
    const answer = await kit.get(path, { headers: npmHeaders });
    expect(answer.status).toBe(404);
    expect(answer.json()['error']).toContain(`Set it to ${kit.origin}${meant} `);
  });

  test('other programs get what is there', async () => {
    expect((await kit.get('/api/v4/projects/1')).json()).toMatchObject({ id: 1 });
    expect((await kit.get('/api/v4/projects/1', { headers: { 'user-agent': 'Deno/2.9' } })).status).toBe(200);
    expect((await kit.get('/', { token: undefined })).text).toContain('registry for npm packages');
  });
});

test('a version that is published with "deprecated" is deprecated', async () => {
  await kit.publish({ name: 'born-old', version: '1.0.0', manifest: { deprecated: 'use another' } });
  const packument = (await kit.get(`${kit.projectPath()}/born-old`)).json<{ versions: Record<string, object> }>();
  expect(packument.versions['1.0.0']).toMatchObject({ deprecated: 'use another' });
  const lifted = { ...packument, versions: { '1.0.0': { ...packument.versions['1.0.0'], deprecated: '' } } };
  expect((await kit.send('PUT', `${kit.projectPath()}/born-old`, { body: lifted })).status).toBe(200);
  const manifest = (await kit.get(`${kit.projectPath()}/born-old/1.0.0`)).json();
  expect(manifest['deprecated']).toBeUndefined();
});

test('a body that is announced as too large is refused before it is asked for', async () => {
  const headers = { 'content-length': String(10 * 1024 ** 3), expect: '100-continue' };
  for (const [method, path] of [
    ['PUT', `${kit.projectPath()}/huge`],
    ['PUT', `${kit.projectPath()}/-/package/born-old/dist-tags/beta`],
    ['POST', `${kit.projectPath()}/-/npm/v1/security/advisories/bulk`],
    ['POST', '/api/v4/projects'],
  ] as const) {
    const answer = await kit.send(method, path, { headers: { ...headers, 'content-type': 'application/json' } });
    expect(answer.status, path).toBe(413);
  }
});

test('links to other pages repeat the query, but never the token in it', async () => {
  const token = await kit.token(1);
  const answer = await kit.get(`/api/v4/projects?per_page=1&search=p&private_token=${token}`, { token: undefined });
  expect(answer.status).toBe(200);
  expect(answer.headers['link']).toContain('search=p');
  expect(answer.headers['link']).not.toContain(token);
});

test('a 401 says to npm what is wrong in our words, and to others with a challenge', async () => {
  const path = `${kit.projectPath()}/-/whoami`;
  const other = await kit.get(path, { token: undefined });
  expect(other.headers['www-authenticate']).toContain('Bearer');
  const npm = await kit.get(path, { token: 'unknown', headers: npmHeaders });
  expect(npm.status).toBe(401);
  expect(npm.headers['www-authenticate']).toBeUndefined();
  expect(npm.json()['error']).toContain('not known here');
});

test('names a variable that is not set where npm sends the variable itself as the token', async () => {
  const answer = await kit.get(`${kit.projectPath()}/-/whoami`, { token: '${GATEHOUSE_TOKEN}', headers: npmHeaders });
  expect(answer.status).toBe(401);
  expect(answer.json()['error']).toContain('${GATEHOUSE_TOKEN} is not set');
});

test('whether a namespace exists is told with a free one like it', async () => {
  expect((await kit.get('/api/v4/namespaces/local/exists')).json()).toEqual({ exists: true, suggests: ['local1'] });
  expect((await kit.get('/api/v4/namespaces/nowhere/exists')).json()).toEqual({ exists: false, suggests: [] });
  expect((await kit.get('/api/v4/namespaces/local/exists', { token: undefined })).status).toBe(401);
});
