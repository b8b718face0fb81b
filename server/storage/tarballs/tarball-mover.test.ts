import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TarballKeeper } from '../../registry/publish/tarball-keeper.ts';
import { FreshTarballs, largestFresh } from './fresh-tarballs.ts';
import { migrate, shippedMigrations } from '../database/migrations.ts';
import { checkpoint, openSqlite } from '../database/sqlite.ts';
import type { Sqlite } from '../database/sqlite.ts';
import { TarballMover } from './tarball-mover.ts';
import { DiskTarballStore } from './tarball-store.ts';
import { WriteQueue } from '../database/write-queue.ts';

let folder: string;
let sqlite: Sqlite;
let fresh: FreshTarballs;
let store: DiskTarballStore;
let queue: WriteQueue;
let keeper: TarballKeeper;
let mover: TarballMover;
const used = new Set<string>();
/** How much waited each time that the database was put in order. */
const tidied: number[] = [];

function open(): void {
  sqlite = openSqlite(join(folder, 'gatehouse.db'));
  migrate(sqlite, shippedMigrations());
  fresh = new FreshTarballs(sqlite);
  store = new DiskTarballStore(join(folder, 'tarballs'), join(folder, 'tmp'), fresh);
  queue = new WriteQueue({ sqlite, recordAudit: () => undefined, announce: () => undefined });
  keeper = new TarballKeeper(store, (sha512) => used.has(sha512));
  mover = new TarballMover({
    fresh,
    tarballs: store,
    keeper,
    unitOfWork: queue,
    tidy() {
      tidied.push(waiting());
      checkpoint(sqlite);
    },
  });
}

beforeEach(() => {
  used.clear();
  tidied.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-mover-'));
  mkdirSync(join(folder, 'tarballs'));
  mkdirSync(join(folder, 'tmp'));
  open();
});
afterEach(async () => {
  await mover.close();
  sqlite.close();
  rmSync(folder, { recursive: true, force: true });
});

async function publish(bytes: Buffer): Promise<string> {
  const writer = store.create();
  await writer.write(bytes);
  const { sha512 } = writer.digests();
  await keeper.keepWhile(writer, queue, () => used.add(sha512));
  return sha512;
}

const waiting = (): number => sqlite.prepare<[], number>('SELECT count(*) FROM fresh_tarballs').pluck().get() ?? 0;

