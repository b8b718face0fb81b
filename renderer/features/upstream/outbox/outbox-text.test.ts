import { describe, expect, it } from 'vitest';
import { fullySentPackages, markOf, needsDecision, operationText, planSummary, pushSummary } from './outbox-text.ts';

const nothing = { version: null, tag: null, message: null };

describe('a change of the outbox', () => {
  it('is named in a few words, whatever its kind', () => {
    expect(operationText({ ...nothing, kind: 'publish', version: '1.0.0' })).toBe('Publish 1.0.0');
    expect(operationText({ ...nothing, kind: 'tag.set', tag: 'next', version: '2.0.0' })).toBe(
      'Set the tag next to 2.0.0',
    );
    expect(operationText({ ...nothing, kind: 'tag.remove', tag: 'next' })).toBe('Remove the tag next');
    expect(operationText({ ...nothing, kind: 'deprecate', version: '1.0.0', message: 'old' })).toBe('Deprecate 1.0.0');
    expect(operationText({ ...nothing, kind: 'deprecate', version: '1.0.0', message: '' })).toBe('Undeprecate 1.0.0');
    expect(operationText({ ...nothing, kind: 'unpublish', version: '1.0.0' })).toBe('Unpublish 1.0.0');
  });

  it('is marked by its verdict in a plan, and by its state in a push', () => {
    const operation = { verdict: 'new', state: 'failed' } as const;
    expect(markOf(operation, 'plan').label).toBe('New');
    expect(markOf(operation, 'push').label).toBe('Failed');
  });

  it('lets a package be handed over only when all of it was sent, and it is still here', () => {
    const operations = [
      { name: 'whole', state: 'done' },
      { name: 'whole', state: 'done' },
      { name: 'half', state: 'done' },
      { name: 'half', state: 'waiting' },
      { name: 'gone', state: 'done' },
      { name: 'another', state: 'done' },
    ] as const;
    expect(fullySentPackages(operations, new Set(['whole', 'half', 'another']))).toEqual(['another', 'whole']);
  });

  it('needs a decision after a conflict or a failure only', () => {
    const waiting = (['waiting', 'running', 'done', 'failed', 'conflict', 'skipped'] as const).filter((state) =>
      needsDecision({ state }),
    );
    expect(waiting).toEqual(['failed', 'conflict']);
  });
});

describe('the outbox in a line', () => {
  it('counts what waits to be sent automatically before anything was sent', () => {
    const none = { upstreamId: 1, upstream: 'work', running: false, done: 0, failed: 0, conflicts: 0, current: null };
    expect(pushSummary({ ...none, total: 54, waiting: true, retryAt: 5, operations: [] })).toBe(
      '0 of 54 changes sent to work. Continues when work is reachable.',
    );
  });

  it('counts only what there is', () => {
    expect(planSummary({ new: 3, same: 1, conflict: 1, unknown: 0 })).toBe('3 to send, 1 already there, 1 conflict');
    expect(planSummary({ new: 0, same: 0, conflict: 0, unknown: 2 })).toBe('2 could not be compared');
    expect(planSummary({ new: 0, same: 0, conflict: 0, unknown: 0 })).toBe('Nothing to send');
  });

  it('says that a push waits for the registry', () => {
    const status = {
      upstreamId: 1,
      upstream: 'work',
      running: true,
      total: 4,
      done: 1,
      failed: 1,
      conflicts: 2,
      current: null,
      waiting: false,
      retryAt: null,
      operations: [],
    };
    expect(pushSummary(status)).toBe('1 of 4 changes sent to work, 1 failed, 2 conflicts');
    expect(pushSummary({ ...status, waiting: true, retryAt: 5 })).toContain('Continues when work is reachable.');
    expect(pushSummary({ ...status, waiting: true })).toContain('Continues when the offline switch is off.');
  });
});
