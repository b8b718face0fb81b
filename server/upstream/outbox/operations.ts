import type { OutboxOperation } from '../../contract/upstream.ts';
import type { Decision } from './decide.ts';
import type { OutboxChange, OutboxItem } from './outbox-store.ts';

/** A change that nobody has tried to carry yet. */
export function newItem(upstreamId: number, changeId: number): OutboxItem {
  return { upstreamId, changeId, state: 'waiting', forced: false, attempts: 0, error: null, here: null, there: null };
}

/** How a change stands whose upstream could not be asked. */
export function unknownDecision(error: Error): Decision {
  return { verdict: 'unknown', here: null, there: null, explanation: error.message };
}

/** How a change stands as its last attempt left it. */
export function decisionOf(item: OutboxItem): Decision {
  const verdict = item.state === 'conflict' ? 'conflict' : item.state === 'done' ? 'same' : 'new';
  return { verdict, here: item.here, there: item.there, explanation: item.error ?? '' };
}

/** A change as people see it. */
export function operationOf(change: OutboxChange, item: OutboxItem | undefined, decision: Decision): OutboxOperation {
  return {
    changeId: change.id,
    kind: change.kind,
    at: change.at,
    projectId: change.projectId,
    name: change.name,
    version: change.version,
    tag: change.tag,
    message: change.kind === 'deprecate' ? change.value : null,
    ...decision,
    state: item?.state ?? 'waiting',
    attempts: item?.attempts ?? 0,
    error: item?.error ?? null,
  };
}
