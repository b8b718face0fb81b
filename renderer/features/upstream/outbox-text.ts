import type { OutboxOperation, OutboxStatus } from '../../../server/contract/upstream.ts';
import type { Tone } from '../../ui/theme.ts';
import { formatCount, plural } from '../../ui/format.ts';

type Subject = Pick<OutboxOperation, 'kind' | 'version' | 'tag' | 'message'>;

/** What a change does, in a few words, without the name of the package. */
export function operationText({ kind, version, tag, message }: Subject): string {
  switch (kind) {
    case 'publish':
      return `Publish ${version ?? ''}`;
    case 'tag.set':
      return `Point ${tag ?? ''} at ${version ?? ''}`;
    case 'tag.remove':
      return `Remove the tag ${tag ?? ''}`;
    case 'deprecate':
      return message === '' ? `Lift the deprecation of ${version ?? ''}` : `Deprecate ${version ?? ''}`;
    case 'unpublish':
      return `Unpublish ${version ?? ''}`;
  }
}

interface Mark {
  label: string;
  tone: Tone;
}

const verdicts: Record<OutboxOperation['verdict'], Mark> = {
  new: { label: 'New', tone: 'accent' },
  same: { label: 'Same', tone: 'plain' },
  conflict: { label: 'Conflict', tone: 'danger' },
  unknown: { label: 'Unknown', tone: 'warn' },
};

const states: Record<OutboxOperation['state'], Mark> = {
  waiting: { label: 'Waiting', tone: 'plain' },
  running: { label: 'Being sent', tone: 'accent' },
  done: { label: 'There', tone: 'accent' },
  failed: { label: 'Failed', tone: 'danger' },
  conflict: { label: 'Conflict', tone: 'danger' },
  skipped: { label: 'Left out', tone: 'plain' },
};

/** The mark of a change: what would happen (in a plan), or what did (in a push). */
export function markOf(operation: Pick<OutboxOperation, 'verdict' | 'state'>, view: 'plan' | 'push'): Mark {
  return view === 'plan' ? verdicts[operation.verdict] : states[operation.state];
}

/** Whether a change waits for somebody to say what is to become of it. */
export function needsDecision({ state }: Pick<OutboxOperation, 'state'>): boolean {
  return state === 'conflict' || state === 'failed';
}

/**
 * The packages that can be given into the other registry's keeping, by name: still this registry's own (`local`), and nothing of what was
 * sent of them is missing there.
 */
export function arrivedPackages(
  operations: readonly Pick<OutboxOperation, 'name' | 'state'>[],
  local: ReadonlySet<string>,
): string[] {
  const names = new Set(operations.map(({ name }) => name));
  for (const { name, state } of operations) if (state !== 'done') names.delete(name);
  return [...names].filter((name) => local.has(name)).toSorted();
}

/** What a plan comes to, in a line: "3 to send, 2 there already, 1 conflict". */
export function planSummary(counts: Record<OutboxOperation['verdict'], number>): string {
  const parts = [
    counts.new > 0 ? `${formatCount(counts.new)} to send` : '',
    counts.same > 0 ? `${formatCount(counts.same)} there already` : '',
    counts.conflict > 0 ? plural(counts.conflict, 'conflict') : '',
    counts.unknown > 0 ? `${formatCount(counts.unknown)} could not be compared` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'Nothing waits to be sent' : parts.join(', ');
}

/** How a push stands, in a line. */
export function pushSummary(status: OutboxStatus): string {
  const { total, done, failed, conflicts, running, upstream } = status;
  const troubles = [
    failed > 0 ? `${formatCount(failed)} failed` : '',
    conflicts > 0 ? plural(conflicts, 'conflict') : '',
  ].filter((part) => part !== '');
  const arrived = `${formatCount(done)} of ${plural(total, 'change')} settled at ${upstream}`;
  const text = [arrived, ...troubles].join(', ');
  if (running && status.retryAt !== null) return `${text}. It goes on as soon as ${upstream} answers.`;
  return text;
}
