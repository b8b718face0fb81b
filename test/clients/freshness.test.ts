import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedManifest } from './support/client.ts';
import type { Client } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';
import { places } from './support/seed.ts';
import { makeYarnBerry } from './support/yarn-berry.ts';

const fresh = '@acme/fresh';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
  for (const project of [places.packages, places.aged]) {
    const client = await makeClient('npm12', gatehouse, { registry: gatehouse.projectRegistry(project) });
    const name = project === places.aged ? '@acme/aged' : fresh;
    succeeded(await client.publish(await samplePackage(client, { name, version: '1.0.0' })));
  }
});
afterAll(() => gatehouse.stop());

function yarn(project: number, minimalAge?: number): Promise<Client> {
  const home = path.join(gatehouse.workFolder, `yarn-${project}-${minimalAge ?? 'default'}`);
  const registry = gatehouse.projectRegistry(project);
  return makeYarnBerry(home, { registry, token: gatehouse.people.root.token, minimalAge });
}

describe('Yarn 4, which holds back what is younger than a day', () => {
  test('refuses a fresh version as it comes out of the box', async () => {
    const client = await yarn(places.packages);
    expect(refused(await client.add(await client.newProject(), fresh)).output).toMatch(/quarantine/i);
  });

  test('installs it with the honest setting', async () => {
    const client = await yarn(places.packages, 0);
    const project = await client.newProject();
    succeeded(await client.add(project, fresh));
    expect(installedManifest(project, fresh)['version']).toBe('1.0.0');
  });

  test('installs it out of the box from a project that shows an aged publish time', async () => {
    const client = await yarn(places.aged);
    const project = await client.newProject();
    succeeded(await client.add(project, '@acme/aged'));
    expect(installedManifest(project, '@acme/aged')['version']).toBe('1.0.0');
  });
});

describe('pnpm 12, which writes an exception for each fresh version into the project', () => {
  const workspaceAfter = async (place: number, name: string, settings = ''): Promise<string> => {
    const client = await makeClient('pnpm12', gatehouse, { registry: gatehouse.projectRegistry(place) });
    const project = await client.newProject();
    if (settings !== '') await writeFile(path.join(project, 'pnpm-workspace.yaml'), settings);
    succeeded(await client.add(project, name));
    return readFile(path.join(project, 'pnpm-workspace.yaml'), 'utf8').catch(() => '');
  };

  test('does so as it comes out of the box', async () => {
    expect(await workspaceAfter(places.packages, fresh)).toContain('minimumReleaseAgeExclude');
  });

  test('leaves the project alone with the honest setting', async () => {
    const settings = 'minimumReleaseAge: 0\n';
    expect(await workspaceAfter(places.packages, fresh, settings)).toBe(settings);
  });

  test('leaves it alone where publish times are shown aged', async () => {
    expect(await workspaceAfter(places.aged, '@acme/aged')).not.toContain('minimumReleaseAgeExclude');
  });
});
