import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeFolders } from './make-folders.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'gatehouse-make-folders-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

it('makes a folder and those above it for their owner alone', () => {
  makeFolders(join(base, 'one/two'));
  makeFolders(join(base, 'one/two'));
  if (process.platform === 'win32') return;
  for (const name of ['one', 'one/two']) expect(statSync(join(base, name)).mode & 0o777).toBe(0o700);
});

it('fails, and does not try for ever, where none can be', () => {
  writeFileSync(join(base, 'file'), '');
  symlinkSync(join(base, 'nowhere'), join(base, 'link'));
  const virtual = process.platform === 'linux' ? ['/proc', '/proc/missing', '/proc/self'] : [];
  for (const above of [join(base, 'file'), join(base, 'link'), ...virtual]) {
    expect(() => makeFolders(join(above, 'backups')), above).toThrow(/^E/);
  }
});
