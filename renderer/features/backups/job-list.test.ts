import { expect, it } from 'vitest';
import type { Job } from '../../../server/contract/maintenance.ts';
import { jobOutcome, jobProgress } from './job-list.tsx';

const job = (more: Partial<Job>): Job => ({
  id: 1,
  kind: 'doctor',
  state: 'done',
  phase: 'Reading tarballs',
  done: 0,
  total: 0,
  startedAt: 0,
  finishedAt: null,
  error: null,
  report: null,
  backup: null,
  scheduled: false,
  ...more,
});
const checked = { packages: 1, versions: 2, tags: 2, tarballs: 2, bytes: 5000, snapshots: 0 };

it('says how far a job is once that is known', () => {
  expect(jobProgress(job({ state: 'running' }))).toBeUndefined();
  expect(jobProgress(job({ state: 'running', done: 1, total: 4 }))).toBe(25);
  expect(jobOutcome(job({ state: 'running' }))).toBe('Reading tarballs…');
});

it('says that a cancelled job changed nothing, but of a check, which may have repaired something', () => {
  expect(jobOutcome(job({ state: 'cancelled' }))).toBe('Cancelled.');
  expect(jobOutcome(job({ kind: 'backup', state: 'cancelled' }))).toBe('Cancelled. Nothing was changed.');
});

it('says how a job ended', () => {
  const finding = {
    kind: 'orphan_file',
    severity: 'clutter',
    subject: 'x',
    text: 'A file that nothing needs.',
    repair: 'possible',
  } as const;
  expect(jobOutcome(job({ report: { healthy: true, repaired: false, checked, findings: [] } }))).toBe(
    'No problems found. 2 versions, 5.0 kB checked.',
  );
  expect(jobOutcome(job({ report: { healthy: false, repaired: false, checked, findings: [finding] } }))).toBe(
    '1 problem found. 2 versions, 5.0 kB checked.',
  );
  const backup = { file: '/media/a.backup', size: 5000, createdAt: 0, packages: 1, versions: 2, tarballs: 2 };
  expect(jobOutcome(job({ kind: 'backup', backup }))).toBe('Written and verified, with 2 package versions.');
  expect(jobOutcome(job({ kind: 'restore', backup }))).toBe(
    'Restored /media/a.backup. The previous state is kept as the snapshot “before-restore”.',
  );
  expect(jobOutcome(job({ state: 'failed', error: 'The disk is full.' }))).toBe('The disk is full.');
});
