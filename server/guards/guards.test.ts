import { beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry, Change, UnitOfWork } from '../accounts/change.ts';
import { systemActor } from '../accounts/change.ts';
import { Guards, maximumGuards } from './guards.ts';
import type { GuardStore } from './guard-store.ts';
import type { TagGuard } from './records.ts';

let rows: TagGuard[] = [];
let audit: AuditEntry[] = [];
let events: string[] = [];
let guards: Guards;

const store: GuardStore = {
  guards: (projectId) => rows.filter((row) => row.projectId === projectId),
  guard: (projectId, pattern) => rows.find((row) => row.projectId === projectId && row.pattern === pattern),
  insertGuard: (guard) => rows.push({ ...guard, id: rows.length + 1 }),
  updateGuard: (guard) => void (rows = rows.map((row) => (row.id === guard.id ? guard : row))),
  deleteGuard: (id) => void (rows = rows.filter((row) => row.id !== id)),
  onRefusal: () => 'refuse',
  setOnRefusal: () => undefined,
};
const change: Change = {
  now: 1000,
  record: (entry) => void audit.push(entry),
  emit: (topic) => void events.push(topic),
};
const unitOfWork: UnitOfWork = { write: (work) => Promise.resolve().then(() => work(change)) };

beforeEach(() => {
  [rows, audit, events] = [[], [], []];
  guards = new Guards(store, unitOfWork);
});

describe('Guards', () => {
  it('creates a guard, then changes it, each with a row of the audit trail', async () => {
    await guards.set(systemActor, 1, { pattern: 'latest', environment: 'staging', allowSelfApproval: true });
    await guards.set(systemActor, 1, { pattern: 'latest', environment: 'production', deployersWait: true });
    const kept = { environment: 'production', allowSelfApproval: true, deployersWait: true };
    expect(guards.get(1, 'latest')).toMatchObject(kept);
    const first = { environment: 'staging', allow_self_approval: true, deployers_wait: false, on_refusal: 'refuse' };
    expect(audit.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'guard.set', before: undefined, after: first },
      { action: 'guard.set', before: first, after: { ...first, environment: 'production', deployers_wait: true } },
    ]);
    expect(events).toEqual(['guards.changed', 'guards.changed']);
  });

  it('records nothing where nothing changes', async () => {
    for (let round = 0; round < 2; round += 1)
      await guards.set(systemActor, 1, { pattern: 'latest', environment: 'production' });
    expect(audit).toHaveLength(1);
  });

  it('gives back nothing that was changed or removed since the caller looked', async () => {
    const seen = await guards.set(systemActor, 1, { pattern: 'latest', environment: 'staging' });
    await guards.set(systemActor, 1, { pattern: 'latest', environment: 'production', updatedAt: seen.updatedAt });
    const stale = { pattern: 'latest', environment: 'staging', updatedAt: seen.updatedAt };
    await expect(guards.set(systemActor, 1, stale)).rejects.toMatchObject({ code: 'conflict' });
    expect(guards.get(1, 'latest').environment).toBe('production');
    await guards.remove(systemActor, 1, 'latest');
    await expect(guards.set(systemActor, 1, stale)).rejects.toMatchObject({ code: 'conflict' });
    expect(guards.of(1).guards).toEqual([]);
  });

  it('ends a guard once', async () => {
    await guards.set(systemActor, 1, { pattern: 'latest', environment: 'production' });
    await guards.remove(systemActor, 1, 'latest');
    expect(guards.of(1).guards).toEqual([]);
    await expect(guards.remove(systemActor, 1, 'latest')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['', 'production', /Pattern "" matches no dist-tag: it is blank/],
    ['1.0', 'production', /version range/],
    ['a b*', 'production', /no place in a URL/],
    ['la\u0000test', 'production', /cannot be seen/],
    ['x'.repeat(129), 'production', /longer than 128/],
    ['latest', ' ', /Environment can't be blank/],
    ['latest', 'x'.repeat(256), /Environment is too long/],
    ['latest', 'pro\nduction', /Environment contains control characters/],
  ])('refuses the pattern %j for the environment %j', async (pattern, environment, complaint) => {
    const setting = guards.set(systemActor, 1, { pattern, environment });
    await expect(setting).rejects.toMatchObject({ code: 'unprocessable', message: expect.stringMatching(complaint) });
    expect(rows).toEqual([]);
  });

  it.each(['*', '*-lts', 'v1*', '1.*', 'latest', '@x'])('takes the pattern %s', async (pattern) => {
    await expect(guards.set(systemActor, 1, { pattern, environment: 'production' })).resolves.toMatchObject({
      pattern,
    });
  });

  it('keeps a project from having more than it can look through', async () => {
    for (let count = 0; count < maximumGuards; count += 1)
      await guards.set(systemActor, 1, { pattern: `tag-${count}`, environment: 'production' });
    const oneMore = guards.set(systemActor, 1, { pattern: 'latest', environment: 'production' });
    await expect(oneMore).rejects.toThrow(/at most 100 guards/);
    await guards.set(systemActor, 1, { pattern: 'tag-0', environment: 'staging' });
  });
});
