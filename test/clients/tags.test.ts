import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientNames, installedManifest } from './support/client.ts';
import type { Client, TagCommands } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
});
afterAll(() => gatehouse.stop());

const withTags = clientNames.filter((name) => name !== 'bun');

describe.each(withTags)('dist-tags with %s', (name) => {
  const scoped = `@acme/tagged-${name}`;
  const plain = `tagged-${name}`;
  let client: Client;
  let tags: TagCommands;
  let folder: string;
  beforeAll(async () => {
    client = await makeClient(name, gatehouse);
    if (!client.tags) throw new Error(`${name} has no dist-tag commands.`);
    tags = client.tags;
    folder = await client.newProject();
    for (const version of ['1.0.0', '1.1.0']) {
      succeeded(await client.publish(await samplePackage(client, { name: scoped, version })));
    }
    succeeded(await client.publish(await samplePackage(client, { name: plain, version: '1.0.0' })));
  });

  const tagsOf = async (of: string): Promise<unknown> => (await gatehouse.packument(of))?.['dist-tags'];

  test('sets one, shows it, and installs by it', async () => {
    succeeded(await tags.add(folder, scoped, '1.0.0', 'stable'));
    succeeded(await tags.add(folder, plain, '1.0.0', 'stable'));
    expect(await tagsOf(scoped)).toEqual({ latest: '1.1.0', stable: '1.0.0' });
    expect(await tagsOf(plain)).toEqual({ latest: '1.0.0', stable: '1.0.0' });
    const { stdout } = succeeded(await tags.list(folder, scoped));
    expect(stdout).toMatch(/stable(: | → )1\.0\.0/);
    expect(stdout).toMatch(/latest(: | → )1\.1\.0/);
    const project = await client.newProject();
    succeeded(await client.add(project, `${scoped}@stable`));
    expect(installedManifest(project, scoped)['version']).toBe('1.0.0');
  });

  test('moves latest to an older version, and the next install gets that', async () => {
    succeeded(await tags.add(folder, scoped, '1.0.0', 'latest'));
    expect(await tagsOf(scoped)).toMatchObject({ latest: '1.0.0' });
    await client.forget();
    const project = await client.newProject();
    succeeded(await client.add(project, scoped));
    expect(installedManifest(project, scoped)['version']).toBe('1.0.0');
  });

  test('removes one', async () => {
    succeeded(await tags.remove(folder, scoped, 'stable'));
    expect(await tagsOf(scoped)).toEqual({ latest: '1.0.0' });
    refused(await tags.remove(folder, scoped, 'stable'));
  });

  test('is told which version there is not, and which tag cannot be', async () => {
    expect(refused(await tags.add(folder, scoped, '9.9.9', 'next')).output).toMatch(/has no\s+[│\s]*version 9\.9\.9/);
    expect(refused(await tags.add(folder, scoped, '1.1.0', '1.x')).output).toMatch(/range/i);
    expect(await tagsOf(scoped)).toEqual({ latest: '1.0.0' });
  });
});
