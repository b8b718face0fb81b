import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedManifest } from './support/client.ts';
import type { Client } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
});
afterAll(() => gatehouse.stop());

/** Clients that can deprecate and unpublish; those that have `undeprecate` are asked with it. */
const clients = [
  { name: 'npm8', undeprecate: false },
  { name: 'npm10', undeprecate: false },
  { name: 'npm11', undeprecate: true },
  { name: 'npm12', undeprecate: true },
  { name: 'pnpm9', undeprecate: false },
  { name: 'pnpm10', undeprecate: false },
  { name: 'pnpm12', undeprecate: true },
] as const;

describe.each(clients)('withdrawing with $name', ({ name, undeprecate }) => {
  const scoped = `@acme/withdrawn-${name}`;
  const plain = `withdrawn-${name}`;
  let client: Client;
  let folder: string;
  beforeAll(async () => {
    client = await makeClient(name, gatehouse);
    folder = await client.newProject();
    for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
      succeeded(await client.publish(await samplePackage(client, { name: scoped, version })));
    }
    succeeded(await client.publish(await samplePackage(client, { name: plain, version: '1.0.0' })));
  });

  const deprecations = async (): Promise<unknown> => {
    const versions = Object.values((await gatehouse.packument(scoped))?.versions ?? {});
    return Object.fromEntries(versions.map((version) => [version.version, version.deprecated ?? null]));
  };

  test('deprecates versions, each with its own message, and warns who installs one', async () => {
    succeeded(await client.run(folder, 'deprecate', `${scoped}@1.0.0`, 'Has a hole. Use 1.1.0.'));
    succeeded(await client.run(folder, 'deprecate', `${scoped}@1.1.0`, 'Use 2.0.0.'));
    expect(await deprecations()).toEqual({ '1.0.0': 'Has a hole. Use 1.1.0.', '1.1.0': 'Use 2.0.0.', '2.0.0': null });
    const project = await client.newProject();
    expect(succeeded(await client.add(project, `${scoped}@1.0.0`)).output).toContain('Has a hole. Use 1.1.0.');
  });

  test('takes a deprecation back and leaves the other', async () => {
    const command = undeprecate ? ['undeprecate', `${scoped}@1.0.0`] : ['deprecate', `${scoped}@1.0.0`, ''];
    succeeded(await client.run(folder, ...command));
    expect(await deprecations()).toEqual({ '1.0.0': null, '1.1.0': 'Use 2.0.0.', '2.0.0': null });
  });

  test('unpublishes the latest version, and latest falls back', async () => {
    const tarball = (await gatehouse.packument(scoped))?.versions['2.0.0']?.dist.tarball ?? '';
    expect((await gatehouse.fetch(tarball)).status).toBe(200);
    succeeded(await client.run(folder, 'unpublish', `${scoped}@2.0.0`));
    const after = await gatehouse.packument(scoped);
    expect(Object.keys(after?.versions ?? {})).toEqual(['1.0.0', '1.1.0']);
    expect(after?.['dist-tags']).toEqual({ latest: '1.1.0' });
    expect(after?.time['2.0.0']).toBeUndefined();
    expect((await gatehouse.fetch(tarball)).status).toBe(404);
    refused(await client.add(await client.newProject(), `${scoped}@2.0.0`));
  });

  test('unpublishes whole packages and publishes one again', async () => {
    succeeded(await client.run(folder, 'unpublish', scoped, '--force'));
    succeeded(await client.run(folder, 'unpublish', plain, '--force'));
    expect(await gatehouse.packument(scoped)).toBeUndefined();
    expect(await gatehouse.packument(plain)).toBeUndefined();
    const again = await samplePackage(client, { name: scoped, version: '1.0.0', description: 'The second life' });
    succeeded(await client.publish(again));
    await client.forget();
    const project = await client.newProject();
    succeeded(await client.add(project, scoped));
    expect(installedManifest(project, scoped)['description']).toBe('The second life');
  });

  test('is told that this needs the role of a maintainer', async () => {
    const developer = await makeClient(name, gatehouse, { token: gatehouse.people.dev.token });
    const theirs = await developer.newProject();
    const own = `developed-${name}`;
    succeeded(await developer.publish(await samplePackage(developer, { name: own, version: '1.0.0' })));
    succeeded(await developer.publish(await samplePackage(developer, { name: own, version: '1.1.0' })));
    const before = await gatehouse.packument(own);
    expect(refused(await developer.run(theirs, 'deprecate', own, 'No more')).output).toMatch(/403/);
    expect(refused(await developer.run(theirs, 'unpublish', `${own}@1.0.0`)).output).toMatch(/403/);
    expect(await gatehouse.packument(own)).toEqual(before);
  });
});