async function readAll(sha512: string, range?: { start: number; end: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of store.open(sha512, range)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe('a small content', () => {
  test('is read in every way before it has a file, and in the same ways after', async () => {
    const bytes = randomBytes(2000);
    const sha512 = await publish(bytes);
    const check = async (): Promise<void> => {
      expect(await store.read(sha512)).toEqual(bytes);
      expect(await store.sizeOf(sha512)).toBe(bytes.length);
      expect(await readAll(sha512)).toEqual(bytes);
      expect(await readAll(sha512, { start: 10, end: 19 })).toEqual(bytes.subarray(10, 20));
      const file = await store.openFile(sha512);
      const buffer = Buffer.alloc(50);
      expect(await file?.read(buffer, 50, 1980)).toBe(20);
      expect(buffer.subarray(0, 20)).toEqual(bytes.subarray(1980));
      await file?.close();
    };
    expect(store.hasFile(sha512)).toBe(false);
    await check();
    await mover.settle();
    expect(readFileSync(store.pathOf(sha512))).toEqual(bytes);
    expect(waiting()).toBe(0);
    await check();
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  });

  test('has the database put in order once many were moved, not for each', async () => {
    for (let count = 0; count < 3; count += 1) await publish(randomBytes(100));
    await mover.settle();
    expect(tidied).toEqual([]);
    await Promise.all(Array.from({ length: 70 }, () => publish(randomBytes(100))));
    await mover.settle();
    expect(tidied).toEqual([0]);
    // All of it is in the database file: nothing is left to copy.
    const [left] = sqlite.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
    expect(left?.checkpointed).toBe(left?.log);
  });

  test('is moved by the next start when a crash came first', async () => {
    const bytes = randomBytes(500);
    const sha512 = await publish(bytes);
    const crashed = join(folder, 'crashed');
    mkdirSync(crashed);
    sqlite.exec(`VACUUM INTO '${join(crashed, 'gatehouse.db')}'`);
    const before = { mover, sqlite };
    folder = crashed;
    mkdirSync(join(folder, 'tarballs'));
    mkdirSync(join(folder, 'tmp'));
    open();
    await mover.settle();
    expect(readFileSync(store.pathOf(sha512))).toEqual(bytes);
    await before.mover.close();
    before.sqlite.close();
  });

  test('goes with the commit that fails', async () => {
    const writer = store.create();
    await writer.write(randomBytes(100));
    const { sha512 } = writer.digests();
    const refusal = keeper.keepWhile(writer, queue, () => {
      throw new Error('refused');
    });
    await expect(refusal).rejects.toThrow('refused');
    expect(waiting()).toBe(0);
    expect(await store.read(sha512)).toBeUndefined();
  });

  test('is not written for a version that is refused', async () => {
    const changes = (): unknown => sqlite.prepare('SELECT total_changes()').pluck().get();
    const writer = store.create();
    await writer.write(randomBytes(100));
    const before = changes();
    const refusal = keeper.keepWhile(writer, queue, () => {
      throw new Error('refused');
    });
    await expect(refusal).rejects.toThrow('refused');
    expect(changes()).toBe(before);
  });

  test('is still found after the same bytes came again and were refused', async () => {
    const bytes = randomBytes(100);
    const sha512 = await publish(bytes);
    const writer = store.create();
    await writer.write(bytes);
    const refusal = keeper.keepWhile(writer, queue, () => {
      throw new Error('refused');
    });
    await expect(refusal).rejects.toThrow('refused');
    expect(store.hasFile(sha512)).toBe(false);
    expect(await store.read(sha512)).toEqual(bytes);
    await mover.settle();
    expect(readFileSync(store.pathOf(sha512))).toEqual(bytes);
  });

  test('gets no file once nothing refers to it', async () => {
    const sha512 = await publish(randomBytes(100));
    used.delete(sha512);
    keeper.dropUnused([sha512]);
    await mover.settle();
    expect(waiting()).toBe(0);
    expect(store.hasFile(sha512)).toBe(false);
  });

  test('that was unpublished while its file was made, and published again, is not lost', async () => {
    const bytes = randomBytes(100);
    const sha512 = await publish(bytes);
    const placeAll = store.placeAll.bind(store);
    store.placeAll = async (contents) => {
      await placeAll(contents);
      store.placeAll = placeAll;
      used.delete(sha512);
      keeper.dropUnused([sha512]);
      await publish(bytes);
    };
    await mover.settle();
    expect(await store.read(sha512)).toEqual(bytes);
    await mover.settle();
    expect(readFileSync(store.pathOf(sha512))).toEqual(bytes);
  });

  test('is read in the place of a damaged file at once, and takes its place', async () => {
    const bytes = randomBytes(100);
    const sha512 = await publish(bytes);
    await mover.settle();
    rmSync(store.pathOf(sha512));
    mkdirSync(join(folder, 'tarballs', sha512.slice(0, 2)), { recursive: true });
    await store.placeAll([{ id: 0, sha512, bytes: Buffer.from('damaged') }]);
    await publish(bytes);
    expect(await store.read(sha512)).toEqual(bytes);
    await mover.settle();
    expect(readFileSync(store.pathOf(sha512))).toEqual(bytes);
  });
});

test('a content that is not small has its file before its version is committed', async () => {
  const writer = store.create();
  await writer.write(randomBytes(largestFresh + 1));
  const { sha512 } = writer.digests();
  await keeper.keepWhile(writer, queue, () => expect(existsSync(store.pathOf(sha512))).toBe(true));
  expect(waiting()).toBe(0);
});
