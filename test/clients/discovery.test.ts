import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientNames } from './support/client.ts';
import type { ClientName } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';
import { places } from './support/seed.ts';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
  const client = await makeClient('npm12', gatehouse);
  const dependencies = { '@acme/other': '^1.0.0' };
  for (const version of ['1.0.0', '1.2.0']) {
    const manifest = { name: '@acme/brick', version, keywords: ['masonry'], dependencies };
    succeeded(await client.publish(await samplePackage(client, manifest)));
  }
  const hidden = await makeClient('npm12', gatehouse, { registry: gatehouse.projectRegistry(places.tools) });
  const mortar = { name: 'mortar', version: '0.1.0', keywords: ['masonry'] };
  succeeded(await hidden.publish(await samplePackage(hidden, mortar)));
});
afterAll(() => gatehouse.stop());

function viewOf(name: ClientName): string[] {
  if (name === 'yarn4') return ['npm', 'info'];
  return ['yarn1', 'bun'].includes(name) ? ['info'] : ['view'];
}

describe.each(clientNames)('%s', (name) => {
  test('shows a package with its versions, tarball and description', async () => {
    const client = await makeClient(name, gatehouse);
    const { stdout } = succeeded(await client.run(await client.newProject(), ...viewOf(name), '@acme/brick', '--json'));
    expect(stdout).toContain('The sample @acme/brick');
    expect(stdout).toContain('1.2.0');
    expect(stdout).toContain('1.0.0');
    expect(stdout).toContain('"latest"');
  });
});

describe.each(['npm8', 'npm10', 'npm11', 'npm12', 'pnpm9', 'pnpm10', 'pnpm12'] as const)('%s', (name) => {
  test('searches what its registry has, by keyword and by name', async () => {
    const project = await makeClient(name, gatehouse);
    const here = succeeded(await project.run(await project.newProject(), 'search', 'masonry')).stdout;
    expect(here).toContain('@acme/brick');
    expect(here).toContain('1.2.0');
    expect(here).not.toContain('mortar');
    const group = await makeClient(name, gatehouse, { registry: gatehouse.groupRegistry(places.localGroup) });
    const below = succeeded(await group.run(await group.newProject(), 'search', 'masonry')).stdout;
    expect(below).toContain('@acme/brick');
    expect(below).toContain('mortar');
  });

  test('finds nothing that its person may not read', async () => {
    const options = { registry: gatehouse.instanceRegistry, token: gatehouse.people.stranger.token };
    const stranger = await makeClient(name, gatehouse, options);
    const { output } = succeeded(await stranger.run(await stranger.newProject(), 'search', 'masonry'));
    expect(output).not.toMatch(/brick|mortar/);
  });
});

describe.each(['npm10', 'npm12'] as const)('%s', (name) => {
  test('packs what was published', async () => {
    const client = await makeClient(name, gatehouse);
    const folder = await client.newProject();
    const { stdout } = succeeded(await client.run(folder, 'pack', 'mortar@0.1.0', '--json', ...inTools()));
    const published = await gatehouse.packument('mortar', places.tools);
    expect(stdout).toContain(published?.versions['0.1.0']?.dist.integrity);
  });

  test('sees what is outdated', async () => {
    const client = await makeClient(name, gatehouse, { registry: gatehouse.groupRegistry(places.localGroup) });
    const project = await client.newProject();
    succeeded(await client.add(project, 'mortar@0.1.0'));
    const newer = await makeClient('pnpm12', gatehouse, { registry: gatehouse.projectRegistry(places.tools) });
    const version = name === 'npm10' ? '0.2.0' : '0.3.0';
    succeeded(await newer.publish(await samplePackage(newer, { name: 'mortar', version })));
    // It exits with 1 when something is.
    expect(refused(await client.run(project, 'outdated')).stdout).toContain(version);
  });
});

function inTools(): string[] {
  const registry = gatehouse.projectRegistry(places.tools);
  return [`--registry=${registry}`, `--${registry.replace('http:', '')}:_authToken=${gatehouse.people.root.token}`];
}
