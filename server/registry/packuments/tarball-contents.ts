import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Extract } from 'tar-stream';
import { GatehouseError } from '../../contract/errors.ts';
import { openArchive } from '../publish/open-archive.ts';
import type { FileContent, TarballFile } from '../../contract/contents.ts';

/** One entry of an archive as its reader hands it out. */
type Entry = Extract extends AsyncIterable<infer Source> ? Source : never;

/** Bytes of a file that are shown as text; more would stall the window. */
export const shownBytes = 2 * 1024 * 1024;

/**
 * The files of a gzipped tar, by path. The tarball was checked when it was published (TarballInspector), so nothing hostile is
 * expected here; nothing is written anywhere either.
 */
export async function listTarball(tarball: Readable): Promise<TarballFile[]> {
  const files: TarballFile[] = [];
  await eachFile(tarball, async (path, entry) => {
    const hash = createHash('sha1');
    for await (const chunk of entry as unknown as AsyncIterable<Buffer>) hash.update(chunk);
    const executable = (entry.header.mode & 0o111) !== 0;
    files.push({ path, size: entry.header.size, executable, sha1: hash.digest('hex') });
    return false;
  });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** One file of a gzipped tar as text. @throws GatehouseError `not_found`. */
export async function readTarballFile(tarball: Readable, path: string, limit = shownBytes): Promise<FileContent> {
  let content: FileContent | undefined;
  await eachFile(tarball, async (entryPath, entry) => {
    if (entryPath !== path) return false;
    const size = entry.header.size;
    content = size > limit ? { path, size, text: null, withheld: 'large' } : asText(path, await collect(entry));
    return true;
  });
  if (content === undefined) throw new GatehouseError('not_found', `There is no file "${path}" in this version.`);
  return content;
}

/** Shows each file to `visit` until it answers true; paths are below the first folder, which packers name as they like. */
async function eachFile(tarball: Readable, visit: (path: string, entry: Entry) => Promise<boolean>): Promise<void> {
  const gunzip = createGunzip();
  const archive = openArchive();
  // A failure of either source has to end the loop below, which only listens to the last one.
  tarball.on('error', (error) => archive.destroy(error));
  gunzip.on('error', (error) => archive.destroy(error));
  tarball.pipe(gunzip).pipe(archive);
  try {
    for await (const entry of archive) {
      const { type, name } = entry.header;
      const isFile = (type === 'file' || type === 'contiguous-file') && !name.endsWith('/');
      if (isFile && (await visit(withoutFolder(name), entry))) return;
      entry.resume();
    }
  } finally {
    tarball.destroy();
    gunzip.destroy();
  }
}

function withoutFolder(name: string): string {
  return name
    .split('/')
    .slice(1)
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function asText(path: string, bytes: Buffer): FileContent {
  const binary = { path, size: bytes.length, text: null, withheld: 'binary' } as const;
  if (bytes.includes(0)) return binary;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { path, size: bytes.length, text, withheld: null };
  } catch {
    return binary;
  }
}

async function collect(entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry as unknown as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
