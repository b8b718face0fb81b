import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { headerSize, LogFile, logSize, readEntries } from './log-file.ts';

const token = 'ab'.repeat(16);
const other = 'cd'.repeat(16);

let folder = '';
let file = '';
let log: LogFile;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-log-'));
  file = join(folder, 'commits.log');
  log = new LogFile(file);
  await log.make();
  log.restart(token);
});
afterEach(() => {
  log.close();
  rmSync(folder, { recursive: true });
});

function append(text: string): void {
  log.append(Buffer.concat([Buffer.alloc(headerSize), Buffer.from(text)]));
}

const inFile = (wanted = token): string[] => [...readEntries(file, wanted)].map(String);

it('keeps what was appended, in order, for whoever knows the token', () => {
  append('one');
  append('two'.repeat(5000));
  append('');
  expect(inFile()).toEqual(['one', 'two'.repeat(5000), '']);
  expect([...log.entries()].map(String)).toEqual(inFile());
  expect(inFile(other)).toEqual([]);
});

it('is made at its full size, for its owner only, and goes as a whole', () => {
  expect(statSync(file).size).toBe(logSize);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  log.remove();
  expect(existsSync(file)).toBe(false);
  expect(inFile()).toEqual([]);
});

it('what an earlier round left behind counts no more, wherever the new one ends', () => {
  for (const text of ['old 1', 'old 2', 'old 3']) append(text);
  log.restart(other);
  expect(inFile(other)).toEqual([]);
  append('new 1');
  expect(inFile(other)).toEqual(['new 1']);
  expect(inFile()).toEqual([]);
});

it('an entry that was cut off anywhere is none, and harms none before it', () => {
  append('first');
  append('second '.repeat(10));
  const whole = readFileSync(file);
  const end = 4096 + headerSize + 70;
  for (let cut = 4096; cut < end; cut += 1) {
    writeFileSync(file, Buffer.concat([whole.subarray(0, cut), Buffer.alloc(logSize - cut)]));
    expect(inFile(), `cut at ${cut}`).toEqual(['first']);
    writeFileSync(file, whole.subarray(0, cut));
    expect(inFile(), `ended at ${cut}`).toEqual(['first']);
  }
});

it('an entry with a bit turned over is none', () => {
  append('first');
  append('second');
  const whole = readFileSync(file);
  for (let at = 4096; at < 4096 + headerSize + 6; at += 1) {
    const turned = Buffer.from(whole);
    turned.writeUInt8(turned.readUInt8(at) ^ 0x10, at);
    writeFileSync(file, turned);
    expect(inFile(), `byte ${at}`).toEqual(['first']);
  }
});

it('an entry that is in doubt can be spoilt', () => {
  append('in doubt');
  log.restart(token);
  log.spoilNext();
  expect(inFile()).toEqual([]);
  append('next');
  expect(inFile()).toEqual(['next']);
});

it('says when an entry has no room any more', () => {
  expect(log.fits(logSize)).toBe(true);
  expect(log.fits(logSize + 1)).toBe(false);
  append('a little');
  expect(log.fits(logSize - 4096)).toBe(true);
  expect(log.fits(logSize - 4095)).toBe(false);
});

it('one that cannot be made leaves nothing behind', async () => {
  const missing = join(folder, 'no', 'such', 'folder', 'commits.log');
  const unmade = new LogFile(missing);
  await expect(unmade.make()).rejects.toThrow('ENOENT');
  expect(unmade.isOpen).toBe(false);
});
