import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedManifest } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { makeNpm } from './support/npm.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

const predicateType = 'https://slsa.dev/provenance/v1';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
});
afterAll(() => gatehouse.stop());

/** A Sigstore bundle about a tarball, of the shape that npm makes in CI; its signature is none. */
function bundleFor(name: string, version: string, tarball: Buffer): object {
  const digest = { sha512: createHash('sha512').update(tarball).digest('hex') };
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: `pkg:npm/${name.replace('@', '%40')}@${version}`, digest }],
    predicateType,
    predicate: { buildDefinition: { buildType: 'https://example.test/build' } },
  };
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { tlogEntries: [] },
    dsseEnvelope: {
      payload: Buffer.from(JSON.stringify(statement)).toString('base64'),
      payloadType: 'application/vnd.in-toto+json',
      signatures: [{ sig: 'bm9uZQ==', keyid: '' }],
    },
  };
}

describe.each(['npm10', 'npm11', 'npm12'] as const)('%s', (client) => {
  test('sends a provenance bundle along, which is kept and served as it came', async () => {
    const name = `@acme/proven-${client}`;
    const home = path.join(gatehouse.workFolder, `proven-${client}`);
    const options = { registry: gatehouse.projectRegistry(), token: gatehouse.people.root.token };
    const npm = await makeNpm(client, home, options, {
      NODE_OPTIONS: `--require=${path.join(import.meta.dirname, 'support/offline-sigstore.cjs')}`,
    });
    const folder = await samplePackage(npm, { name, version: '1.0.0' });
    succeeded(await npm.run(folder, 'pack'));
    const file = path.join(folder, `acme-proven-${client}-1.0.0.tgz`);
    const bundle = bundleFor(name, '1.0.0', await readFile(file));
    const bundleFile = path.join(npm.home, 'bundle.json');
    await writeFile(bundleFile, JSON.stringify(bundle));
    succeeded(await npm.run(npm.home, 'publish', file, `--provenance-file=${bundleFile}`));

    const dist = (await gatehouse.packument(name))?.versions['1.0.0']?.dist;
    expect(dist?.attestations).toMatchObject({ provenance: { predicateType } });
    const served = await gatehouse.fetch(dist?.attestations?.url ?? '');
    expect(await served.json()).toEqual({ attestations: [{ predicateType, bundle }] });

    const plain = await makeClient(client, gatehouse);
    const project = await plain.newProject();
    succeeded(await plain.add(project, name));
    expect(installedManifest(project, name)['version']).toBe('1.0.0');
  });
});

test('a file that is no bundle is refused before anything is stored', async () => {
  const npm = await makeClient('npm12', gatehouse);
  const folder = await samplePackage(npm, { name: 'unproven', version: '1.0.0' });
  await writeFile(path.join(npm.home, 'bundle.json'), '{}');
  refused(await npm.run(folder, 'publish', `--provenance-file=${path.join(npm.home, 'bundle.json')}`));
  expect(await gatehouse.packument('unproven')).toBeUndefined();
});
