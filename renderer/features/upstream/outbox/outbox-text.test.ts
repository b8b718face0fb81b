import { describe, expect, it } from 'vitest';
import type { OutboxOperation, OutboxStatus } from '../../../../server/contract/outbox.ts';
import { countChanges, countsText } from '../../../../server/contract/outbox-words.ts';
import {
  checkText,
  currentCheck,
  fullySentPackages,
  markOf,
  needsDecision,
  outboxRows,
  outboxSection,
  outboxSummary,
  sendLabel,
  sendingLine,
} from './outbox-text.ts';
import { outboxOperation } from '../../../../test/support/outbox-operation.ts';

const change = (changeId: number, more: Partial<OutboxOperation> = {}): OutboxOperation =>
  outboxOperation({ version: null, changeId, ...more });

describe('a change of the outbox', () => {
  it('is marked by the comparison while it waits, and by what became of it from then on', () => {
    expect(markOf({ verdict: 'unknown', state: 'waiting' }).label).toBe('Waiting');
    expect(markOf({ verdict: 'unknown', state: 'waiting' }, true).label).toBe('Proposed');
    expect(markOf({ verdict: 'conflict', state: 'waiting' }).label).toBe('Conflict');
    expect(markOf({ verdict: 'new', state: 'failed' }).label).toBe('Failed');
  });

  it('is listed once, what needs a person first, then what waits in the order of sending, as far as it was compared', () => {
    const offline = 'offline: no request leaves this machine';
    const rows = outboxRows(
      [change(3), change(4), change(5, { error: offline }), change(6)],
      [
        change(1, { state: 'done' }),
        change(8, { state: 'failed', error: 'It failed.' }),
        change(9, { state: 'conflict', error: '1.0.0 has other contents there.' }),
        change(4, { state: 'running' }),
        change(7, { state: 'skipped' }),
      ],
      [
        change(3, { verdict: 'same', explanation: 'It is there.' }),
        change(5, { verdict: 'unknown', explanation: offline }),
        change(6, { explanation: '1.0.0 will be published.' }),
      ],
      [],
    );
    expect(rows.map(({ changeId, state, verdict }) => [changeId, state, verdict].join(' '))).toEqual([
      '9 conflict new',
      '8 failed new',
      '3 waiting same',
      '4 running new',
      '5 waiting unknown',
      '6 waiting new',
      '7 skipped new',
      '1 done same',
    ]);
    const sections = (proposed: boolean) => [...new Set(rows.map((row) => outboxSection(row, proposed)))];
    expect(sections(false)).toEqual(['Needs a decision', 'Failed', 'To send, in this order', 'Done, newest first']);
    expect(sections(true)[2]).toBe('Proposed, in this order');
    expect(rows.map(({ explanation, error }) => error ?? explanation)).toEqual([
      '1.0.0 has other contents there.',
      'It failed.',
      'It is there.',
      '',
      '',
      '',
      '',
      '',
    ]);
  });

  it('stands by when it was sent or skipped once it is done, the last one first', () => {
    const done = (changeId: number, settledAt: number, state: OutboxOperation['state'] = 'done') =>
      change(changeId, { state, settledAt });
    const rows = outboxRows([], [done(1, 30), done(2, 10), done(3, 20, 'skipped'), done(4, 10)], [], []);
    expect(rows.map(({ changeId }) => changeId)).toEqual([1, 3, 4, 2]);
  });

  it('stands under a heading of its own where a check does not find it, marked as such', () => {
    const rows = outboxRows(
      [],
      [1, 2, 3, 4].map((changeId) => change(changeId, { state: 'done', verdict: 'same' })),
      [],
      [
        change(1, { state: 'done', verdict: 'new' }),
        change(2, { state: 'done', verdict: 'conflict', explanation: '1.0.0 is there again.' }),
        change(3, { state: 'done', verdict: 'same' }),
      ],
    );
    expect(rows.map((row) => [row.changeId, markOf(row).label, row.explanation].join(' '))).toEqual([
      '2 Differs 1.0.0 is there again.',
      '1 Not there ',
      '4 Sent ',
      '3 Sent ',
    ]);
    const lost = 'Sent, but not found there as sent';
    const done = 'Done, newest first';
    expect(rows.map((row) => outboxSection(row, false))).toEqual([lost, lost, done, done]);
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

describe('what a check of sent changes found', () => {
  const found = (verdicts: OutboxOperation['verdict'][], replaced = 0) => {
    const operations = verdicts.map((verdict, index) => change(index, { state: 'done', verdict }));
    return checkText({ operations, replaced }, 'hub');
  };

  it('is said in a sentence', () => {
    expect(found(['same', 'same'])).toBe('hub has all 2 sent changes.');
    expect(found(['same'])).toBe('hub has the sent change.');
    expect(found(['same', 'new', 'conflict'])).toBe('hub has 1 of 3 sent changes; the others are marked below.');
    expect(found(['same', 'new'])).toBe('hub has 1 of 2 sent changes; the other is marked below.');
    expect(found(['new', 'new'])).toBe('hub has none of the 2 sent changes; they are marked below.');
    expect(found(['new'])).toBe('hub does not have the sent change; it is marked below.');
  });

  it('says how much later changes replaced, and takes for missing nothing that could not be read', () => {
    expect(found(['same', 'same'], 1)).toBe('hub has all 2 sent changes; 1 more was replaced here since.');
    expect(found([], 2)).toBe('What was sent to hub was replaced here since.');
    expect(found(['same', 'unknown'])).toBe('1 of 2 sent changes found at hub; the other is marked below.');
  });

  it('counts until another push has ended', () => {
    const sent = [change(1, { state: 'done' }), change(2, { state: 'done' })];
    const check = { operations: sent.slice(1), replaced: 1 };
    const current = (operations: OutboxOperation[], running = false) => currentCheck(check, { running, operations });
    expect(current(sent)).toBe(check);
    expect(current(sent, true)).toBeUndefined();
    expect(current([...sent, change(3, { state: 'done' })])).toBeUndefined();
    expect(current([3, 4].map((changeId) => change(changeId, { state: 'done' })))).toBeUndefined();
  });
});

describe('the outbox in a line', () => {
  const status: OutboxStatus = {
    upstreamId: 1,
    upstream: 'work',
    running: false,
    total: 1,
    done: 1,
    failed: 0,
    conflicts: 0,
    current: null,
    waiting: false,
    retryAt: null,
    operations: [],
  };
  const waits = (verdict: OutboxOperation['verdict'], state: OutboxOperation['state'] = 'waiting') =>
    change(1, { verdict, state });
  const summary = (rows: OutboxOperation[], more: Partial<OutboxStatus> = {}, proposed = false) =>
    outboxSummary(rows, { ...status, ...more }, proposed);

  it('begins with the number that stands beside Upstream, whatever a comparison found', () => {
    const rows = [waits('unknown'), waits('new'), waits('same'), waits('conflict'), waits('new', 'conflict')];
    expect(summary(rows)).toBe('4 changes to send (1 already there, 1 conflict), 1 conflict');
    expect(summary(rows)).toContain(countsText({ ...countChanges(rows), conflicts: 0 }));
    expect(summary([waits('same')])).toBe('1 change to send, already there');
    expect(summary([waits('same'), waits('same')])).toBe('2 changes to send, all already there');
    expect(summary([waits('new', 'failed'), waits('new', 'conflict')])).toBe('1 conflict, 1 failed');
  });

  it('never offers to send nothing', () => {
    const label = (...rows: OutboxOperation[]) => sendLabel(rows, 'work', false);
    expect(label(waits('new'), waits('same'))).toBe('Send 1 change to work');
    expect(label(waits('same'))).toBe('Mark as sent');
    expect(label(waits('same'), waits('conflict'))).toBe('Decide on 1 conflict');
    expect(label(waits('new'), waits('new', 'failed'))).toBe('Send all 2 changes to work');
    expect(label(waits('same'), waits('new', 'failed'))).toBe('Send 1 change to work');
  });

  it('takes nothing for waiting that is only proposed', () => {
    expect(summary([waits('unknown'), waits('new', 'failed')], {}, true)).toBe('1 change proposed, 1 failed');
  });

  it('says how far a push is, how it ended, and what it waits for', () => {
    expect(summary([waits('new', 'done')])).toBe('1 of 1 change sent to work');
    const running = { running: true, total: 4, done: 1 };
    expect(summary([waits('new', 'running')], running)).toBe('1 of 4 changes sent to work');
    const rows = [waits('new'), waits('new', 'failed')];
    const waiting = { ...running, waiting: true };
    expect(summary(rows, waiting)).toBe('1 change to send, 1 failed. Continues when Gatehouse is online.');
    expect(summary(rows, { ...waiting, retryAt: 5 })).toContain('Continues when work is reachable.');
  });

  it('says what the other registry answered while a push waits to try again, not that it is out of reach', () => {
    const operations = [change(1, { error: 'work.test answers with an error (503)' })];
    const rows = outboxRows([], operations, [], []);
    const refused = { running: true, waiting: true, retryAt: 5, operations };
    expect(summary(rows, refused)).toBe('1 change to send. work.test answers with an error (503).');
    expect(summary(rows, { ...refused, retryAt: null })).toContain('Continues when Gatehouse is online.');
  });

  it('does not say of what is only proposed that it is sent', () => {
    const team = { name: 'team', kind: 'gitlab', url: 'http://team.example', pushUrl: null } as const;
    const projects = 'http://team.example/api/v4/projects';
    const line = (pushUrl: string | null) => sendingLine('@acme/*', { ...team, pushUrl }, false);
    expect(line(`${projects}/acme%2Ftools/packages/npm`)).toBe('What is sent: @acme/*, to acme/tools at team');
    expect(line(null)).toBe('What is sent: @acme/*');
    expect(line('http://other.example/npm')).toBe('What is sent: @acme/*');
    expect(sendingLine('@acme/*', team, true)).toBe('What would be sent: @acme/*');
    expect(sendingLine('', team, true)).toBe('');
  });
});
