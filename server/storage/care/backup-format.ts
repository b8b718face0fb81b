import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { z } from 'zod';
import { GatehouseError } from '../../contract/errors.ts';

/**
 * The archive of a backup is a plain tar, in this order: `gatehouse-backup.json`, each tarball as `tarballs/<64 hex>/<64 hex>` of its
 * SHA-512, `gatehouse.db`, `end.json` with the counts of what precedes it. Without an end an archive is incomplete.
 */
export const headName = 'gatehouse-backup.json';
export const databaseName = 'gatehouse.db';
export const endName = 'end.json';

export const archiveHead = z.object({
  format: z.literal(1),
  gatehouse: z.string(),
  createdAt: z.int(),
});
export type ArchiveHead = z.infer<typeof archiveHead>;

export const archiveEnd = z.object({
  databaseSha256: z.string().regex(/^[0-9a-f]{64}$/),
  tarballs: z.int().min(0),
  packages: z.int().min(0),
  versions: z.int().min(0),
});
export type ArchiveEnd = z.infer<typeof archiveEnd>;

interface Entry extends AsyncIterable<Buffer> {
  readonly header: { readonly name: string; readonly type?: string | null | undefined };
}

const tarballName = /^tarballs\/([0-9a-f]{64})\/([0-9a-f]{64})$/;
/** In bytes. */
export const largestNote = 64 * 1024;

export function nameOfTarball(sha512: string): string {
  return `tarballs/${sha512.slice(0, 64)}/${sha512.slice(64)}`;
}

/** Receives the parts of an archive. */
export interface ArchiveVisitor {
  /** Takes the bytes of a tarball, which are not verified yet. */
  tarball(sha512: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  database(bytes: AsyncIterable<Buffer>): Promise<void>;
  onBytes?(read: number): void;
}

/**
 * Reads an archive and verifies names, order, digests and completeness.
 * @throws GatehouseError `invalid_request` that says what is wrong with the file; what the visitor got by then must not be used.
 */
export async function readArchive(
  file: string,
  visitor: ArchiveVisitor,
  signal?: AbortSignal,
): Promise<ArchiveHead & ArchiveEnd> {
  const source = createReadStream(file, { highWaterMark: 1024 * 1024, ...(signal ? { signal } : {}) });
  const entries = extract();
  let read = 0;
  source.on('data', (chunk) => {
    read += chunk.length;
    visitor.onBytes?.(read);
  });
  source.on('error', (error) => entries.destroy(error));
  source.pipe(entries);
  try {
    return await readEntries(file, entries as unknown as AsyncIterable<Entry>, visitor);
  } catch (error) {
    if (error instanceof GatehouseError || isSystemError(error) || signal?.aborted) throw error;
    // Words of the tar reader, for files of any kind.
    throw refusal(file, 'it is no backup of Gatehouse, or was cut or changed');
  } finally {
    source.destroy();
    entries.destroy();
    await finished(source).catch(() => undefined);
  }
}

async function readEntries(
  file: string,
  entries: AsyncIterable<Entry>,
  visitor: ArchiveVisitor,
): Promise<ArchiveHead & ArchiveEnd> {
  let head: ArchiveHead | undefined;
  let end: ArchiveEnd | undefined;
  let databaseSha256: string | undefined;
  let tarballs = 0;
  for await (const entry of entries) {
    const { name, type } = entry.header;
    if (type !== 'file' || end) throw refusal(file, `it holds "${name.slice(0, 100)}" in a wrong place`);
    if (!head) {
      if (name !== headName) throw refusal(file, 'it is no backup of Gatehouse');
      head = parseNote(file, archiveHead, await note(file, entry));
      continue;
    }
    const digest = tarballName.exec(name);
    if (digest && databaseSha256 === undefined) {
      const sha512 = `${digest[1]}${digest[2]}`;
      const hash = createHash('sha512');
      await visitor.tarball(sha512, tapped(entry, hash));
      if (hash.digest('hex') !== sha512) throw refusal(file, `the tarball ${sha512.slice(0, 16)}… in it is damaged`);
      tarballs += 1;
    } else if (name === databaseName && databaseSha256 === undefined) {
      const hash = createHash('sha256');
      await visitor.database(tapped(entry, hash));
      databaseSha256 = hash.digest('hex');
    } else if (name === endName && databaseSha256 !== undefined) {
      end = parseNote(file, archiveEnd, await note(file, entry));
      if (end.databaseSha256 !== databaseSha256) throw refusal(file, 'the database in it is damaged');
      if (end.tarballs !== tarballs) throw refusal(file, `it holds ${tarballs} of ${end.tarballs} tarballs`);
    } else throw refusal(file, `it holds "${name.slice(0, 100)}" in a wrong place`);
  }
  if (!head || !end) throw refusal(file, 'it ends too early');
  return { ...head, ...end };
}

/** The bytes of an entry, hashed on the way. */
async function* tapped(entry: Entry, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of entry) {
    hash.update(chunk);
    yield chunk;
  }
}

async function note(file: string, entry: Entry): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of entry) {
    size += chunk.length;
    if (size > largestNote) throw refusal(file, 'it is no backup of Gatehouse');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A note of an archive. @throws GatehouseError `invalid_request` if it cannot be read. */
export function parseNote<T>(file: string, schema: z.ZodType<T>, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal(file, 'a note in it cannot be read');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refusal(file, 'it was made by a Gatehouse that this one does not understand; update Gatehouse');
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error;
}

/** Why a file is of no use as a backup. */
export function refusal(file: string, what: string): GatehouseError {
  return new GatehouseError('invalid_request', `The backup ${file} cannot be used: ${what}.`);
}
