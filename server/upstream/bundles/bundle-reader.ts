import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { GatehouseError } from '../../contract/errors.ts';
import { openArchive } from '../../registry/publish/open-archive.ts';
import { shorten } from '../../lib/printable.ts';
import { parseJson } from '../proxy/upstream-client.ts';
import {
  bundleContents,
  contentsFile,
  contentsLimit,
  requireModestContents,
  signatureFile,
  tarballEntry,
  verifyContents,
} from './bundle-format.ts';
import type { BundleContents } from './bundle-format.ts';

export interface ReadBundle {
  readonly contents: BundleContents;
  readonly keyId: string;
  /** Bytes of the whole file. */
  readonly bytes: number;
}

/**
 * Reads a bundle once from start to end: checks the signature first, then passes each tarball on while it checks the bytes.
 * @param accept called with the key before anything that it signed is looked at; throws if it is refused
 * @param visit called for each tarball; must read the bytes to their end, which throws if they are not what was signed
 * @throws GatehouseError `invalid_request` for any damage, `not_found` if there is no such file.
 */
export async function readBundle(
  file: string,
  accept: (keyId: string) => void,
  visit: (sha512: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<ReadBundle> {
  const size = await sizeOf(file);
  const archive = openArchive();
  pipeline(createReadStream(file), archive, () => undefined);
  let contentBytes: Buffer | undefined;
  let read: ReadBundle | undefined;
  const expected = new Map<string, number>();
  try {
    for await (const entry of readable(archive)) {
      const bytes = readable(entry as unknown as AsyncIterable<Buffer>);
      const { name } = entry.header;
      if (name === contentsFile && !contentBytes) contentBytes = await collect(bytes, contentsLimit);
      else if (name === signatureFile && contentBytes && !read) {
        const keyId = verifyContents(contentBytes, await collect(bytes, 64 * 1024));
        accept(keyId);
        requireModestContents(contentBytes);
        read = { contents: parseContents(contentBytes), keyId, bytes: size };
        for (const { versions } of read.contents.packages) {
          for (const version of versions) expected.set(version.sha512, version.size);
        }
      } else {
        const sha512 = tarballEntry.exec(name)?.[1];
        const length = sha512 === undefined ? undefined : expected.get(sha512);
        if (!read || sha512 === undefined || length === undefined)
          throw damaged(`"${shorten(name)}" does not belong there`);
        await visit(sha512, checked(bytes, sha512, length));
        expected.delete(sha512);
      }
    }
  } finally {
    archive.destroy();
  }
  if (!read) throw damaged('it holds no list of contents');
  if (expected.size > 0) throw damaged(`${expected.size} tarballs are missing at its end`);
  return read;
}

/** What the tar reader gives; its own errors, which may be about a file of any kind, become one that says so. */
async function* readable<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* pieces;
  } catch (error) {
    if (error instanceof GatehouseError || (error instanceof Error && 'syscall' in error)) throw error;
    throw damaged('it is no tar archive, or was cut or changed');
  }
}

async function* checked(bytes: AsyncIterable<Buffer>, sha512: string, length: number): AsyncGenerator<Buffer> {
  const hash = createHash('sha512');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
    yield chunk;
  }
  if (size !== length || hash.digest('hex') !== sha512)
    throw damaged(`the tarball ${sha512.slice(0, 12)}… has other bytes`);
}

function parseContents(bytes: Buffer): BundleContents {
  const parsed = bundleContents.safeParse(parseJson(bytes));
  if (parsed.success) return parsed.data;
  throw new GatehouseError(
    'invalid_request',
    'This bundle has a format that this version does not read. Update Gatehouse, or export it again.',
  );
}

async function collect(bytes: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > limit) throw damaged('its list of contents is too long; export it in several parts');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    throw new GatehouseError(
      'not_found',
      `The bundle ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function damaged(what: string): GatehouseError {
  return new GatehouseError('invalid_request', `This file is no bundle, or it is damaged: ${what}.`);
}
