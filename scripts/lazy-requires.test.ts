import { createRequire } from 'node:module';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLazyRequires } from './lazy-requires.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-chunks-'));
  await writeFile(
    path.join(folder, 'other.js'),
    `globalThis.loadedChunks.push('other');
     class Box { constructor(content) { this.content = content; } }
     module.exports = { Box, add: (a, b) => a + b, list: [1, 2], 'odd name': 3 };`,
  );
  Object.assign(globalThis, { loadedChunks: [] });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function load(code: string): Promise<Record<string, () => unknown>> {
  const file = path.join(folder, 'chunk.js');
  await writeFile(file, withLazyRequires(`const require_other = require("./other.js");\n${code}`));
  return createRequire(file)(file) as Record<string, () => unknown>;
}

const loaded = () => (globalThis as unknown as { loadedChunks: string[] }).loadedChunks;

test('a chunk is loaded when something of it is first used, and once', async () => {
  const chunk = await load('exports.sum = () => require_other.add(1, 2);');
  expect(loaded()).toEqual([]);
  expect([chunk['sum']?.(), chunk['sum']?.()]).toEqual([3, 3]);
  expect(loaded()).toEqual(['other']);
});

test('a chunk that the top level uses is loaded there and then', async () => {
  await load('const three = require_other.add(1, 2);');
  expect(loaded()).toEqual(['other']);
});

test('instances are made of what the chunk holds and not of what loads it', async () => {
  const chunk = await load('exports.box = () => new require_other.Box("hat").content;');
  expect(chunk['box']?.()).toBe('hat');
});

test('members with other names, and words that only look like the name, stay what they are', async () => {
  const chunk = await load(
    `const require_other$1 = { x: 4 };
     exports.all = () => [require_other["odd name"], require_other$1.x, { require_other: 5 }.require_other];`,
  );
  expect(chunk['all']?.()).toEqual([3, 4, 5]);
});

test('what is spread is loaded too', async () => {
  const chunk = await load('exports.more = () => [0, ...require_other.list];');
  expect(chunk['more']?.()).toEqual([0, 1, 2]);
});

test('a use that would be missed fails the build', () => {
  expect(() => withLazyRequires('const require_other = require("./other.js");\nuse(require_other);')).toThrow(
    'not understood: require_other);',
  );
});

test('what is no chunk is required as it was', () => {
  const code = 'let node_fs = require("node:fs");\nconst own = require("better-sqlite3");\n';
  expect(withLazyRequires(code)).toBe(code);
});
