import { describe, expect, it } from 'vitest';
import type { OutboxOperation, OutboxStatus } from '../../../../server/contract/outbox.ts';
import {
  fewOf,
  fullySentPackages,
  markOf,
  needsDecision,
  operationText,
  outboxRows,
  outboxSection,
  outboxSummary,
  pushSummary,
} from './outbox-text.ts';
import { outboxOperation } from '../../../../test/support/outbox-operation.ts';

const nothing = { version: null, tag: null, message: null };

const change = (changeId: number, more: Partial<OutboxOperation> = {}): OutboxOperation =>
  outboxOperation({ ...nothing, changeId, ...more });

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

  it('is marked by the comparison while it waits, and by what became of it from then on', () => {
    expect(markOf({ verdict: 'unknown', state: 'waiting' }).label).toBe('Waiting');
    expect(markOf({ verdict: 'conflict', state: 'waiting' }).label).toBe('Conflict');
    expect(markOf({ verdict: 'new', state: 'failed' }).label).toBe('Failed');
  });

  it('is listed once, what waits first and in the order of sending, as far as it was compared', () => {
    const offline = 'offline: no request leaves this machine';
    const rows = outboxRows(
      [change(3), change(4), change(5, { error: offline }), change(6)],
      [
        change(1, { state: 'done' }),
        change(2, { state: 'failed', error: 'It failed.' }),
        change(4, { state: 'running' }),
        change(7, { state: 'skipped' }),
      ],
      [
        change(3, { verdict: 'same', explanation: 'It is there.' }),
        change(5, { verdict: 'unknown', explanation: offline }),
        change(6, { explanation: '1.0.0 will be published.' }),
      ],
    );
    expect(rows.map(({ changeId, state, verdict }) => [changeId, state, verdict].join(' '))).toEqual([
      '2 failed new',
      '3 waiting same',
      '4 running new',
      '5 waiting unknown',
      '6 waiting new',
      '7 skipped new',
      '1 done new',
    ]);
    expect([...new Set(rows.map(outboxSection))]).toEqual(['To send, in this order', 'Done']);
    expect(rows.map(({ explanation, error }) => error ?? explanation)).toEqual([
      'It failed.',
      'It is there.',
      '',
      '',
      '',
      '',
      '',
    ]);
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

  it('counts only what there is, and while nothing waits says how the last push ended', () => {
    const none = { upstreamId: 1, upstream: 'work', running: false, current: null, waiting: false, retryAt: null };
    const status: OutboxStatus = { ...none, total: 1, done: 1, failed: 0, conflicts: 0, operations: [] };
    const sent = change(9, { state: 'done' });
    const waits = (verdict: OutboxOperation['verdict']) => change(1, { verdict });
    expect(outboxSummary([waits('unknown'), waits('new'), waits('same'), waits('conflict'), sent], status)).toBe(
      '2 changes to send, 1 already there, 1 conflict',
    );
    expect(outboxSummary([waits('same')], status)).toBe('1 already there');
    expect(outboxSummary([sent], status)).toBe('1 of 1 change sent to work');
    const skipped = { ...status, operations: [change(9, { state: 'skipped' })] };
    expect(pushSummary(skipped)).toBe('1 skipped');
    expect(pushSummary({ ...skipped, total: 3, done: 2 })).toBe('1 of 2 changes sent to work, 1 skipped');
  });

  it('names three of many', () => {
    expect(fewOf(['a', 'b', 'c', 'd'])).toBe('a, b, c, d');
    expect(fewOf(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
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
    expect(pushSummary({ ...status, waiting: true })).toContain('Continues when Gatehouse is online.');
  });
});
