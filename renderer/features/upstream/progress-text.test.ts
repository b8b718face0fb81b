import { describe, expect, it } from 'vitest';
import type { BundleEntry } from '../../../server/contract/bundles.ts';
import type { PrefetchJob } from '../../../server/contract/upstream.ts';
import { exportSummary } from '../../ui/bundles/export-text.ts';
import { bundleSummary, entryMark } from './bundles/bundle-text.ts';
import { offlineSummary } from './offline-text.ts';
import { prefetchOutcome, prefetchProblems, prefetchProgress } from './prefetch-panel.tsx';

const job: PrefetchJob = {
  id: 1,
  source: 'package-lock.json',
  state: 'running',
  total: 10,
  done: 4,
  fetched: 3,
  bytes: 2000,
  failures: [{ name: 'a', version: '1.0.0', reason: 'offline, not cached' }],
  startedAt: 0,
  finishedAt: null,
  error: null,
};

describe('a prefetch', () => {
  it('counts what failed as done, and has no progress before the total is known', () => {
    expect(prefetchProgress(job)).toBe(50);
    expect(prefetchProgress({ ...job, total: 0 })).toBeUndefined();
  });

  it('names what failed once, and a reason that all share above the list', () => {
    const unreachable = 'npm.example.com cannot be reached: nothing listens there.';
    const failures = [
      { name: 'a', version: '', reason: unreachable },
      { name: 'b', version: '^1', reason: unreachable },
    ];
    const none = { ...job, state: 'done' as const, total: 2, done: 0, fetched: 0, failures };
    expect(prefetchProblems(none)).toEqual([
      { subject: 'a', reason: '' },
      { subject: 'b@^1', reason: '' },
    ]);
    expect(prefetchProblems({ ...none, source: 'a, b@^1' })).toEqual([]);
    expect(prefetchOutcome(none)).toBe(`None of 2 packages fetched. ${unreachable}`);
    const differing = {
      ...none,
      failures: [...failures, { name: 'c', version: '', reason: 'No version of it fits.' }],
    };
    expect(prefetchProblems(differing)[1]).toEqual({ subject: 'b@^1', reason: unreachable });
    expect(prefetchOutcome(differing)).toBe('None of 2 packages fetched.');
    expect(prefetchOutcome({ ...none, total: 1, failures: failures.slice(1) })).toBe('Not fetched.');
  });

  it('is complete only if nothing failed', () => {
    expect(prefetchOutcome({ ...job, state: 'done' })).toBe('4 of 10 cached, 3 fetched (2.0 kB).');
    expect(prefetchOutcome({ ...job, state: 'done', fetched: 0 })).toBe('4 of 10 cached, none fetched.');
    expect(prefetchOutcome({ ...job, state: 'done', failures: [] })).toBe(
      'Complete: 10 packages, 3 fetched (2.0 kB). They install without a network now.',
    );
    expect(prefetchOutcome({ ...job, state: 'done', fetched: 0, bytes: 0, failures: [] })).toBe(
      'Complete: 10 packages, all here already. They install without a network now.',
    );
    const one = { ...job, state: 'done' as const, total: 1, done: 1, fetched: 1, failures: [] };
    expect(prefetchOutcome(one)).toBe('Complete: 1 package, 1 fetched (2.0 kB). It installs without a network now.');
    expect(prefetchOutcome({ ...one, fetched: 0, bytes: 0 })).toBe(
      'Complete: 1 package, here already. It installs without a network now.',
    );
    expect(prefetchOutcome({ ...job, state: 'failed', error: 'The disk is full.' })).toBe('The disk is full.');
    expect(prefetchOutcome({ ...job, state: 'cancelled' })).toBe('Cancelled. 4 of 10 are cached.');
  });
});

describe('a bundle in a line', () => {
  it('speaks of the future before and of the past after the import', () => {
    const entry = (verdict: BundleEntry['verdict']): BundleEntry => ({
      name: 'a',
      version: '1.0.0',
      origin: 'local',
      size: 1,
      verdict,
      explanation: '',
    });
    const entries = [entry('new'), entry('new'), entry('same'), entry('refused')];
    expect(bundleSummary({ entries, applied: false })).toBe('2 versions to import, 1 already here, 1 refused');
    expect(bundleSummary({ entries, applied: true })).toBe('2 versions imported, 1 already here, 1 refused');
    expect(bundleSummary({ entries: [], applied: false })).toBe('The bundle is empty');
  });

  it('says of each version once how it compares, and which were added as dependencies', () => {
    const entry = { name: '@acme/a', version: '1.0.0', origin: 'local', size: 1, explanation: 'Goes to x' } as const;
    expect(entryMark({ ...entry, verdict: 'same' }, false)).toEqual({ label: 'Already here', tone: 'plain' });
    expect(entryMark({ ...entry, verdict: 'new' }, true)).toMatchObject({ label: 'Imported', detail: 'Goes to x' });
    const entries = ['@acme/a', '@acme/b', 'b'].map((name) => ({ ...entry, name, verdict: 'new' as const }));
    expect(exportSummary({ entries, bytes: 2000 }, ['@acme/*'])).toBe('Exported 3 versions (1 dependency), 2.0 kB');
    expect(exportSummary({ entries, bytes: 2000 }, ['@acme/a@^1'])).toBe(
      'Exported 3 versions (2 dependencies), 2.0 kB',
    );
    expect(exportSummary({ entries, bytes: 2000 }, ['@acme/a', '@acme/b', 'b'])).toBe('Exported 3 versions, 2.0 kB');
  });
});

it('tells the offline switch from an unreachable upstream', () => {
  const waits = (...counts: number[]) =>
    counts.map((toSend, upstreamId) => ({ upstreamId, toSend, conflicts: 3, failed: 0 }));
  const label = (...given: Parameters<typeof offlineSummary>) => {
    const { name, text, isAway } = offlineSummary(...given);
    // The icon stands alone in a narrow window.
    expect(isAway).toBe(/unreachable/i.test(text));
    return `${name}|${text}`;
  };
  expect(label({ mode: 'on', online: false, unsent: [] })).toBe('|Offline');
  expect(label({ mode: 'auto', online: false, unsent: [] })).toBe('|Unreachable');
  expect(label({ mode: 'off', online: true, unsent: [] })).toBe('|Online');
  const state = (status: 'away' | 'reachable') => ({
    status,
    since: null,
    lastError: null,
    retryAt: null,
    finding: null,
  });
  const company = { name: 'company', enabled: true, state: state('away') };
  const npm = { name: 'npm', enabled: true, state: state('reachable') };
  expect(label({ mode: 'auto', online: true, unsent: waits(54) }, [npm, company])).toBe(
    'company| unreachable, 54 to send',
  );
  const both = [company, { ...npm, state: state('away') }];
  expect(label({ mode: 'auto', online: false, unsent: [] }, both)).toBe('|2 registries unreachable');
  expect(label({ mode: 'on', online: false, unsent: waits(600, 600) }, [npm])).toBe('|Offline, 1,200 to send');
});
