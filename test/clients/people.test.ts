import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';
import { places } from './support/seed.ts';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
});
afterAll(() => gatehouse.stop());

describe.each(['npm8', 'npm10', 'npm11', 'npm12', 'pnpm12'] as const)('%s', (name) => {
  const owned = `@acme/owned-${name}`;
  let client: Client;
  let folder: string;
  beforeAll(async () => {
    client = await makeClient(name, gatehouse);
    folder = await client.newProject();
    succeeded(await client.publish(await samplePackage(client, { name: owned, version: '1.0.0' })));
  });

  test('lists, adds and removes owners', async () => {
    expect(succeeded(await client.run(folder, 'owner', 'ls', owned)).stdout).toContain('root');
    // pnpm 12 takes the two in the other order.
    const whose = name === 'pnpm12' ? [owned, 'maria'] : ['maria', owned];
    succeeded(await client.run(folder, 'owner', 'add', ...whose));
    const names = async (): Promise<unknown> =>
      (await gatehouse.packument(owned))?.maintainers?.map((maintainer) => maintainer.name).toSorted();
    expect(await names()).toEqual(['maria', 'root']);
    expect(succeeded(await client.run(folder, 'owner', 'ls', owned)).stdout).toContain('maria');
    succeeded(await client.run(folder, 'owner', 'rm', ...whose));
    expect(await names()).toEqual(['root']);
  });

  test('tells who may do what with a package', async () => {
    // npm 8 has other words for it.
    const list = name === 'npm8' ? ['access', 'ls-collaborators', owned] : ['access', 'list', 'collaborators', owned];
    const { stdout } = succeeded(await client.run(folder, ...list));
    expect(stdout).toMatch(/root/);
    expect(stdout).toMatch(/maria/);
    expect(stdout).not.toMatch(/stranger/);
    if (name === 'npm8') return;
    expect(succeeded(await client.run(folder, 'access', 'get', 'status', owned)).stdout).toMatch(/private|restricted/);
    const open = await makeClient(name, gatehouse, { registry: gatehouse.projectRegistry(places.open) });
    const published = `open-${name}`;
    succeeded(await open.publish(await samplePackage(open, { name: published, version: '1.0.0' })));
    const status = succeeded(await open.run(await open.newProject(), 'access', 'get', 'status', published)).stdout;
    expect(status).toMatch(/public/);
  });

  test('is told where visibility is decided', async () => {
    const command = name === 'npm8' ? ['access', 'public', owned] : ['access', 'set', 'status=public', owned];
    expect(refused(await client.run(folder, ...command)).output).toMatch(/project/i);
  });
});

// npm 12 has no stars any more.
describe.each(['npm8', 'npm10', 'npm11', 'pnpm12'] as const)('stars with %s', (name) => {
  test('are given, listed and taken back', async () => {
    const client = await makeClient(name, gatehouse);
    const folder = await client.newProject();
    const starred = `starred-${name}`;
    succeeded(await client.publish(await samplePackage(client, { name: starred, version: '1.0.0' })));
    succeeded(await client.run(folder, 'star', starred));
    expect((await gatehouse.packument(starred))?.users).toEqual({ root: true });
    expect(succeeded(await client.run(folder, 'stars')).stdout).toContain(starred);
    succeeded(await client.run(folder, 'unstar', starred));
    expect((await gatehouse.packument(starred))?.users ?? {}).toEqual({});
  });
});
