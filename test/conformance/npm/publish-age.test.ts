import { expect, test } from 'vitest';
import { systemActor } from '../../../server/accounts/change.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('test');

interface Packument {
  readonly _rev: string;
  readonly time: Record<string, string>;
}

const day = 86_400_000;

async function shown(): Promise<{ age: number; rev: string; etag: string | undefined }> {
  // Twice, so that the answer is one that was kept.
  await kit.get(`${kit.projectPath()}/first`);
  const answer = await kit.get(`${kit.projectPath()}/first`);
  const packument = answer.json<Packument>();
  const row = kit.registry.packages.store.findPackage(1, 'first');
  const real = kit.registry.packages.store.newestPublish(row?.id ?? 0);
  return { age: real - Date.parse(packument.time['1.0.0'] ?? ''), rev: packument._rev, etag: answer.headers.etag };
}

test('a project shows real times unless it is set to show them older, and real ones again afterwards', async () => {
  await kit.publish({ name: 'first', version: '1.0.0' });
  const real = await shown();
  expect(real.age).toBe(0);
  const project = kit.registry.directory.findProject(1);
  await kit.registry.npm.publishAges.set(systemActor, { id: 1, fullPath: project?.fullPath ?? '' }, 3 * day);
  const aged = await shown();
  expect(aged.age).toBe(3 * day);
  expect(aged.rev).not.toBe(real.rev);
  expect(aged.etag).not.toBe(real.etag);
  await kit.restart();
  expect((await shown()).age).toBe(3 * day);
  await kit.registry.npm.publishAges.set(systemActor, { id: 1, fullPath: '' }, 0);
  expect((await shown()).age).toBe(0);
});

test('it is about one project alone, and written into the audit trail', async () => {
  const other = await kit.project();
  await kit.publish({ name: 'first', version: '1.0.0' });
  await kit.registry.npm.publishAges.set(systemActor, other, day);
  expect((await shown()).age).toBe(0);
  const [row] = kit.registry.audit.list({}, { limit: 1, offset: 0 });
  expect(row).toMatchObject({ action: 'project.publish_age_changed', projectId: other.id });
});
