import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientNames, installedManifest } from './support/client.ts';
import type { Client } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

const wrongToken = /401|unauthori[sz]ed|logged in|unable to authenticate|invalid authentication/i;

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
});
afterAll(() => gatehouse.stop());

describe.each(clientNames)('%s', (name) => {
  const base = `@acme/base-${name}`;
  const app = `app-${name}`;
  let client: Client;
  let project: string;
  beforeAll(async () => {
    client = await makeClient(name, gatehouse);
  });

  const versionOf = (folder: string, dependency: string): unknown => installedManifest(folder, dependency)['version'];

  test('publishes a scoped package and an unscoped one that depends on it', async () => {
    succeeded(await client.publish(await samplePackage(client, { name: base, version: '1.0.0' })));
    succeeded(
      await client.publish(
        await samplePackage(client, { name: app, version: '1.0.0', dependencies: { [base]: '^1.0.0' } }),
      ),
    );
    const packument = await gatehouse.packument(base);
    expect(packument?.['dist-tags']).toEqual({ latest: '1.0.0' });
    expect(packument?.versions['1.0.0']).toMatchObject({ description: `The sample ${base}`, license: 'MIT' });
    expect(packument?.readme).toContain('A sample package of the tests.');
  });

  test('installs both from nothing by asking for one', async () => {
    project = await client.newProject();
    succeeded(await client.add(project, app));
    expect(versionOf(project, app)).toBe('1.0.0');
    const lockfile = await readFile(path.join(project, client.lockfile), 'utf8');
    expect(lockfile).toContain(base);
    expect(lockfile).not.toContain('__archiveUrl');
  });

  test('installs the same from its lockfile after newer versions came', async () => {
    succeeded(await client.publish(await samplePackage(client, { name: base, version: '1.1.0' })));
    succeeded(await client.publish(await samplePackage(client, { name: app, version: '1.1.0' })));
    await rm(path.join(project, 'node_modules'), { recursive: true });
    await client.forget();
    succeeded(await client.installFrozen(project));
    expect(versionOf(project, app)).toBe('1.0.0');
  });

  test('installs by tag and by range', async () => {
    succeeded(await client.publish(await samplePackage(client, { name: base, version: '2.0.0-beta.1' }), 'next'));
    expect((await gatehouse.packument(base))?.['dist-tags']).toEqual({ latest: '1.1.0', next: '2.0.0-beta.1' });
    const byTag = await client.newProject();
    await client.forget();
    succeeded(await client.add(byTag, `${base}@next`));
    expect(versionOf(byTag, base)).toBe('2.0.0-beta.1');
    const byRange = await client.newProject({ dependencies: { [base]: '~1.0.0' } });
    succeeded(await client.install(byRange));
    expect(versionOf(byRange, base)).toBe('1.0.0');
  });

  test('is told that a version exists, and nothing changes', async () => {
    const before = await gatehouse.packument(base);
    const folder = await samplePackage(client, { name: base, version: '1.1.0', description: 'Another one' });
    expect(refused(await client.publish(folder)).output).toMatch(
      /already exists|previously published|over the existing/i,
    );
    expect(await gatehouse.packument(base)).toEqual(before);
  });

  test('is told that its token is wrong', async () => {
    const intruder = await makeClient(name, gatehouse, { token: 'glpat-not-a-token-of-this-registry' });
    const folder = await samplePackage(intruder, { name: base, version: '6.6.6' });
    expect(refused(await intruder.publish(folder)).output).toMatch(wrongToken);
    expect((await gatehouse.packument(base))?.versions['6.6.6']).toBeUndefined();
    expect(refused(await intruder.add(await intruder.newProject(), base)).output).toMatch(wrongToken);
  });

  test('is told that a package does not exist', async () => {
    const result = refused(await client.add(await client.newProject(), `no-such-package-${name}`));
    expect(result.output).toMatch(/404|not found/i);
  });
});
