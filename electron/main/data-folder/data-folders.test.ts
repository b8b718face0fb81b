import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerHost } from '../host/server-host.ts';
import { Settings, storedSettings } from '../settings/settings.ts';
import { DataFolders } from './data-folders.ts';
import { copyFolder, type CopyOptions } from './folder-copy.ts';
import { chooseTarget, claim, discard, release, removeData } from './move-target.ts';

vi.mock('electron', () => ({}));
const { startNode } = await import('../host/server-process.ts');

const fakeServer = path.resolve(import.meta.dirname, '../../../test/support/fake-server.ts');

let base = '';
let from = '';

beforeEach(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'gatehouse-move-'));
  from = path.join(base, 'registry');
  await mkdir(path.join(from, 'tarballs/ab'), { recursive: true });
  await mkdir(path.join(from, 'tmp'));
  await writeFile(path.join(from, 'gatehouse.db'), 'rows');
  await writeFile(path.join(from, 'gatehouse.lock'), '');
  await writeFile(path.join(from, 'tmp/half'), 'an upload');
  await writeFile(path.join(from, 'initial_root_token'), 'token', { mode: 0o600 });
  await writeFile(path.join(from, 'tarballs/ab/cd'), Buffer.alloc(3_000_000, 7));
});

afterEach(() => rm(base, { recursive: true, force: true }));

function copyTo(to: string, onProgress: CopyOptions['onProgress'] = () => undefined, stop = new AbortController()) {
  return copyFolder({ from, to, signal: stop.signal, onProgress });
}

describe('copying a data folder', () => {
  it('copies every file with its mode, except those of a running server', async () => {
    const to = path.join(base, 'new');
    const reports: [number, number][] = [];
    await copyTo(to, (done, total) => reports.push([done, total]));
    expect((await readdir(to)).sort()).toEqual(['gatehouse.db', 'initial_root_token', 'tarballs']);
    expect(await readFile(path.join(to, 'tarballs/ab/cd'))).toEqual(await readFile(path.join(from, 'tarballs/ab/cd')));
    expect((await stat(path.join(to, 'initial_root_token'))).mode & 0o777).toBe(0o600);
    const [done, total] = reports.at(-1) ?? [];
    expect(done).toBe(total);
    expect(total).toBe(2 * (3_000_000 + 4 + 5));
  });

  it('continues an interrupted copy, and replaces what differs', async () => {
    const to = path.join(base, 'new');
    await copyTo(to);
    const kept = await stat(path.join(to, 'gatehouse.db'));
    await writeFile(path.join(to, 'tarballs/ab/cd'), Buffer.alloc(3_000_000, 8));
    await copyTo(to);
    expect((await stat(path.join(to, 'gatehouse.db'))).ino).toBe(kept.ino);
    expect((await readFile(path.join(to, 'tarballs/ab/cd')))[0]).toBe(7);
  });

  it('can be cancelled', async () => {
    const stop = new AbortController();
    const cancel = (done: number): void => void (done > 1_000_000 && stop.abort(new Error('stopped')));
    await expect(copyTo(path.join(base, 'new'), cancel, stop)).rejects.toThrow('stopped');
  });
});

describe('where the data goes', () => {
  it('is the chosen folder if it is empty, and a new one inside it if not', async () => {
    const empty = path.join(base, 'empty');
    await mkdir(empty);
    expect(await chooseTarget(from, empty)).toBe(empty);
    const full = path.join(base, 'full');
    await mkdir(full);
    await writeFile(path.join(full, 'notes.txt'), 'text');
    expect(await chooseTarget(from, full)).toBe(path.join(full, 'gatehouse-registry'));
  });

  it('is never inside the data, over another registry, or in an interrupted move of other data', async () => {
    await expect(chooseTarget(from, from)).rejects.toThrow('inside');
    await expect(chooseTarget(from, path.join(from, 'tarballs'))).rejects.toThrow('inside');
    const other = path.join(base, 'other');
    await mkdir(other);
    await writeFile(path.join(other, 'gatehouse.db'), '');
    await expect(chooseTarget(from, other)).rejects.toThrow('holds a registry');
    const half = path.join(base, 'half');
    await claim(half, '/elsewhere');
    await expect(chooseTarget(from, half)).rejects.toThrow('/elsewhere');
  });

  it('is the folder of an interrupted move of the same data', async () => {
    const half = path.join(base, 'half');
    await claim(half, from);
    await writeFile(path.join(half, 'gatehouse.db'), 'ro');
    expect(await chooseTarget(from, half)).toBe(half);
  });

  it('keeps files of other programs when its former data is deleted', async () => {
    await writeFile(path.join(from, 'notes.txt'), 'text');
    await removeData(from);
    expect(await readdir(from, { recursive: true })).toEqual(['notes.txt', 'tmp', 'tmp/half']);
  });

  it('is removed after a failure only while it is marked', async () => {
    const target = path.join(base, 'target');
    await claim(target, from);
    await release(target);
    await writeFile(path.join(target, 'gatehouse.db'), 'rows');
    await discard(target);
    expect(await readdir(target)).toEqual(['gatehouse.db']);
    await claim(target, from);
    await discard(target);
    await expect(stat(target)).rejects.toThrow('ENOENT');
  });
});

describe('a move', () => {
  it('is cancelled at once, also while the server starts in the new folder and does not become ready', async () => {
    const read = () => storedSettings.parse({ dataDir: from });
    const settings = new Settings({ read, write: () => undefined } as unknown as ConstructorParameters<
      typeof Settings
    >[0]);
    const current = (): string => settings.current.dataDir ?? '';
    const launch = () => {
      const env = { FAKE_SERVER: current() === from ? 'serve' : 'never-ready' };
      return startNode({ entry: fakeServer, args: [], env }, process.execPath);
    };
    const host = new ServerHost({ launch });
    host.start();
    await expect.poll(() => host.state.phase).toBe('ready');
    const folders = new DataFolders({ host, settings, current });
    const to = path.join(base, 'new');
    const moved = folders.move(to);
    await expect.poll(() => [current(), host.state.phase]).toEqual([to, 'starting']);
    await folders.stopMove();
    expect(await moved).toBe(false);
    expect(current()).toBe(from);
    await expect(stat(to)).rejects.toThrow('ENOENT');
    await expect.poll(() => host.state.phase).toBe('ready');
    await host.stop();
  });
});
