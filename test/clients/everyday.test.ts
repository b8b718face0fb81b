import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientNames, installedManifest } from './support/client.ts';
import type { Client, ClientName } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

let gatehouse: Gatehouse;
let publisher: Client;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
  publisher = await makeClient('npm12', gatehouse);
  const tool = await samplePackage(publisher, { name: '@acme/greet', version: '1.0.0', bin: { greet: 'greet.js' } });
  await writeFile(
    path.join(tool, 'greet.js'),
    "#!/usr/bin/env node\nconsole.log('Hello', ...process.argv.slice(2));\n",
  );
  succeeded(await publisher.publish(tool));
});
afterAll(() => gatehouse.stop());

/** How each client runs a package without installing it; Yarn 1 can't. */
const runners: Partial<Record<ClientName, string[]>> = {
  npm8: ['exec', '--yes', '--', '@acme/greet'],
  npm10: ['exec', '--yes', '--', '@acme/greet'],
  npm11: ['exec', '--yes', '--', '@acme/greet'],
  npm12: ['exec', '--yes', '--', '@acme/greet'],
  pnpm9: ['dlx', '@acme/greet'],
  pnpm10: ['dlx', '@acme/greet'],
  pnpm12: ['dlx', '@acme/greet'],
  yarn4: ['dlx', '@acme/greet'],
  bun: ['x', '@acme/greet'],
};

describe.each(Object.entries(runners) as [ClientName, string[]][])('%s', (name, runner) => {
  test('runs a package without installing it', async () => {
    const client = await makeClient(name, gatehouse);
    const { stdout } = succeeded(await client.run(await client.newProject(), ...runner, 'Ann'));
    expect(stdout).toContain('Hello Ann');
  });
});

describe.each(clientNames)('%s', (name) => {
  test('updates to a newer version within the range', async () => {
    const growing = `@acme/growing-${name}`;
    const publish = async (version: string): Promise<void> => {
      succeeded(await publisher.publish(await samplePackage(publisher, { name: growing, version })));
    };
    await publish('1.0.0');
    const client = await makeClient(name, gatehouse);
    const project = await client.newProject({ dependencies: { [growing]: '^1.0.0' } });
    // Out of the box, its update passes over what is younger than a day.
    if (name === 'pnpm12') await writeFile(path.join(project, 'pnpm-workspace.yaml'), 'minimumReleaseAge: 0\n');
    succeeded(await client.install(project));
    expect(installedManifest(project, growing)['version']).toBe('1.0.0');
    await publish('1.3.0');
    await publish('2.0.0');
    // The caches stay as they are: a client that trusted an old packument would miss the new version.
    const update = { yarn1: ['upgrade'], yarn4: ['up', '-R', growing] }[name as string] ?? ['update'];
    succeeded(await client.run(project, ...update));
    expect(installedManifest(project, growing)['version']).toBe('1.3.0');
  });
});

describe.each(['npm10', 'npm12'] as const)('%s', (name) => {
  test('shows what changed between two versions', async () => {
    const changing = `changing-${name}`;
    for (const version of ['1.0.0', '1.0.1']) {
      succeeded(await publisher.publish(await samplePackage(publisher, { name: changing, version })));
    }
    const client = await makeClient(name, gatehouse);
    const versions = [`--diff=${changing}@1.0.0`, `--diff=${changing}@1.0.1`];
    const { stdout } = succeeded(await client.run(await client.newProject(), 'diff', ...versions));
    expect(stdout).toContain(`-module.exports = '${changing} 1.0.0';`);
    expect(stdout).toContain(`+module.exports = '${changing} 1.0.1';`);
  });
});
