import type { OutboxOperation, OutboxStatus } from '../../../../server/contract/outbox.ts';
import type { Tone } from '../../../ui/theme/theme.ts';
import { formatCount, plural } from '../../../ui/text/format.ts';

type Subject = Pick<OutboxOperation, 'kind' | 'version' | 'tag' | 'message'>;

/** What a change does, in a few words, without the name of the package. */
export function operationText({ kind, version, tag, message }: Subject): string {
  switch (kind) {
    case 'publish':
      return `Publish ${version ?? ''}`;
    case 'tag.set':
      return `Set the tag ${tag ?? ''} to ${version ?? ''}`;
    case 'tag.remove':
      return `Remove the tag ${tag ?? ''}`;
    case 'deprecate':
      return message === '' ? `Undeprecate ${version ?? ''}` : `Deprecate ${version ?? ''}`;
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
  running: { label: 'Sending', tone: 'accent' },
  done: { label: 'Sent', tone: 'accent' },
  failed: { label: 'Failed', tone: 'danger' },
  conflict: { label: 'Conflict', tone: 'danger' },
  skipped: { label: 'Skipped', tone: 'plain' },
};

/** The mark of a change: the comparison in a plan, the state in a push. */
export function markOf(operation: Pick<OutboxOperation, 'verdict' | 'state'>, view: 'plan' | 'push'): Mark {
  return view === 'plan' ? verdicts[operation.verdict] : states[operation.state];
}

/** Whether a change needs a decision before it can continue. */
export function needsDecision({ state }: Pick<OutboxOperation, 'state'>): boolean {
  return state === 'conflict' || state === 'failed';
}

/** The packages that can be handed over, by name: still published here (`local`), with every change of them sent. */
export function fullySentPackages(
  operations: readonly Pick<OutboxOperation, 'name' | 'state'>[],
  local: ReadonlySet<string>,
): string[] {
  const names = new Set(operations.map(({ name }) => name));
  for (const { name, state } of operations) if (state !== 'done') names.delete(name);
  return [...names].filter((name) => local.has(name)).toSorted();
}

/** A plan in a line: "3 to send, 2 already there, 1 conflict". */
export function planSummary(counts: Record<OutboxOperation['verdict'], number>): string {
  const text = joined([
    counts.new > 0 ? `${formatCount(counts.new)} to send` : '',
    counts.same > 0 ? `${formatCount(counts.same)} already there` : '',
    counts.conflict > 0 ? plural(counts.conflict, 'conflict') : '',
    counts.unknown > 0 ? `${formatCount(counts.unknown)} could not be compared` : '',
  ]);
  return text || 'Nothing to send';
}

/** The progress of a push in a line. */
export function pushSummary({ total, done, failed, conflicts, upstream, waiting, retryAt }: OutboxStatus): string {
  const text = joined([
    `${formatCount(done)} of ${plural(total, 'change')} sent to ${upstream}`,
    failed > 0 ? `${formatCount(failed)} failed` : '',
    conflicts > 0 ? plural(conflicts, 'conflict') : '',
  ]);
  if (!waiting) return text;
  return `${text}. Continues when ${retryAt === null ? 'the offline switch is off' : `${upstream} is reachable`}.`;
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');
