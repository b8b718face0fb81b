import { expect, test } from 'vitest';
import { makePublishDocument } from '../../support/publish-document.ts';
import { encodeName } from '../../support/registry.ts';
import type { Answer } from '../../support/http.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('test');

async function stage(
  name: string,
  version: string,
  options: { token?: string; prefix?: string; tag?: string } = {},
): Promise<Answer> {
  return kit.send('POST', `${options.prefix ?? kit.projectPath()}/-/stage/package/${encodeName(name)}`, {
    ...(options.token === undefined ? {} : { token: options.token }),
    body: await makePublishDocument({ name, version, ...(options.tag === undefined ? {} : { tag: options.tag }) }),
  });
}

const idOf = (answer: Answer) => answer.json<{ stageId: string }>().stageId;

test('what is staged is kept, listed and downloadable, but nobody can install it until it is approved', async () => {
  const staged = await stage('@acme/first', '1.0.0', { tag: 'beta' });
  expect(staged.status).toBe(201);
  const id = idOf(staged);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  expect(staged.headers['npm-notice']).toContain(`npm stage approve ${id}`);
  expect((await kit.get(`${kit.projectPath()}/@acme%2ffirst`)).status).toBe(404);
  await kit.restart();
  // Of many with megabytes of manifest each, a list takes none.
  const { rows } = kit.registry.npm.staging.list({ projectIds: [1], offset: 0, limit: 9 });
  expect(rows.map((row) => Object.keys(row))).toEqual([expect.not.arrayContaining(['prepared', 'content'])]);
  for (const prefix of [kit.projectPath(), kit.groupPath('local'), kit.instancePath]) {
    const list = await kit.get(`${prefix}/-/stage?page=0&perPage=100&package=%40acme%2Ffirst`);
    expect(list.json()).toMatchObject({
      items: [
        {
          id,
          packageName: '@acme/first',
          version: '1.0.0',
          tag: 'beta',
          status: 'pending',
          actor: 'root',
          actorType: 'user',
          createdAt: expect.stringMatching(/^\d{4}-/),
          shasum: expect.stringMatching(/^[0-9a-f]{40}$/),
        },
      ],
      total: 1,
      page: 0,
      perPage: 100,
    });
    expect((await kit.get(`${prefix}/-/stage/${id}`)).json()).toMatchObject({
      id,
      project: 'local/packages',
      fileCount: 2,
    });
    const tarball = await kit.get(`${prefix}/-/stage/${id}/tarball`);
    expect(tarball.bytes.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  }
  const approved = await kit.send('POST', `${kit.projectPath()}/-/stage/${id}/approve`);
  expect(approved.json()).toMatchObject({ ok: true, status: 'approved', packageName: '@acme/first' });
  const packument = await kit.get(`${kit.projectPath()}/@acme%2ffirst`);
  expect(packument.json()).toMatchObject({
    'dist-tags': { beta: '1.0.0' },
    versions: { '1.0.0': { _npmUser: { name: 'root', email: 'root@users.noreply.gatehouse.local' } } },
  });
  expect((await kit.get(`${kit.projectPath()}/@acme/first/-/first-1.0.0.tgz`)).status).toBe(200);
  expect((await kit.get(`${kit.projectPath()}/-/stage`)).json()).toMatchObject({ items: [], total: 0 });
  expect((await kit.send('POST', `${kit.projectPath()}/-/stage/${id}/approve`)).status).toBe(404);
});

test('rejecting leaves nothing behind, and the version can be staged again', async () => {
  const id = idOf(await stage('first', '1.0.0'));
  expect(await kit.storedTarballs()).toHaveLength(1);
  const again = await stage('first', '1.0.0');
  expect(again.status).toBe(409);
  expect(again.json()['error']).toContain(id);
  expect((await kit.send('DELETE', `${kit.projectPath()}/-/stage/${id}`)).status).toBe(200);
  expect(await kit.storedTarballs()).toEqual([]);
  expect(await kit.temporaryFiles()).toEqual([]);
  expect((await stage('first', '1.0.0')).status).toBe(201);
});

test('rejecting keeps bytes that a published version has too', async () => {
  const document = await makePublishDocument({ name: 'first', version: '1.0.0' });
  const staged = await kit.send('POST', `${kit.projectPath()}/-/stage/package/first`, { body: document });
  await kit.send('PUT', `${kit.projectPath()}/first`, { body: document });
  await kit.send('DELETE', `${kit.projectPath()}/-/stage/${idOf(staged)}`);
  expect((await kit.get(`${kit.projectPath()}/first/-/first-1.0.0.tgz`)).status).toBe(200);
});

test('unpublishing keeps bytes that a staged version has too', async () => {
  const document = await makePublishDocument({ name: 'first', version: '1.0.0' });
  const staged = await kit.send('POST', `${kit.projectPath()}/-/stage/package/first`, { body: document });
  await kit.send('PUT', `${kit.projectPath()}/first`, { body: document });
  await kit.send('DELETE', `${kit.projectPath()}/first`);
  expect((await kit.send('POST', `${kit.projectPath()}/-/stage/${idOf(staged)}/approve`)).status).toBe(200);
  expect((await kit.get(`${kit.projectPath()}/first/-/first-1.0.0.tgz`)).status).toBe(200);
});

test('a version that came by another way meanwhile is not overwritten by an approval', async () => {
  const id = idOf(await stage('first', '1.0.0'));
  await kit.publish({ name: 'first', version: '1.0.0', files: { 'other.js': '2' } });
  const before = (await kit.get(`${kit.projectPath()}/first/1.0.0`)).text;
  const approved = await kit.send('POST', `${kit.projectPath()}/-/stage/${id}/approve`);
  expect(approved.status).toBe(403);
  expect(approved.json()['message']).toBe('Package already exists.');
  expect((await kit.get(`${kit.projectPath()}/first/1.0.0`)).text).toBe(before);
  expect((await kit.get(`${kit.projectPath()}/-/stage/${id}`)).status).toBe(200);
});

test('what a publish would be refused for, staging is refused for', async () => {
  await kit.publish({ name: 'first', version: '1.0.0' });
  expect((await stage('first', '1.0.0')).status).toBe(403);
  expect((await stage('first', 'not-a-version')).status).toBe(400);
  const wrong = await makePublishDocument({ name: 'other', version: '1.0.0' });
  expect((await kit.send('POST', `${kit.projectPath()}/-/stage/package/first`, { body: wrong })).status).toBe(400);
  expect((await stage('first', '2.0.0', { prefix: kit.instancePath })).status).toBe(405);
  expect((await kit.send('POST', `${kit.projectPath()}/-/stage/package/first`, { body: '{' })).status).toBe(400);
  expect(await kit.temporaryFiles()).toEqual([]);
  expect(await kit.storedTarballs()).toHaveLength(1);
});

test('who may not publish neither stages nor sees what is staged', async () => {
  const id = idOf(await stage('first', '1.0.0'));
  const reporter = await kit.user();
  await kit.member(1, reporter.user.id, 20);
  const outsider = await kit.user();
  const developer = await kit.user();
  await kit.member(1, developer.user.id, 30);
  const path = `${kit.projectPath()}/-/stage/${id}`;
  expect((await stage('second', '1.0.0', { token: reporter.token })).status).toBe(403);
  expect((await kit.get(path, { token: reporter.token })).status).toBe(403);
  expect((await kit.get(`${kit.instancePath}/-/stage/${id}`, { token: reporter.token })).status).toBe(404);
  expect((await kit.get(`${kit.instancePath}/-/stage`, { token: reporter.token })).json()).toMatchObject({ items: [] });
  expect((await kit.get(path, { token: outsider.token })).status).toBe(404);
  expect((await kit.get(path, { token: undefined })).status).toBe(401);
  expect((await kit.send('POST', `${path}/approve`, { token: undefined })).status).toBe(401);
  expect((await kit.send('POST', `${path}/approve`, { token: developer.token })).status).toBe(200);
  expect((await kit.get(`${kit.projectPath()}/-/stage/nonsense`)).status).toBe(400);
});

test('a stage of another project is not reached through this one', async () => {
  const other = await kit.project();
  const id = idOf(await stage('first', '1.0.0', { prefix: kit.projectPath(other.id) }));
  expect((await kit.send('POST', `${kit.projectPath(1)}/-/stage/${id}/approve`)).status).toBe(404);
  expect((await kit.send('POST', `${kit.projectPath(other.id)}/-/stage/${id}/approve`)).status).toBe(200);
});
