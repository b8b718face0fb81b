import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import type { CommandResult } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
});
afterAll(() => gatehouse.stop());

/** Publishes to the stage in each client's own words; resolves with the id that its list shows. */
async function stage(client: Client, folder: string): Promise<string> {
  if (client.name === 'yarn4') {
    succeeded(await client.run(folder, 'install'));
    succeeded(await client.run(folder, 'npm', 'publish', '--staged'));
  } else {
    const rest = client.name === 'pnpm12' ? ['--no-git-checks'] : [];
    succeeded(await client.run(folder, 'stage', 'publish', ...rest));
  }
  const { stdout } = succeeded(await staged(client, folder, 'list'));
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stdout)?.[0];
  if (id === undefined) throw new Error(`The list of staged packages shows no id:\n${stdout}`);
  return id;
}

function staged(client: Client, folder: string, ...args: string[]): Promise<CommandResult> {
  return client.run(folder, ...(client.name === 'yarn4' ? ['npm', 'stage'] : ['stage']), ...args);
}

describe.each(['npm12', 'pnpm12', 'yarn4'] as const)('staged publishing with %s', (name) => {
  const pkg = `@acme/staged-${name}`;
  let client: Client;
  beforeAll(async () => {
    client = await makeClient(name, gatehouse);
  });

  test('holds a version back until it is approved', async () => {
    const folder = await samplePackage(client, { name: pkg, version: '1.0.0' });
    const id = await stage(client, folder);
    expect(await gatehouse.packument(pkg)).toBeUndefined();
    succeeded(await staged(client, folder, 'approve', id));
    expect((await gatehouse.packument(pkg))?.['dist-tags']).toEqual({ latest: '1.0.0' });
    succeeded(await client.add(await client.newProject(), pkg));
    refused(await staged(client, folder, 'approve', id));
  });

  test('drops a version that is rejected', async () => {
    const folder = await samplePackage(client, { name: pkg, version: '1.1.0' });
    const id = await stage(client, folder);
    succeeded(await staged(client, folder, 'reject', id));
    expect(Object.keys((await gatehouse.packument(pkg))?.versions ?? {})).toEqual(['1.0.0']);
    expect(succeeded(await staged(client, folder, 'list')).stdout).not.toContain(id);
  });
});
