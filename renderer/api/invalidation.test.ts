import { describe, expect, it } from 'vitest';
import type { BridgeEvent } from '../../server/contract/bridge.ts';
import { keyOf, type QueryKey } from './call.ts';
import { createInvalidationQueue, staleAfter } from './invalidation.ts';

const activity = keyOf('directory.audit');

describe('staleAfter', () => {
  it('names the list and the one package of a publish, and no other package', () => {
    const payload = { projectId: 1, packageId: 7, name: '@acme/ui', change: 'published' } as const;
    expect(staleAfter({ seq: 1, topic: 'packages.changed', payload })).toEqual([
      keyOf('packages.list'),
      keyOf('packages.get', { packageId: 7 }),
      keyOf('packages.version'),
      keyOf('contents.dependencies'),
      keyOf('overview.get'),
      ['releases'],
      ['outbox'],
      keyOf('offline.get'),
      activity,
    ]);
  });

  it('keeps a rule change of one project to that project, and a group’s to all of them', () => {
    const change = (projectId: number | null, groupId: number | null) =>
      staleAfter({ seq: 1, topic: 'environments.changed', payload: { projectId, groupId, name: 'production' } });
    expect(change(3, null)).toEqual([
      keyOf('environments.listProtected', { projectId: 3 }),
      keyOf('environments.access', { projectId: 3 }),
      keyOf('environments.decide', { projectId: 3 }),
      keyOf('environments.targetsOf'),
      ['guards'],
      // Its rules say which approvals are missing.
      ['releases'],
      activity,
    ]);
    expect(change(null, 4)).toEqual([['environments'], ['guards'], ['releases'], activity]);
  });

  it('refetches rules when people change but not for a token, and packages when projects do', () => {
    const change = (subject: 'user' | 'token' | 'project') =>
      staleAfter({ seq: 1, topic: 'directory.changed', payload: { subject } });
    expect(change('user')).toContainEqual(['environments']);
    expect(change('token')).toEqual([keyOf('directory.tokens'), activity]);
    expect(change('user')).not.toContainEqual(['packages']);
    expect(change('project')).toContainEqual(['packages']);
  });

  it('refetches the progress of a prefetch without asking for the cache again', () => {
    const change = (subject: 'prefetch' | 'state' | 'outbox', upstreamId: number | null) =>
      staleAfter({ seq: 1, topic: 'upstream.changed', payload: { subject, upstreamId } });
    expect(change('prefetch', null)).toEqual([keyOf('upstream.prefetchJobs')]);
    expect(change('state', 2)).toEqual([keyOf('upstream.list'), keyOf('offline.get'), ['outbox']]);
    expect(change('outbox', 2)).toEqual([['outbox'], keyOf('offline.get'), keyOf('directory.audit')]);
  });

  it('refetches the packages whose downloads were counted, and no list of packages', () => {
    expect(staleAfter({ seq: 1, topic: 'downloads.counted', payload: { packageIds: [7, 8] } })).toEqual([
      keyOf('packages.get', { packageId: 7 }),
      keyOf('packages.version', { packageId: 7 }),
      keyOf('packages.get', { packageId: 8 }),
      keyOf('packages.version', { packageId: 8 }),
    ]);
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
    for (let publish = 0; publish < 100; publish += 1)
      enqueue([keyOf('packages.list'), keyOf('packages.get', { packageId: publish % 2 })]);
    expect(refetched).toEqual([]);
    expect(flushes).toHaveLength(1);
    flushes[0]?.();
    expect(refetched).toEqual([
      keyOf('packages.list'),
      keyOf('packages.get', { packageId: 0 }),
      keyOf('packages.get', { packageId: 1 }),
    ]);
    enqueue([keyOf('packages.list')]);
    expect(flushes).toHaveLength(2);
  });
});
