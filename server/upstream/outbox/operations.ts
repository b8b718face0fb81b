import { isSettled } from '../../contract/outbox-words.ts';
import type { OutboxOperation } from '../../contract/outbox.ts';
import { integrityOf } from '../../lib/integrity.ts';
import type { VersionRow } from '../../registry/package-store.ts';
import type { Connectivity } from '../network/connectivity.ts';
import type { UpstreamClient } from '../proxy/upstream-client.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import type { Upstreams } from '../upstreams.ts';
import { carries } from './origins.ts';
import type { OriginFacts } from './origins.ts';
import type { OutboxChange, OutboxItem, OutboxStore } from './outbox-store.ts';
import type { Comparison, LocalFacts } from './plan.ts';

/** What the outbox and its pushes work with. */
export interface OutboxContext extends UpstreamContext {
  readonly outboxStore: OutboxStore;
  readonly upstreams: Upstreams;
  readonly client: UpstreamClient;
  readonly connectivity: Connectivity;
  readonly origins: OriginFacts;
}

/** Whether a change is of a project whose packages go to the upstream now. */
export function isCarried(
  { origins }: Pick<OutboxContext, 'origins'>,
  { pushFrom }: Pick<UpstreamRow, 'pushFrom'>,
  { projectId }: Pick<OutboxChange, 'projectId'>,
): boolean {
  return carries(pushFrom, projectId, origins);
}

/** The package of a change. Changes of one are pushed in order, those of others do not wait for it. */
export function packageOf({ projectId, name }: Pick<OutboxChange, 'projectId' | 'name'>): string {
  return `${projectId} ${name}`;
}

/** A change that was never tried. */
export function newItem(upstreamId: number, changeId: number): OutboxItem {
  return {
    upstreamId,
    changeId,
    state: 'waiting',
    forced: false,
    sent: false,
    attempts: 0,
    error: null,
    here: null,
    there: null,
    updatedAt: null,
  };
}

/** A change as its last attempt left it. */
export function lastComparison({ state, here, there, error }: OutboxItem): Comparison {
  const verdict = state === 'conflict' ? 'conflict' : state === 'done' ? 'same' : 'new';
  return { verdict, here, there, explanation: error ?? '' };
}

/** A change as people see it. */
export function operationOf(
  change: OutboxChange,
  item: OutboxItem | undefined,
  comparison: Comparison,
): OutboxOperation {
  const { id, value, ...rest } = change;
  return {
    ...rest,
    changeId: id,
    message: change.kind === 'deprecate' ? value : null,
    ...comparison,
    state: item?.state ?? 'waiting',
    attempts: item?.attempts ?? 0,
    error: item?.error ?? null,
    // What is settled is not saved again.
    settledAt: item && isSettled(item) ? item.updatedAt : null,
  };
}

/** The version of a change as it is here now. */
export function versionOf({ packages }: OutboxContext, change: OutboxChange): VersionRow | undefined {
  if (change.version === null) return undefined;
  const row = packages.findPackage(change.projectId, change.name);
  return row && packages.findVersion(row.id, change.version);
}

/** What a change is compared with on this side. */
export function localFactsOf(context: OutboxContext, upstreamId: number, change: OutboxChange): LocalFacts {
  const row = versionOf(context, change);
  const { outboxStore } = context;
  return {
    integrity: row && `${integrityOf(row.tarballSha512)} ${integrityOf(row.shasum, 'sha1')}`,
    isOurs: (version) => outboxStore.hasArrived(upstreamId, { ...change, version }),
    wasSent: () => outboxStore.wasSent(upstreamId, change),
  };
}
