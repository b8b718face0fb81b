import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { putInPlace } from './target-file.ts';

let folder: string;
let dataFolder: string;
let written: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-target-'));
  dataFolder = join(folder, 'data');
  mkdirSync(dataFolder);
  written = join(folder, 'target.partial');
  writeFileSync(written, 'new');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('leaves a file that came while the new one was written, unless it may be replaced', async () => {
  const file = join(folder, 'target');
  writeFileSync(file, 'came meanwhile');
  await expect(putInPlace(written, { file }, dataFolder)).rejects.toThrow('exists already');
  expect(readFileSync(file, 'utf8')).toBe('came meanwhile');
  await putInPlace(written, { file, replace: true }, dataFolder);
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'target']);
});

it('replaces no folder, and nothing in the data folder, also through a link', async () => {
  writeFileSync(join(dataFolder, 'gatehouse.db'), 'database');
  symlinkSync(dataFolder, join(folder, 'link'));
  for (const file of [dataFolder, join(dataFolder, 'gatehouse.db'), join(folder, 'link', 'gatehouse.db')]) {
    await expect(putInPlace(written, { file, replace: true }, dataFolder), file).rejects.toMatchObject({
      code: 'conflict',
    });
  }
  expect(readFileSync(join(dataFolder, 'gatehouse.db'), 'utf8')).toBe('database');
});

it('replaces a link itself, not the file that it leads to', async () => {
  const other = join(dataFolder, 'gatehouse.db');
  writeFileSync(other, 'database');
  const file = join(folder, 'target');
  symlinkSync(other, file);
  await putInPlace(written, { file, replace: true }, dataFolder);
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readFileSync(other, 'utf8')).toBe('database');
});
