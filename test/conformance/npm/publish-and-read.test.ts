import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePublishDocument } from '../../support/publish-document.ts';
import { TestRegistry } from '../../support/registry.ts';

let kit: TestRegistry;
beforeAll(async () => {
  kit = await TestRegistry.start();
});
afterAll(() => kit.stop());

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

test('a version is the same whether its upload came alone or among others', async () => {
  const packuments: unknown[] = [];
  const name = '@acme/same';
  const manifest = {
    description: 'Hüte 🎩',
    keywords: ['hat'],
    scripts: { postinstall: 'node x' },
    bin: { hat: 'hat.js' },
    dependencies: { '@acme/first': '^1.0.0' },
  };
  const files = { 'README.md': '# From the tarball ü', 'binding.gyp': '{}' };
  const documents = [
    await makePublishDocument({ name, version: '1.0.0', manifest, readme: '# Same' }),
    await makePublishDocument({ name, version: '1.1.0-rc.1', tag: 'next', readme: '' }),
    await makePublishDocument({ name, version: '1.1.0', readme: 'ERROR: No README data found!', files }),
  ];
  for (const mode of ['alone', 'among others']) {
    const other = await TestRegistry.start();
    try {
      if (mode === 'among others') await other.crowd();
      for (const body of documents) {
        expect((await other.send('PUT', `${other.projectPath()}/@acme%2fsame`, { body })).status).toBe(200);
      }
      const packument = await other.get(`${other.projectPath()}/@acme%2fsame`);
      const view = await other.get(`${other.projectPath()}/@acme/same/-/same-1.1.0.tgz`);
      // Times, keys and revisions are each registry's own.
      const text = packument.text
        .replaceAll(other.origin, 'http://registry')
        .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"time"')
        .replaceAll(/"signatures":\[[^\]]*\]/g, '"signatures":[]')
        .replaceAll(/"_rev":"[^"]*"/g, '"_rev":""');
      packuments.push([JSON.parse(text), view.bytes.length]);
    } finally {
      await other.stop();
    }
  }
  expect(packuments[1]).toEqual(packuments[0]);
});
