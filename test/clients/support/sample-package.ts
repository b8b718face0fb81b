import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from './client.ts';

export interface SampleManifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

/** A small real package in a folder of its own below the client's home. */
export async function samplePackage(client: Pick<Client, 'home'>, manifest: SampleManifest): Promise<string> {
  const folder = path.join(client.home, 'packages', `${manifest.name.replace('/', '+')}-${manifest.version}`);
  await mkdir(folder, { recursive: true });
  const packageJson = { description: `The sample ${manifest.name}`, license: 'MIT', main: 'index.js', ...manifest };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(packageJson, null, 2)}\n`);
  await writeFile(path.join(folder, 'index.js'), `module.exports = '${manifest.name} ${manifest.version}';\n`);
  await writeFile(path.join(folder, 'README.md'), `# ${manifest.name}\n\nA sample package of the tests.\n`);
  // Yarn 4 takes a folder without a lockfile of its own for a part of what is above it.
  await writeFile(path.join(folder, 'yarn.lock'), '');
  return folder;
}
