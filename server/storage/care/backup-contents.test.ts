import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { afterAll, expect, it } from 'vitest';
import { readContents } from './backup-contents.ts';
import { databaseName, endName, headName } from './backup-format.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-contents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const head = { format: 1, gatehouse: '0.1.0', createdAt: 1_750_000_000_000 };
const end = { databaseSha256: 'ab'.repeat(32), tarballs: 1, packages: 2, versions: 3 };

async function archive(database: Buffer, notes: { head?: object; end?: object } = {}): Promise<string> {
  const file = join(folder, 'one.backup');
  const tar = pack();
  tar.entry({ name: headName }, JSON.stringify({ ...head, ...notes.head }));
  tar.entry({ name: databaseName }, database);
  tar.entry({ name: endName }, JSON.stringify({ ...end, ...notes.end }));
  tar.finalize();
  writeFileSync(file, await buffer(tar));
  return file;
}

it('says what a backup holds, however large its database is', async () => {
  for (const size of [0, 1, 512, 1_000_000]) {
    const file = await archive(Buffer.alloc(size, 1));
    const { size: _size, ...contents } = await readContents(file);
    expect(contents).toEqual({ createdAt: head.createdAt, gatehouse: '0.1.0', packages: 2, versions: 3 });
  }
});

it('takes nothing in the database for the end', async () => {
  const inner = await archive(Buffer.alloc(0), { end: { packages: 77 } });
  expect(await readContents(await archive(readFileSync(inner)))).toMatchObject({ packages: 2 });
});

it('refuses what was cut, is no backup, or was made by a later Gatehouse', async () => {
  const cut = await archive(Buffer.alloc(4_096));
  truncateSync(cut, 4_096);
  await expect(readContents(cut)).rejects.toThrow('it ends too early');
  writeFileSync(cut, 'text');
  await expect(readContents(cut)).rejects.toThrow('it is no backup of Gatehouse');
  await expect(readContents(await archive(Buffer.alloc(1), { head: { format: 2 } }))).rejects.toThrow(
    'update Gatehouse',
  );
});
