import { afterAll, beforeAll, expect, test } from 'vitest';
import { installedManifest } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
});
afterAll(() => gatehouse.stop());

test('30 installs at once, while versions are published, all get whole packages', async () => {
  const publisher = await makeClient('pnpm12', gatehouse);
  const names = Array.from({ length: 10 }, (_, index) => `@acme/many-${index}`);
  const payload = 'x'.repeat(300_000);
  for (const name of names) {
    succeeded(await publisher.publish(await samplePackage(publisher, { name, version: '1.0.0', payload })));
  }
  const dependencies = Object.fromEntries(names.map((name) => [name, '^1.0.0']));
  const install = async (index: number): Promise<void> => {
    // Mostly the two that start fast, so that they meet at the server and not at the processor.
    const client = await makeClient(index % 10 === 0 ? 'npm12' : index % 2 === 0 ? 'bun' : 'pnpm12', gatehouse);
    const project = await client.newProject({ dependencies });
    succeeded(await client.install(project));
    for (const name of names) {
      const manifest = installedManifest(project, name);
      expect(manifest['version']).toMatch(/^1\.[01]\.0$/);
      expect(manifest['payload']).toBe(payload);
    }
  };
  const publish = async (name: string): Promise<void> => {
    succeeded(await publisher.publish(await samplePackage(publisher, { name, version: '1.1.0', payload })));
  };
  await Promise.all([...Array.from({ length: 30 }, (_, index) => install(index)), ...names.map(publish)]);
  for (const name of names) expect((await gatehouse.packument(name))?.['dist-tags']).toEqual({ latest: '1.1.0' });
});
