import { describe, expect, it } from 'vitest';
import type { BridgeEvent } from '../../server/contract/bridge.ts';
import { createInvalidationQueue, staleAfter } from './invalidation.ts';
import { keys, type QueryKey } from './keys.ts';

describe('staleAfter', () => {
  it('names the list and the one package of a publish, and no other package', () => {
    const payload = { projectId: 1, packageId: 7, name: '@acme/ui', change: 'published' } as const;
    expect(staleAfter({ seq: 1, topic: 'packages.changed', payload })).toEqual([
      keys.packages.list,
      keys.packages.one(7),
      keys.dependencies.all,
      keys.overview,
      keys.activity,
    ]);
  });

  it('keeps a rule change of one project to that project, and a group’s to all of them', () => {
    const change = (projectId: number | null, groupId: number | null) =>
      staleAfter({ seq: 1, topic: 'environments.changed', payload: { projectId, groupId, name: 'production' } });
    expect(change(3, null)).toEqual([keys.environments.ofProject(3), keys.activity]);
    expect(change(null, 4)).toEqual([keys.environments.all, keys.activity]);
  });

  it('refetches rules when people change, but not for a token', () => {
    const change = (subject: 'user' | 'token') =>
      staleAfter({ seq: 1, topic: 'directory.changed', payload: { subject } });
    expect(change('user')).toContainEqual(keys.environments.all);
    expect(change('token')).toEqual([keys.directory.tokens, keys.activity]);
  });

  it('refetches the progress of a prefetch without asking for the cache again', () => {
    const change = (subject: 'prefetch' | 'state' | 'outbox', upstreamId: number | null) =>
      staleAfter({ seq: 1, topic: 'upstream.changed', payload: { subject, upstreamId } });
    expect(change('prefetch', null)).toEqual([keys.upstream.prefetch]);
    expect(change('state', 2)).toEqual([keys.upstream.list, keys.upstream.offline]);
    expect(change('outbox', 2)).toEqual([keys.upstream.outbox(2)]);
  });

  it('lets pass what a newer server announces', () => {
    expect(staleAfter({ seq: 1, topic: 'moon.phase', payload: {} } as unknown as BridgeEvent)).toEqual([]);
  });
});

describe('the invalidation queue', () => {
  it('turns a burst into one refetch of each key', () => {
    const refetched: QueryKey[] = [];
    const flushes: (() => void)[] = [];
    const enqueue = createInvalidationQueue(
      (key) => refetched.push(key),
      (flush) => flushes.push(flush),
    );
    for (let publish = 0; publish < 100; publish += 1) enqueue([keys.packages.list, keys.packages.one(publish % 2)]);
    expect(refetched).toEqual([]);
    expect(flushes).toHaveLength(1);
    flushes[0]?.();
    expect(refetched).toEqual([keys.packages.list, keys.packages.one(0), keys.packages.one(1)]);
    enqueue([keys.packages.list]);
    expect(flushes).toHaveLength(2);
  });
});
