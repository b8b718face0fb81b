import { expect } from 'vitest';
import type { Finding, Job } from '../../../server/contract/maintenance.ts';
import type { TestRegistry } from '../../support/registry.ts';

/** Resolves to a job that has done its work; fails the test if it has not. */
export async function finishJob(gatehouse: TestRegistry, id: number): Promise<Job> {
  const job = await gatehouse.registry.maintenance.jobs.ended(id);
  expect(job).toMatchObject({ state: 'done', error: null });
  return job;
}

/** What doctor finds, without repairing anything. */
export async function examineHealth(gatehouse: TestRegistry): Promise<readonly Finding[]> {
  await gatehouse.registry.maintenance.swept();
  return findingsOf(await finishJob(gatehouse, gatehouse.registry.maintenance.examine(false)));
}

export function findingsOf(job: Job): readonly Finding[] {
  expect(job.report).not.toBeNull();
  return job.report?.findings ?? [];
}
