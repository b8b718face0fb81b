import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestRegistry } from '../support/registry.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { examineHealth } from './support/maintenance.ts';

let gatehouse: TestRegistry;
beforeEach(async () => {
  gatehouse = await TestRegistry.start();
});
afterEach(() => gatehouse.stop());

const many = 64;

function counts(statuses: readonly number[]): Record<number, number> {
  const result: Record<number, number> = {};
  for (const status of statuses) result[status] = (result[status] ?? 0) + 1;
  return result;
}

test('of 64 publishes of one version at once one is stored and the others hear that it exists', async () => {
  const documents = await Promise.all(
    Array.from({ length: many }, (_, index) =>
      makePublishDocument({ name: 'contested', version: '1.0.0', files: { 'index.js': `module.exports = ${index};` } }),
    ),
  );
  const answers = await Promise.all(
    documents.map((body) => gatehouse.send('PUT', `${gatehouse.projectPath()}/contested`, { body })),
  );
  expect(counts(answers.map((answer) => answer.status))).toEqual({ 200: 1, 403: many - 1 });
  const winner = documents[answers.findIndex((answer) => answer.status === 200)];
  const packument = (await gatehouse.get(`${gatehouse.projectPath()}/contested`)).json<{
    versions: Record<string, { dist: { integrity: string } }>;
  }>();
  expect(packument.versions['1.0.0']?.dist.integrity).toBe(winner?.versions['1.0.0']?.dist['integrity']);
  expect(await gatehouse.storedTarballs()).toHaveLength(1);
  expect(await gatehouse.temporaryFiles()).toEqual([]);
  expect(await examineHealth(gatehouse)).toEqual([]);
});

test('of 64 publishes of the same bytes under as many names every one keeps its tarball', async () => {
  const bytes = 'the same in all of them';
  await Promise.all(
    Array.from({ length: many }, (_, index) =>
      gatehouse.publish({ name: `same-${index}`, version: '1.0.0', files: { 'index.js': bytes } }),
    ),
  );
  // Half of them go while the same contents come again.
  await Promise.all(
    Array.from({ length: many }, (_, index) =>
      index % 2 === 0
        ? gatehouse.send('DELETE', `${gatehouse.projectPath()}/same-${index}`)
        : gatehouse.publish({ name: `same-${index}`, version: '1.0.1', files: { 'index.js': bytes } }),
    ),
  );
  expect(await examineHealth(gatehouse)).toEqual([]);
});

test('one content that is unpublished and published at once is there whenever a version has it', async () => {
  const body = await makePublishDocument({ name: 'flicker', version: '1.0.0' });
  for (let round = 0; round < 40; round += 1) {
    const path = `${gatehouse.projectPath()}/flicker`;
    const answers = await Promise.all([
      gatehouse.send('PUT', path, { body }),
      gatehouse.send('DELETE', path),
      gatehouse.send('PUT', path, { body }),
      gatehouse.send('DELETE', path),
    ]);
    for (const answer of answers) expect([200, 403, 404]).toContain(answer.status);
    const packument = await gatehouse.get(path);
    const download = await gatehouse.get(`${path}/-/flicker-1.0.0.tgz`);
    expect(download.status).toBe(packument.status);
  }
  expect(await examineHealth(gatehouse)).toEqual([]);
});

test('of 64 changes of one tag at once each is taken in one order, and none is lost from the trail', async () => {
  const versions = Array.from({ length: many }, (_, index) => `1.0.${index}`);
  for (const version of versions) await gatehouse.publish({ name: 'tagged', version });
  const path = `${gatehouse.projectPath()}/-/package/tagged/dist-tags`;
  const answers = await Promise.all(
    versions.map((version) =>
      gatehouse.send('PUT', `${path}/moving`, {
        body: JSON.stringify(version),
        headers: { 'content-type': 'application/json' },
      }),
    ),
  );
  expect(counts(answers.map((answer) => answer.status))).toEqual({ 204: many });
  const changes = gatehouse.registry.audit
    .list({ search: 'tag.set' }, { limit: 200, offset: 0 })
    .map((row) => ({
      before: (row.before as { version: string | null }).version,
      after: (row.after as { version: string }).version,
    }))
    .toReversed();
  expect(changes.map((change) => change.after).toSorted()).toEqual(versions.toSorted());
  // Each begins where the one before it ended.
  expect(changes.map((change) => change.before)).toEqual([null, ...changes.slice(0, -1).map((change) => change.after)]);
  const tags = (await gatehouse.get(path)).json<Record<string, string>>();
  expect(tags['moving']).toBe(changes.at(-1)?.after);
  expect(await examineHealth(gatehouse)).toEqual([]);
});
