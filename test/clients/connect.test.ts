import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientNames, installedManifest } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

const cli = path.join(import.meta.dirname, '../../server/cli/main.ts');
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

/** `gatehouse connect` beside the running server. */
async function connect(folder: string, ...options: string[]): Promise<void> {
  const command = [cli, 'connect', '--data-dir', gatehouse.dataDir, '--dir', folder, ...options];
  await promisify(execFile)(process.execPath, command, { timeout: 60_000 });
}

// Yarn 4 reads no .npmrc; the guide has its lines.
describe.each(clientNames.filter((name) => name !== 'yarn4'))('%s in a connected folder', (name) => {
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
    await expect(access(path.join(project, '.npmrc'))).rejects.toThrow('ENOENT');
    await client.forget();
    refused(await client.add(await client.newProject(), shared));
  });
});
