import type { OutboxOperation, OutboxStatus } from './outbox.ts';

// What the window and the command line say of changes that go to another registry, in the same words; without a schema library, as the
// command line loads none.

/** Changes that are neither at another registry nor skipped. */
export interface OutboxCounts {
  /** They wait, or are being sent. */
  readonly toSend: number;
  /** These two need a person before they can go on. */
  readonly conflicts: number;
  readonly failed: number;
}

/** Whether nothing remains to be done for a change: it was sent, or skipped. */
export function isSettled({ state }: Pick<OutboxOperation, 'state'>): boolean {
  return state === 'done' || state === 'skipped';
}

/** Counts changes by what has become of them. Whatever shows a number of unsent changes takes it from here. */
export function countChanges(changes: Iterable<Pick<OutboxOperation, 'state'>>): OutboxCounts {
  const counts = { toSend: 0, conflicts: 0, failed: 0 };
  for (const { state } of changes) {
    if (state === 'waiting' || state === 'running') counts.toSend += 1;
    else if (state === 'conflict') counts.conflicts += 1;
    else if (state === 'failed') counts.failed += 1;
  }
  return counts;
}

/** The counts of several registries together. */
export function sumCounts(all: Iterable<OutboxCounts>): OutboxCounts {
  const sum = { toSend: 0, conflicts: 0, failed: 0 };
  for (const { toSend, conflicts, failed } of all) {
    sum.toSend += toSend;
    sum.conflicts += conflicts;
    sum.failed += failed;
  }
  return sum;
}

/** "3 changes to send, 1 conflict, 2 failed"; empty for none. */
export function countsText({ toSend, ...stopped }: OutboxCounts): string {
  return joined([toSend > 0 ? `${changes(toSend)} to send` : '', stoppedText(stopped)]);
}

/** "1 conflict, 2 failed"; empty for none. */
export function stoppedText({ conflicts, failed }: Pick<OutboxCounts, 'conflicts' | 'failed'>): string {
  return joined([
    conflicts > 0 ? `${conflicts.toLocaleString('en')} ${conflicts === 1 ? 'conflict' : 'conflicts'}` : '',
    failed > 0 ? `${failed.toLocaleString('en')} failed` : '',
  ]);
}

/** How far a push is, or how it ended: "1 of 4 changes sent to work, 2 conflicts, 1 failed". */
export function progressText({ total, done, failed, conflicts, upstream, operations }: OutboxStatus): string {
  const skipped = operations.filter(({ state }) => state === 'skipped').length;
  const sent = `${(done - skipped).toLocaleString('en')} of ${changes(total - skipped)} sent to ${upstream}`;
  return joined([
    skipped < total ? sent : '',
    skipped > 0 ? `${skipped.toLocaleString('en')} skipped` : '',
    stoppedText({ conflicts, failed }),
  ]);
}

/** What the other registry answered last, without a full stop, while a push waits to try again; null where it waits for something else. */
export function waitCause({ retryAt, operations }: Pick<OutboxStatus, 'retryAt' | 'operations'>): string | null {
  if (retryAt === null) return null;
  return operations.find(({ state, error }) => state === 'waiting' && error)?.error ?? null;
}

/** What a change does, in a few words, without the name of the package. */
export function operationText({
  kind,
  version,
  tag,
  message,
}: Pick<OutboxOperation, 'kind' | 'version' | 'tag' | 'message'>): string {
  switch (kind) {
    case 'publish':
      return `Publish ${version ?? ''}`;
    case 'tag.set':
      return `Set the tag ${tag ?? ''} to ${version ?? ''}`;
    case 'tag.remove':
      return `Remove the tag ${tag ?? ''}`;
    case 'deprecate':
      return message === '' ? `Remove the deprecation of ${version ?? ''}` : `Deprecate ${version ?? ''}`;
    case 'unpublish':
      return `Unpublish ${version ?? ''}`;
  }
}

/** How a change that waits compares with the registry; what could not be compared just waits. */
export const verdictLabels = {
  new: 'Not there yet',
  same: 'Already there',
  conflict: 'Conflict',
  unknown: 'Waiting',
} as const satisfies Record<OutboxOperation['verdict'], string>;

/** Parts of a sentence with commas between them; those that are empty are left out. */
function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

function changes(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'change' : 'changes'}`;
}
