import type { BridgeEvent } from '../../server/contract/bridge.ts';
import type { EventPayload } from '../../server/contract/events.ts';
import { keys, type QueryKey } from './keys.ts';

/** Which kept data an event of the server makes stale: those queries and no others. */
export function staleAfter(event: BridgeEvent): QueryKey[] {
  switch (event.topic) {
    case 'packages.changed':
      return [
        keys.packages.list,
        keys.packages.one(event.payload.packageId),
        keys.dependencies.all,
        keys.overview,
        keys.activity,
      ];
    case 'environments.changed':
      // A group's environment is inherited by every project below it, so all of them may look different.
      return event.payload.projectId === null
        ? [keys.environments.all, keys.activity]
        : [keys.environments.ofProject(event.payload.projectId), keys.activity];
    case 'directory.changed':
      // A rule shows the name of its user or group and disappears with it.
      if (event.payload.subject === 'token') return [keys.directory.tokens, keys.activity];
      return [
        keys.directory.all,
        keys.environments.all,
        keys.activity,
        // A project takes its packages with it, and its path stands beside each of them.
        ...(event.payload.subject === 'project' || event.payload.subject === 'group'
          ? [keys.packages.all, keys.stages, keys.overview]
          : []),
      ];
    case 'login.changed':
      return [keys.logins];
    case 'stages.changed':
      return [keys.stages, keys.activity];
    case 'publish_age.changed':
      return [keys.publishAge.of(event.payload.projectId), keys.activity];
    case 'requests.arrived':
      return [keys.requests];
    case 'connect.changed':
      return [keys.connect];
    case 'registry.rewound':
      // The key of everything.
      return [[]];
    case 'maintenance.changed':
      return [keys.maintenance.all];
    case 'maintenance.progress':
      return [keys.maintenance.jobs];
    case 'upstream.changed':
      return staleAfterUpstream(event.payload);
    default:
      return ignore(event);
  }
}

function staleAfterUpstream({ subject, upstreamId }: EventPayload<'upstream.changed'>): QueryKey[] {
  switch (subject) {
    case 'settings':
      return [keys.upstream.all, keys.activity];
    case 'state':
      return [keys.upstream.list, keys.upstream.offline];
    case 'offline':
      return [keys.upstream.list, keys.upstream.offline, keys.activity];
    case 'cache':
      return [keys.upstream.list, keys.upstream.cached];
    case 'prefetch':
      return [keys.upstream.prefetch];
    case 'outbox':
      return [upstreamId === null ? keys.upstream.all : keys.upstream.outbox(upstreamId)];
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
