import { existsSync, readFileSync, rmSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { StartupError } from '../../lib/startup-error.ts';
import type { Sqlite, Statement } from './sqlite.ts';

/*
 * Versions before 0.2 acknowledged a publish once its statements were in `commits.log` and committed them to SQLite a little later. A server
 * that was killed in between left them there; this applies them once. Remove when no supported release can have written such a file.
 *
 * The file is a row of entries, each at a multiple of 4 KiB: mark, length, number, CRC-32, token (16 bytes), then the statements. An entry
 * counts if it has the token that the database names and the next number; the first that does not, or is cut off, ends the log.
 */
const places = { mark: 0, length: 4, number: 8, checksum: 12, token: 16 } as const;
const headerSize = 32;
const blockSize = 4096;
const mark = 0x67_68_63_6c;
const kinds = { text: 1, run: 2 } as const;
const types = { null: 0, number: 1, bigint: 2, string: 3, bytes: 4 } as const;

type LoggedValue = null | number | bigint | string | Uint8Array;

interface LoggedStatement {
  readonly sql: string;
  readonly values: readonly LoggedValue[];
}

/**
 * Applies a commit log that an older version left, in one transaction, and deletes the file. Must run before migrations, as the statements
 * fit the schema of the version that wrote them.
 * @throws StartupError `databaseDamaged` if a statement cannot be applied; the file and the database are left as they were.
 */
export function applyLegacyCommitLog(sqlite: Sqlite, file: string): void {
  if (!existsSync(file)) return;
  try {
    const token = tokenIn(sqlite);
    if (token !== undefined) sqlite.transaction(() => apply(sqlite, entriesIn(readFileSync(file), token))).immediate();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      'databaseDamaged',
      `The last changes before the crash are in ${file} and cannot be applied to the database (${reason}). Make room on the disk if it is full; else go back to a snapshot with "gatehouse snapshot restore NAME", or move that file away to go on without them.`,
      { cause: error },
    );
  }
  rmSync(file, { force: true });
}

/** Makes a state that is restored one that no commit log continues. */
export function forgetLegacyCommitLog(sqlite: Sqlite): void {
  sqlite.prepare(`DELETE FROM meta WHERE key = 'commit_log'`).run();
}

function tokenIn(sqlite: Sqlite): Buffer | undefined {
  const hasMeta = sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'meta'`).get() !== undefined;
  if (!hasMeta) return undefined;
  const token = sqlite.prepare<[], string>(`SELECT value FROM meta WHERE key = 'commit_log'`).pluck().get();
  return token === undefined ? undefined : Buffer.from(token, 'hex');
}

function apply(sqlite: Sqlite, entries: Iterable<Buffer>): void {
  const prepared = new Map<string, Statement<LoggedValue[]>>();
  for (const entry of entries) {
    for (const { sql, values } of statementsIn(entry)) {
      let statement = prepared.get(sql);
      if (!statement) prepared.set(sql, (statement = sqlite.prepare<LoggedValue[]>(sql)));
      // A statement with RETURNING must be run to its end.
      if (statement.reader) statement.all(...values);
      else statement.run(...values);
    }
  }
  forgetLegacyCommitLog(sqlite);
}

function* entriesIn(log: Buffer, token: Buffer): Generator<Buffer> {
  let position = 0;
  for (let number = 0; position + headerSize <= log.length; number += 1) {
    const header = log.subarray(position, position + headerSize);
    const size = headerSize + header.readUInt32LE(places.length);
    const isNext =
      header.readUInt32LE(places.mark) === mark &&
      header.readUInt32LE(places.number) === number &&
      token.equals(header.subarray(places.token)) &&
      position + size <= log.length;
    if (!isNext) return;
    const entry = log.subarray(position, position + size);
    const checksum = crc32(entry.subarray(places.token), crc32(entry.subarray(0, places.checksum)));
    if (checksum !== header.readUInt32LE(places.checksum)) return;
    yield entry.subarray(headerSize);
    position += Math.ceil(size / blockSize) * blockSize;
  }
}

/** Each statement's text stands once per entry, before its first run; a run names it by number. */
function* statementsIn(bytes: Buffer): Generator<LoggedStatement> {
  const texts: string[] = [];
  let position = 0;
  const take = (size: number): number => {
    const from = position;
    position += size;
    if (position > bytes.length) throw new RangeError('A statement in the log ends too early.');
    return from;
  };
  const block = (): Buffer => {
    const size = bytes.readUInt32LE(take(4));
    return bytes.subarray(take(size), position);
  };
  const value = (): LoggedValue => {
    const type = bytes[take(1)];
    switch (type) {
      case types.null:
        return null;
      case types.number:
        return bytes.readDoubleLE(take(8));
      case types.bigint:
        return bytes.readBigInt64LE(take(8));
      case types.string:
        return block().toString('utf8');
      case types.bytes:
        return block();
      default:
        throw new Error(`The log holds a value of an unknown type, ${type}.`);
    }
  };
  while (position < bytes.length) {
    const kind = bytes[take(1)];
    if (kind === kinds.text) {
      texts.push(block().toString('utf8'));
    } else if (kind === kinds.run) {
      const sql = texts[bytes.readUInt16LE(take(2))];
      if (sql === undefined) throw new Error('The log refers to a statement that it does not hold.');
      const values = Array.from({ length: bytes.readUInt16LE(take(2)) }, value);
      yield { sql, values };
    } else throw new Error(`The log holds an entry of an unknown kind, ${kind}.`);
  }
}
