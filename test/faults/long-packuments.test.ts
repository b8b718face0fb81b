import { expect, test, vi } from 'vitest';
import { kit, useRegistry } from '../support/use-registry.ts';
import { versionLike } from '../support/version-rows.ts';

useRegistry('file');

test('one caller with many host names does not have a long packument rendered for all of them at a time', async () => {
  await kit.publish({ name: 'long', version: '1.0.0' });
  const { packages, directory } = kit.registry;
  const { store } = packages;
  await directory.write((change) => {
    const row = store.findPackage(1, 'long');
    const first = row && store.findVersion(row.id, '1.0.0');
    if (!row || !first) throw new Error('The package is missing.');
    for (let patch = 1; patch < 900; patch += 1) {
      const version = `1.0.${patch}`;
      const manifest = JSON.stringify({ ...(JSON.parse(first.manifest) as object), version, _id: `long@${version}` });
      store.insertVersion(row.id, versionLike(first, { version, manifest, publishedAt: change.now }));
    }
    store.touchPackage(row.id, change.now);
  });
  const read = vi.spyOn(store, 'versionsOf');
  const seen = { ended: 0, most: 0 };
  const answers = Array.from({ length: 8 }, async (_, index) => {
    const answer = await kit.get(`${kit.projectPath()}/long`, { headers: { host: `h${index}.localhost` } });
    seen.ended += 1;
    return answer;
  });
  while (seen.ended < answers.length) {
    const second = store.versionsOf(1, 0, 200).at(-1)?.id;
    const begun = read.mock.calls.filter(([, after]) => after === second).length;
    seen.most = Math.max(seen.most, begun - seen.ended);
    await new Promise((resolve) => setImmediate(resolve));
  }
  read.mockRestore();
  const texts = (await Promise.all(answers)).map(
    (answer) => Object.keys(answer.json<{ versions: object }>().versions).length,
  );
  expect(texts).toEqual(Array.from({ length: 8 }, () => 900));
  expect(seen.most).toBeGreaterThan(0);
  // Two are rendered, and some may be on their way to the client.
  expect(seen.most).toBeLessThanOrEqual(6);
});

test('manifests of a megabyte are read a few at a time', async () => {
  await kit.publish({ name: 'fat', version: '1.0.0' });
  const { packages, directory } = kit.registry;
  const { store } = packages;
  const row = store.findPackage(1, 'fat');
  await directory.write((change) => {
    const first = row && store.findVersion(row.id, '1.0.0');
    if (!row || !first) throw new Error('The package is missing.');
    for (let patch = 1; patch <= 20; patch += 1) {
      const version = `1.0.${patch}`;
      const manifest = JSON.stringify({ name: 'fat', version, description: 'x'.repeat(1_000_000) });
      store.insertVersion(row.id, versionLike(first, { version, manifest, publishedAt: change.now }));
    }
    store.touchPackage(row.id, change.now);
  });
  const read = vi.spyOn(store, 'versionsOf');
  const answer = await kit.get(`${kit.projectPath()}/fat`);
  const sizes = read.mock.results.map(({ value }) => (value as { manifest: string }[]).length);
  read.mockRestore();
  expect(Object.keys(answer.json<{ versions: object }>().versions)).toHaveLength(21);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4);
});
