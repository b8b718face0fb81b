import { access } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientNames, installedManifest } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

/** An address where nothing listens: whatever goes there fails at once. */
const elsewhere = 'http://127.0.0.1:9/';
const shared = '@acme/shared';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
  const client = await makeClient('pnpm12', gatehouse);
  succeeded(await client.publish(await samplePackage(client, { name: shared, version: '1.0.0' })));
});
afterAll(() => gatehouse.stop());

describe.each(clientNames)('%s in a connected folder', (name) => {
  const tool = { yarn1: 'yarn1', yarn4: 'yarn' }[name as string] ?? 'npm';
  const file = tool === 'yarn' ? '.yarnrc.yml' : '.npmrc';
  const connect = (folder: string, ...options: string[]) => gatehouse.connect(folder, '--tool', tool, ...options);

  test('publishes there, although its own configuration points elsewhere', async () => {
    const client = await makeClient(name, gatehouse, { registry: elsewhere, token: null });
    const pkg = `@acme/connected-${name}`;
    const folder = await samplePackage(client, { name: pkg, version: '1.0.0' });
    refused(await client.publish(folder));
    await connect(folder);
    succeeded(await client.publish(folder));
    expect((await gatehouse.packument(pkg))?.['dist-tags']).toEqual({ latest: '1.0.0' });
  });

  test('installs packages of the connected scope, until the connection is undone', async () => {
    const client = await makeClient(name, gatehouse, { registry: elsewhere, token: null });
    const project = await client.newProject();
    await connect(project, '--scope', '@acme');
    succeeded(await client.add(project, shared));
    expect(installedManifest(project, shared)['version']).toBe('1.0.0');
    refused(await client.add(project, 'unscoped-goes-elsewhere'));
    await connect(project, '--undo');
    await expect(access(path.join(project, file))).rejects.toThrow('ENOENT');
    await client.forget();
    refused(await client.add(await client.newProject(), shared));
  });
});
