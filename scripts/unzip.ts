import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';

/**
 * Unpacks the entries of a zip for which `place` returns a path below `folder`; entries for which it returns null are left out.
 * Rejects if the archive cannot be read or an entry would land outside of `folder`.
 */
export async function unzip(archive: string, folder: string, place: (name: string) => string | null): Promise<void> {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) => {
    yauzl.open(archive, { lazyEntries: true, autoClose: true }, (error, opened) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  await new Promise<void>((resolve, reject) => {
    const unpack = async (entry: yauzl.Entry): Promise<void> => {
      const target = entry.fileName.endsWith('/') ? null : place(entry.fileName);
      if (target !== null) await unpackEntry(zip, entry, containedPath(folder, target));
      zip.readEntry();
    };
    zip.on('entry', (entry: yauzl.Entry) => {
      unpack(entry).catch((error: unknown) => {
        zip.close();
        reject(error instanceof Error ? error : new Error(String(error)));
      });
    });
    zip.on('end', resolve);
    zip.on('error', reject);
    zip.readEntry();
  });
}

function containedPath(folder: string, name: string): string {
  const target = path.resolve(folder, name);
  if (!target.startsWith(path.resolve(folder) + path.sep)) throw new Error(`The archive reaches outside: ${name}`);
  return target;
}

async function unpackEntry(zip: yauzl.ZipFile, entry: yauzl.Entry, target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  const source = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error)));
  });
  // The upper half of the external attributes is the Unix mode; an archive made elsewhere leaves it 0.
  const mode = (entry.externalFileAttributes >>> 16) & 0o777;
  await pipeline(source, createWriteStream(target, { mode: mode === 0 ? 0o644 : mode }));
}
