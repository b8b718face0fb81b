import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatehouse as runGatehouse } from '../support/gatehouse-process.ts';
import { FakeUpstream } from '../upstream/support/fake-upstream.ts';
import { clientNames, installedManifest } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { succeeded } from './support/run-command.ts';

let gatehouse: Gatehouse;
let upstream: FakeUpstream;
const command = (args: string[]) => runGatehouse(args, { dataDir: gatehouse.dataDir });

beforeAll(async () => {
  [gatehouse, upstream] = await Promise.all([Gatehouse.start(), FakeUpstream.start()]);
  await upstream.publish('@vendor/leaf', '1.2.0');
  await upstream.publish('branch', '2.0.0', { manifest: { dependencies: { '@vendor/leaf': '^1.0.0' } } });
  const added = await command(['upstream', 'add', 'elsewhere', upstream.url, '--scope', '*']);
  expect(added.code, added.stderr).toBe(0);
});
afterAll(async () => {
  await upstream.goAway();
  await gatehouse.stop();
});

const offline = (mode: 'on' | 'auto') => command(['offline', mode]);

describe.each(clientNames)('%s', (name) => {
  test('installs what another registry has, and again from the lockfile with no network and an empty cache', async () => {
    await offline('auto');
    const client = await makeClient(name, gatehouse);
    const project = await client.newProject({ dependencies: { branch: '^2.0.0' } });
    succeeded(await client.install(project));
    expect(installedManifest(project, 'branch')['version']).toBe('2.0.0');

    const prefetched = await command(['prefetch', path.join(project, client.lockfile)]);
    expect(prefetched.stdout).toContain('2 of 2 are here, 0 of them fetched now');
    await offline('on');
    const asked = upstream.requests.length;
    await rm(path.join(project, 'node_modules'), { recursive: true });
    await client.forget();
    succeeded(await client.installFrozen(project));
    expect(installedManifest(project, 'branch')['version']).toBe('2.0.0');

    const missing = await client.add(project, 'never-fetched');
    expect(missing.code).not.toBe(0);
    // Some break their lines in the middle; Bun prints no text of any registry.
    const said = (missing.stdout + missing.stderr).replaceAll(/[^a-z]/gi, '');
    if (name !== 'bun') expect(said).toContain('offlinenotcachedneverfetched');
    expect(upstream.requests.length).toBe(asked);
  });
});
