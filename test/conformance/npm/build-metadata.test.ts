import { expect, test } from 'vitest';
import { makePublishDocument } from '../../support/publish-document.ts';
import type { Json, PublishDocument } from '../../support/publish-document.ts';
import { makeTarball } from '../../support/tarballs.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

interface Packument {
  readonly versions: Record<string, Json>;
  readonly 'dist-tags': Record<string, string>;
}

useRegistry('test');

const put = (document: Json, name = 'tool', project = 1) =>
  kit.send('PUT', `${kit.projectPath(project)}/${name}`, { body: document });

/** As npm sends it: build metadata is in the tarball alone. */
async function asNpm(version: string): Promise<PublishDocument> {
  const tarball = await makeTarball({ name: 'tool', version });
  return makePublishDocument({ name: 'tool', version: version.split('+')[0]!, tarball });
}

test('a version whose tarball alone has build metadata is published, since npm takes it out of the document', async () => {
  expect((await put(await asNpm('1.4.0+build.7'))).status).toBe(200);
  expect((await put(await asNpm('1.0.1-alpha.0+abc.1'))).status).toBe(200);
  const packument = (await kit.get(`${kit.projectPath()}/tool`)).json<Packument>();
  expect(Object.keys(packument.versions)).toEqual(['1.4.0', '1.0.1-alpha.0']);
  for (const version of ['1.4.0', '1.4.0+build.7', encodeURIComponent('1.4.0+other')])
    expect((await kit.get(`${kit.projectPath()}/tool/${version}`)).json()['version']).toBe('1.4.0');
  expect((await kit.get(`${kit.projectPath()}/tool/-/tool-1.4.0+build.7.tgz`)).status).toBe(200);
});

test('versions that differ in build metadata alone are one: the second is refused, here and in another project of the scope', async () => {
  await kit.publish({ name: 'tool', version: '1.4.0+a' });
  for (const version of ['1.4.0+b', '1.4.0', '1.4.0+a'])
    await expect(kit.publish({ name: 'tool', version })).rejects.toThrow(/tool@1\.4\.0\+a was published/);
  await kit.publish({ name: 'tool', version: '1.4.0-a' });
  const other = await kit.project();
  await kit.publish({ name: '@local/tool', version: '1.4.0+a' });
  await expect(kit.publish({ name: '@local/tool', version: '1.4.0', projectId: other.id })).rejects.toThrow(/400/);
  const stage = async (version: string) =>
    kit.send('POST', `${kit.projectPath()}/-/stage/package/staged`, {
      body: await makePublishDocument({ name: 'staged', version }),
    });
  expect((await stage('1.0.0+a')).status).toBe(201);
  expect((await stage('1.0.0+b')).status).toBe(409);
});

test('parts of a document may differ in build metadata; what is kept is the version of the document', async () => {
  const document = await makePublishDocument({ name: 'tool', version: '1.4.0+a' });
  const versions = { '1.4.0': { ...document.versions['1.4.0+a'], version: '1.4.0+a' } };
  expect((await put({ ...document, versions, 'dist-tags': { latest: '1.4.0+b' } })).status).toBe(200);
  const packument = (await kit.get(`${kit.projectPath()}/tool`)).json<Packument>();
  expect(packument['dist-tags']).toEqual({ latest: '1.4.0' });
  expect(packument.versions['1.4.0']?.['version']).toBe('1.4.0');
});

test('tags, deprecation and unpublish find the version, whatever metadata they name', async () => {
  await kit.publish({ name: 'tool', version: '1.4.0+a' });
  await kit.publish({ name: 'tool', version: '1.5.0' });
  const tag = `${kit.instancePath}/-/package/tool/dist-tags/stable`;
  expect((await kit.send('PUT', tag, { body: '"1.4.0"' })).status).toBe(204);
  await put({ name: 'tool', versions: { '1.4.0': { deprecated: 'old' } } });
  const packument = (await kit.get(`${kit.instancePath}/tool`)).json<Packument>();
  expect(packument['dist-tags']).toEqual({ latest: '1.5.0', stable: '1.4.0+a' });
  expect(packument.versions['1.4.0+a']).toMatchObject({ deprecated: 'old' });
  expect((await kit.send('DELETE', `${kit.projectPath()}/tool/-/tool-1.4.0.tgz`)).status).toBe(200);
  expect(Object.keys((await kit.get(`${kit.instancePath}/tool`)).json<Packument>().versions)).toEqual(['1.5.0']);
});
