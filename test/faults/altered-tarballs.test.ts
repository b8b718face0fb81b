import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestRegistry } from '../support/registry.ts';
import { FakeUpstream } from '../upstream/support/fake-upstream.ts';
import { addUpstream, noise } from '../upstream/support/upstream-registry.ts';

let gatehouse: TestRegistry;
let upstream: FakeUpstream;
beforeEach(async () => {
  [gatehouse, upstream] = await Promise.all([TestRegistry.start(), FakeUpstream.start()]);
  await addUpstream(gatehouse, upstream.url);
});
afterEach(async () => {
  await gatehouse.stop();
  await upstream.goAway();
});

const pathOf = (name: string): string => `${gatehouse.projectPath()}/${name}/-/${name}-1.0.0.tgz`;
const files = (bytes: number) => ({ 'data.bin': noise(bytes) });
const quarantined = (): string[] =>
  readdirSync(join(gatehouse.dataDir, 'quarantine'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.damaged'),
  );

/** Changes one byte in the middle of every tarball on disk. */
function alterAll(): void {
  const root = join(gatehouse.dataDir, 'tarballs');
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    const middle = Math.floor(bytes.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
    writeFileSync(file, bytes);
  }
}

const activity = (): string[] =>
  gatehouse.registry.audit.list({ search: 'tarball.' }, { limit: 50, offset: 0 }).map((row) => row.targetName);

test.each([
  ['small', 1_000],
  ['large', 900_000],
])('a %s tarball of this registry with a changed byte is never sent whole', async (_size, bytes) => {
  await gatehouse.publish({ name: 'lib', version: '1.0.0', files: files(bytes) });
  alterAll();
  const first = await gatehouse.get(pathOf('lib')).catch(() => undefined);
  expect(first?.status ?? 'cut').not.toBe(200);
  await expect.poll(quarantined).toHaveLength(1);
  await expect.poll(activity).toEqual(['lib@1.0.0']);
  const second = await gatehouse.get(pathOf('lib'));
  expect(second.status).toBe(503);
  expect(second.text).toContain('gatehouse doctor');
});

test.each([
  ['small', 1_000],
  ['large', 900_000],
])(
  'a %s tarball of another registry with a changed byte is never sent whole, and fetched again',
  async (_size, bytes) => {
    const whole = await upstream.publish('lib', '1.0.0', { files: files(bytes) });
    await gatehouse.get(pathOf('lib'));
    alterAll();
    const first = await gatehouse.get(pathOf('lib')).catch(() => undefined);
    if (first) expect(first.bytes.equals(whole)).toBe(true);
    await expect.poll(quarantined).toHaveLength(1);
    await expect.poll(activity).toEqual(['lib@1.0.0']);
    expect((await gatehouse.get(pathOf('lib'))).bytes.equals(whole)).toBe(true);
    expect(upstream.requestsFor('/lib/-/lib-1.0.0.tgz')).toBe(2);
  },
);
