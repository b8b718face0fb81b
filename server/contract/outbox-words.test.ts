import { describe, expect, it } from 'vitest';
import { outboxOperation } from '../../test/support/outbox-operation.ts';
import type { OutboxStatus } from './outbox.ts';
import { countChanges, countsText, operationText, progressText, sumCounts } from './outbox-words.ts';

const nothing = { version: null, tag: null, message: null };

describe('a change of the outbox', () => {
  it('is named in a few words, whatever its kind', () => {
    expect(operationText({ ...nothing, kind: 'publish', version: '1.0.0' })).toBe('Publish 1.0.0');
    expect(operationText({ ...nothing, kind: 'tag.set', tag: 'next', version: '2.0.0' })).toBe(
      'Set the tag next to 2.0.0',
    );
    expect(operationText({ ...nothing, kind: 'tag.remove', tag: 'next' })).toBe('Remove the tag next');
    expect(operationText({ ...nothing, kind: 'deprecate', version: '1.0.0', message: 'old' })).toBe('Deprecate 1.0.0');
    expect(operationText({ ...nothing, kind: 'deprecate', version: '1.0.0', message: '' })).toBe(
      'Remove the deprecation of 1.0.0',
    );
    expect(operationText({ ...nothing, kind: 'unpublish', version: '1.0.0' })).toBe('Unpublish 1.0.0');
  });
});

describe('the changes of an outbox', () => {
  it('are counted as what waits and, apart from it, what needs a person', () => {
    const states = ['waiting', 'running', 'conflict', 'failed', 'failed', 'done', 'skipped'] as const;
    const counts = countChanges(states.map((state) => ({ state })));
    expect(counts).toEqual({ toSend: 2, conflicts: 1, failed: 2 });
    expect(countsText(counts)).toBe('2 changes to send, 1 conflict, 2 failed');
    expect(countsText(sumCounts([{ toSend: 1, conflicts: 0, failed: 0 }]))).toBe('1 change to send');
    expect(countsText(sumCounts([]))).toBe('');
  });

  it('are sent, skipped or stopped, and only what there is is said', () => {
    const status: OutboxStatus = {
      upstreamId: 1,
      upstream: 'work',
      running: false,
      total: 4,
      done: 1,
      failed: 1,
      conflicts: 2,
      current: null,
      waiting: false,
      retryAt: null,
      operations: [],
    };
    expect(progressText(status)).toBe('1 of 4 changes sent to work, 2 conflicts, 1 failed');
    const skipped = { ...status, failed: 0, conflicts: 0, operations: [outboxOperation({ state: 'skipped' })] };
    expect(progressText({ ...skipped, total: 1 })).toBe('1 skipped');
    expect(progressText({ ...skipped, total: 3, done: 2 })).toBe('1 of 2 changes sent to work, 1 skipped');
  });
});
