import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientNames, installedManifest } from './support/client.ts';
import type { ClientName, ClientOptions } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';
import { places } from './support/seed.ts';

const base = '@acme/part';
const app = 'whole';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
  const inTools = await makeClient('npm12', gatehouse, { registry: gatehouse.projectRegistry(places.tools) });
  for (const version of ['1.0.0', '1.1.0']) {
    succeeded(await inTools.publish(await samplePackage(inTools, { name: base, version })));
  }
  const inPackages = await makeClient('npm12', gatehouse);
  const dependent = { name: app, version: '1.0.0', dependencies: { [base]: '^1.0.0' } };
  succeeded(await inPackages.publish(await samplePackage(inPackages, dependent)));
  const inOpen = await makeClient('npm12', gatehouse, { registry: gatehouse.projectRegistry(places.open) });
  succeeded(await inOpen.publish(await samplePackage(inOpen, { name: '@acme/open', version: '1.0.0' })));
});
afterAll(() => gatehouse.stop());

/** Adds a package, then installs it again from the lockfile with empty caches; resolves with the project folder. */
async function addTwice(name: ClientName, options: ClientOptions, spec: string): Promise<string> {
  const client = await makeClient(name, gatehouse, options);
  const project = await client.newProject();
  succeeded(await client.add(project, spec));
  await rm(path.join(project, 'node_modules'), { recursive: true });
  await client.forget();
  succeeded(await client.installFrozen(project));
  return project;
}

/** Yarn 4 notes tarball addresses that it can't work out by itself, which ties the lockfile to this server. */
async function expectPlainLockfile(project: string): Promise<void> {
  const lockfile = await readFile(path.join(project, 'yarn.lock'), 'utf8').catch(() => '');
  expect(lockfile).not.toContain('__archiveUrl');
}

describe.each(clientNames)('%s', (name) => {
  test('installs across the projects of a group and its subgroups', async () => {
    const registry = gatehouse.groupRegistry(places.localGroup);
    const project = await addTwice(name, { registry, token: gatehouse.people.dev.token }, app);
    expect(installedManifest(project, app)['version']).toBe('1.0.0');
    await expectPlainLockfile(project);
  });

  test('installs across all projects that it may read', async () => {
    const registry = gatehouse.instanceRegistry;
    const project = await addTwice(name, { registry, token: gatehouse.people.dev.token }, `${base}@~1.0.0`);
    expect(installedManifest(project, base)['version']).toBe('1.0.0');
    await expectPlainLockfile(project);
  });

  test('installs from a project that is named by its path', async () => {
    const registry = gatehouse.projectRegistry('local/tools/kit');
    const project = await addTwice(name, { registry, token: gatehouse.people.dev.token }, base);
    expect(installedManifest(project, base)['version']).toBe('1.1.0');
    await expectPlainLockfile(project);
  });

  test('publishes to a project that is named by its path', async () => {
    const client = await makeClient(name, gatehouse, { registry: gatehouse.projectRegistry('local/tools/kit') });
    const pack = { name: `by-path-${name}`, version: '1.0.0' };
    succeeded(await client.publish(await samplePackage(client, pack)));
    expect(await gatehouse.packument(pack.name, places.tools)).toMatchObject({ 'dist-tags': { latest: '1.0.0' } });
  });

  test('installs from a group that is named by its path', async () => {
    const registry = gatehouse.groupRegistry('local/tools');
    const project = await addTwice(name, { registry, token: gatehouse.people.dev.token }, base);
    expect(installedManifest(project, base)['version']).toBe('1.1.0');
    await expectPlainLockfile(project);
  });

  test('installs from a public project without a token', async () => {
    const registry = gatehouse.projectRegistry(places.open);
    const project = await addTwice(name, { registry, token: null }, '@acme/open');
    expect(installedManifest(project, '@acme/open')['version']).toBe('1.0.0');
  });

  test('sees nothing of a private project as a stranger', async () => {
    for (const registry of [gatehouse.projectRegistry(places.tools), gatehouse.instanceRegistry]) {
      const stranger = await makeClient(name, gatehouse, { registry, token: gatehouse.people.stranger.token });
      expect(refused(await stranger.add(await stranger.newProject(), base)).output).toMatch(/404|not found/i);
    }
  });

  test('is told where to publish when it tries a group', async () => {
    const registry = gatehouse.groupRegistry(places.localGroup);
    const client = await makeClient(name, gatehouse, { registry });
    const folder = await samplePackage(client, { name: `lost-${name}`, version: '1.0.0' });
    // Not every client shows the text of an answer; none may take it for a success.
    expect(refused(await client.publish(folder)).output).toMatch(/published to a\s+[│\s]*project|405/i);
    expect((await gatehouse.fetch(`${gatehouse.instanceRegistry}lost-${name}`)).status).toBe(404);
  });
});

describe.each(['npm8', 'npm10', 'npm11', 'npm12'] as const)('%s', (name) => {
  test('installs from a lockfile that has no addresses under another prefix, and knows where one with addresses is from', async () => {
    const from = await makeClient(name, gatehouse, { registry: gatehouse.groupRegistry(places.localGroup) });
    const to = await makeClient(name, gatehouse, { registry: gatehouse.projectRegistry(places.tools) });
    for (const hasAddresses of [false, true]) {
      const locked = await from.newProject();
      await writeFile(path.join(locked, '.npmrc'), `omit-lockfile-registry-resolved=${!hasAddresses}\n`);
      succeeded(await from.add(locked, base));
      const project = await to.newProject();
      for (const file of ['package.json', 'package-lock.json']) {
        await copyFile(path.join(locked, file), path.join(project, file));
      }
      const result = await to.installFrozen(project);
      // npm 12 fetches no tarball from outside of its registry's address; the earlier ones take it from where it was.
      if (hasAddresses && name === 'npm12') expect(refused(result).output).toContain('EALLOWREMOTE');
      else expect(succeeded(result) && installedManifest(project, base)['version']).toBe('1.1.0');
    }
  });
});
