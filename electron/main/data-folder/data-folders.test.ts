import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyFolder } from './folder-copy.ts';
import { chooseTarget, claim, discard, release } from './move-target.ts';

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

const never = new AbortController().signal;
const silent = (): void => undefined;

describe('copying a data folder', () => {
  it('brings every file over, with its mode, and leaves what lives only while the server runs', async () => {
    const to = path.join(base, 'new');
    const told: [number, number][] = [];
    await copyFolder({ from, to, signal: never, onProgress: (done, total) => told.push([done, total]) });
    expect((await readdir(to)).sort()).toEqual(['gatehouse.db', 'initial_root_token', 'tarballs']);
    expect(await readFile(path.join(to, 'tarballs/ab/cd'))).toEqual(await readFile(path.join(from, 'tarballs/ab/cd')));
    expect((await stat(path.join(to, 'initial_root_token'))).mode & 0o777).toBe(0o600);
    const [done, total] = told.at(-1) ?? [];
    expect(done).toBe(total);
    expect(total).toBe(2 * (3_000_000 + 4 + 5));
  });

  it('takes up a copy that was cut off, and replaces what differs', async () => {
    const to = path.join(base, 'new');
    await copyFolder({ from, to, signal: never, onProgress: silent });
    const kept = await stat(path.join(to, 'gatehouse.db'));
    await writeFile(path.join(to, 'tarballs/ab/cd'), Buffer.alloc(3_000_000, 8));
    await copyFolder({ from, to, signal: never, onProgress: silent });
    expect((await stat(path.join(to, 'gatehouse.db'))).ino).toBe(kept.ino);
    expect((await readFile(path.join(to, 'tarballs/ab/cd')))[0]).toBe(7);
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const to = path.join(base, 'new');
    const copy = copyFolder({
      from,
      to,
      signal: stop.signal,
      onProgress: (done) => {
        if (done > 1_000_000) stop.abort(new Error('stopped'));
      },
    });
    await expect(copy).rejects.toThrow('stopped');
  });
});

describe('where the data goes', () => {
  it('is the chosen folder if it is empty, and a new one inside it if not', async () => {
    const empty = path.join(base, 'empty');
    await mkdir(empty);
    expect(await chooseTarget(from, empty)).toBe(empty);
    const full = path.join(base, 'full');
    await mkdir(full);
    await writeFile(path.join(full, 'letter.txt'), 'dear');
    expect(await chooseTarget(from, full)).toBe(path.join(full, 'gatehouse-registry'));
  });

  it('is never inside the data, over another registry, or where another move left off', async () => {
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

  it('is a folder whose move was cut off, again', async () => {
    const half = path.join(base, 'half');
    await claim(half, from);
    await writeFile(path.join(half, 'gatehouse.db'), 'ro');
    expect(await chooseTarget(from, half)).toBe(half);
  });

  it('is emptied after a failure only while it is marked', async () => {
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
