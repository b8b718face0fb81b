import { expect, test } from 'vitest';
import { makePublishDocument } from '../../support/publish-document.ts';
import { makeTarball } from '../../support/tarballs.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('file');

test('what was published can be installed at once, at every prefix, with addresses of that prefix', async () => {
  await kit.publish({ name: '@acme/first', version: '1.0.0', manifest: { description: 'The first' } });
  for (const prefix of [
    kit.projectPath(1),
    kit.projectPath('local/packages'),
    kit.groupPath('local'),
    kit.instancePath,
  ]) {
    const packument = await kit.get(`${prefix}/@acme%2ffirst`);
    expect(packument.status).toBe(200);
    const { dist } = packument.json<{ versions: Record<string, { dist: { tarball: string } }> }>().versions['1.0.0']!;
    const canonical = prefix.replace('local%2Fpackages', '1').replace('/groups/local', '/groups/1');
    expect(dist.tarball).toBe(`${kit.origin}${canonical}/@acme/first/-/first-1.0.0.tgz`);
    const tarball = await kit.get(new URL(dist.tarball).pathname);
    expect(tarball.status).toBe(200);
    expect(tarball.bytes.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  }
});

test('a document that says otherwise than its tarball is published with a note, and install scripts come from the tarball', async () => {
  const manifest = { dependencies: { left: '1.0.0' }, hasInstallScript: true };
  const packed = { name: 'differs', version: '1.0.0', dependencies: { left: '1.0.0', evil: '6.6.6' } };
  const document = await makePublishDocument({
    name: 'differs',
    version: '1.0.0',
    manifest,
    tarball: await makeTarball(packed),
  });
  const answer = await kit.send('PUT', `${kit.projectPath()}/differs`, { body: document });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers['npm-notice']).toMatch(/^The package\.json inside the tarball has other dependencies than/);
  const packument = await kit.get(`${kit.projectPath()}/differs`);
  const { versions } = packument.json<{ versions: Record<string, object> }>();
  expect(versions['1.0.0']).toMatchObject({ dependencies: { left: '1.0.0' } });
  expect(versions['1.0.0']).not.toHaveProperty('hasInstallScript');

  const plain = await kit.publish({ name: 'agrees', version: '1.0.0', manifest: { dependencies: { left: '1.0.0' } } });
  expect(plain.headers['npm-notice']).toBeUndefined();
});

test('a README of more than a mebibyte is cut, and says so', async () => {
  const readme = '# Title\n' + 'é'.repeat(1024 * 1024);
  const files = { 'README.md': readme };
  await kit.publish({ name: 'long-readme', version: '1.0.0', readme });
  await kit.publish({ name: 'long-readme-inside', version: '1.0.0', readme: '', files });
  for (const name of ['long-readme', 'long-readme-inside']) {
    const { readme: kept } = (await kit.get(`${kit.projectPath()}/${name}`)).json<{ readme: string }>();
    expect(Buffer.byteLength(kept)).toBeLessThan(1024 * 1024 + 100);
    expect(kept).toMatch(/é\n\n… This README was cut here: it is longer than 1 MiB\.\n$/);
  }
});
