import type { BridgeEvent } from '../../server/contract/bridge.ts';
import type { EventPayload } from '../../server/contract/events.ts';
import { keyOf, type QueryKey } from './call.ts';

const activity = keyOf('directory.audit');

/** The queries that an event of the server makes stale, by the beginning of their keys. */
export function staleAfter(event: BridgeEvent): QueryKey[] {
  switch (event.topic) {
    case 'packages.changed': {
      const one = keyOf('packages.get', { packageId: event.payload.packageId });
      return [
        keyOf('packages.list'),
        one,
        keyOf('packages.version'),
        keyOf('contents.dependencies'),
        keyOf('overview.get'),
        // What waits is compared with the version that its tag points at.
        ['releases'],
        // It may be a change that waits to be sent.
        ['outbox'],
        keyOf('offline.get'),
        activity,
      ];
    }
    case 'environments.changed': {
      const { projectId } = event.payload;
      // A group's environment is inherited by every project below it.
      if (projectId === null) return [['environments'], ['guards'], ['releases'], activity];
      return [
        keyOf('environments.listProtected', { projectId }),
        keyOf('environments.access', { projectId }),
        keyOf('environments.decide', { projectId }),
        keyOf('environments.targetsOf'),
        ['guards'],
        ['releases'],
        activity,
      ];
    }
    case 'directory.changed':
      switch (event.payload.subject) {
        case 'token':
          return [keyOf('directory.tokens'), activity];
        case 'project':
        case 'group':
          // A deleted project takes its packages with it, and its path is shown beside each of them.
          return [
            ['directory'],
            ['environments'],
            ['guards'],
            ['packages'],
            ['releases'],
            ['overview'],
            // The default project.
            keyOf('server.status'),
          ];
        default:
          // A rule shows the name of its user or group and disappears with it.
          return [['directory'], ['environments'], ['guards'], ['releases']];
      }
    case 'guards.changed':
      return [['guards'], ['releases'], activity];
    case 'login.changed':
      return [['login']];
    case 'releases.changed':
      return [['releases'], activity];
    case 'publish_age.changed':
      return [keyOf('publishAge.get', { projectId: event.payload.projectId }), activity];
    case 'downloads.counted':
      return event.payload.packageIds.flatMap((packageId) => [
        keyOf('packages.get', { packageId }),
        keyOf('packages.version', { packageId }),
      ]);
    case 'requests.arrived':
      return [keyOf('requests.list'), keyOf('connect.arrivals')];
    case 'connect.changed':
      return [keyOf('connect.selfTest')];
    case 'registry.rewound':
      // The beginning of every key.
      return [[]];
    case 'maintenance.changed':
      return [['maintenance']];
    case 'maintenance.progress':
      return [keyOf('maintenance.jobs')];
    case 'upstream.changed':
      return staleAfterUpstream(event.payload);
    default:
      return ignore(event);
  }
}

function staleAfterUpstream({ subject }: EventPayload<'upstream.changed'>): QueryKey[] {
  switch (subject) {
    case 'settings':
      return [['upstream'], ['offline'], ['outbox'], ['bundles'], activity];
    case 'state':
      return [keyOf('upstream.list'), keyOf('offline.get'), ['outbox']];
    case 'offline':
      return [keyOf('upstream.list'), keyOf('offline.get'), ['outbox'], activity];
    case 'cache':
      return [keyOf('upstream.list'), keyOf('upstream.cached')];
    case 'prefetch':
      return [keyOf('upstream.prefetchJobs')];
    case 'outbox':
      // The end of a push is in the audit trail.
      return [['outbox'], keyOf('offline.get'), activity];
  }
}

// A newer server may announce what this window does not know; that is no reason to fail.
function ignore(_event: never): QueryKey[] {
  return [];
}

/**
 * Collects keys and hands each over once per `flush`, so that a burst of publishes leads to one refetch instead of hundreds.
 * `schedule` runs its argument a little later (a timer in the window, by hand in tests).
 */
export function createInvalidationQueue(
  invalidate: (key: QueryKey) => void,
  schedule: (flush: () => void) => void,
): (stale: readonly QueryKey[]) => void {
  const pending = new Map<string, QueryKey>();
  return (stale) => {
    if (stale.length === 0) return;
    const idle = pending.size === 0;
    for (const key of stale) pending.set(JSON.stringify(key), key);
    if (!idle) return;
    schedule(() => {
      const batch = [...pending.values()];
      pending.clear();
      for (const key of batch) invalidate(key);
    });
  };
}
