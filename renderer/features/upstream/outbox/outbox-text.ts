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
      return message === '' ? `Remove the deprecation of ${version ?? ''}` : `Deprecate ${version ?? ''}`;
    case 'unpublish':
      return `Unpublish ${version ?? ''}`;
  }
}

interface Mark {
  label: string;
  tone: Tone;
}

/** Of changes that wait and were compared; what could not be compared just waits. */
const verdicts: Record<OutboxOperation['verdict'], Mark> = {
  new: { label: 'Not there yet', tone: 'accent' },
  same: { label: 'Already there', tone: 'plain' },
  conflict: { label: 'Conflict', tone: 'danger' },
  unknown: { label: 'Waiting', tone: 'plain' },
};

const states: Record<Exclude<OutboxOperation['state'], 'waiting'>, Mark> = {
  running: { label: 'Sending', tone: 'accent' },
  done: { label: 'Sent', tone: 'accent' },
  failed: { label: 'Failed', tone: 'danger' },
  conflict: { label: 'Conflict', tone: 'danger' },
  skipped: { label: 'Skipped', tone: 'plain' },
};

/** The mark of a change: the comparison while it waits, else what became of it. */
export function markOf({ verdict, state }: Pick<OutboxOperation, 'verdict' | 'state'>): Mark {
  return state === 'waiting' ? verdicts[verdict] : states[state];
}

/** What is listed: what waits, as it was `compared`, in the order of sending, then what was sent, the newest first. */
export function outboxRows(
  waiting: readonly OutboxOperation[],
  pushed: readonly OutboxOperation[],
  compared: readonly OutboxOperation[],
): OutboxOperation[] {
  const comparisons = new Map(compared.map((operation) => [operation.changeId, operation]));
  const begun = new Set(pushed.map(({ changeId }) => changeId));
  const rows = [...waiting.filter(({ changeId }) => !begun.has(changeId)), ...pushed].map((row) => {
    if (row.state !== 'waiting') return row;
    const { verdict = 'unknown', explanation = '', there = null } = comparisons.get(row.changeId) ?? {};
    // What is new there says nothing more than the change; why nothing could be compared is the same for all, and said once.
    const isPlain = verdict === 'unknown' || (verdict === 'new' && there === null);
    return { ...row, verdict, explanation: isPlain ? '' : explanation, error: null };
  });
  return rows.toSorted(
    (a, b) =>
      Number(isSettled(a)) - Number(isSettled(b)) || (isSettled(a) ? b.changeId - a.changeId : a.changeId - b.changeId),
  );
}

/** Whether nothing remains to be done for a change. */
function isSettled({ state }: Pick<OutboxOperation, 'state'>): boolean {
  return state === 'done' || state === 'skipped';
}

/** The heading that a change stands under. */
export function outboxSection(operation: Pick<OutboxOperation, 'state'>): string {
  return isSettled(operation) ? 'Done' : 'To send, in this order';
}

/** Whether a change needs a decision before it can continue. */
export function needsDecision({ state }: Pick<OutboxOperation, 'state'>): boolean {
  return state === 'conflict' || state === 'failed';
}

const byName = new Intl.Collator('en', { numeric: true });

/** The packages that can be handed over, by name: still published here (`local`), with every change of them sent. */
export function fullySentPackages(
  operations: readonly Pick<OutboxOperation, 'name' | 'state'>[],
  local: ReadonlySet<string>,
): string[] {
  const names = new Set(operations.map(({ name }) => name));
  for (const { name, state } of operations) if (state !== 'done') names.delete(name);
  return [...names].filter((name) => local.has(name)).toSorted(byName.compare);
}

/** How many changes would be sent: those that wait, but for what is there already or conflicts. */
export function countToSend(rows: readonly OutboxOperation[]): number {
  return rows.filter(({ state, verdict }) => state === 'waiting' && (verdict === 'new' || verdict === 'unknown'))
    .length;
}

/** The outbox in a line: "3 changes to send, 2 already there, 1 conflict", or how far a push is. */
export function outboxSummary(rows: readonly OutboxOperation[], status: OutboxStatus): string {
  if (status.running || status.waiting || rows.every(({ state }) => state !== 'waiting')) return pushSummary(status);
  const toSend = countToSend(rows);
  const [same = 0, conflicts = 0, failed = 0] = ['Already there', 'Conflict', 'Failed'].map(
    (label) => rows.filter((row) => markOf(row).label === label).length,
  );
  return joined([
    toSend > 0 ? `${plural(toSend, 'change')} to send` : '',
    same > 0 ? `${formatCount(same)} already there` : '',
    conflicts > 0 ? plural(conflicts, 'conflict') : '',
    failed > 0 ? `${formatCount(failed)} failed` : '',
  ]);
}

/** The progress of a push in a line. */
export function pushSummary(status: OutboxStatus): string {
  const { total, done, failed, conflicts, upstream, waiting, retryAt, operations } = status;
  const skipped = operations.filter(({ state }) => state === 'skipped').length;
  const text = joined([
    skipped < total ? `${formatCount(done - skipped)} of ${plural(total - skipped, 'change')} sent to ${upstream}` : '',
    skipped > 0 ? `${formatCount(skipped)} skipped` : '',
    failed > 0 ? `${formatCount(failed)} failed` : '',
    conflicts > 0 ? plural(conflicts, 'conflict') : '',
  ]);
  if (!waiting) return text;
  return `${text}. Continues when ${retryAt === null ? 'Gatehouse is online' : `${upstream} is reachable`}.`;
}

/** Names in a line, of many the first three. */
export function fewOf(names: readonly string[]): string {
  const more = names.length - 3;
  return more > 1 ? `${names.slice(0, 3).join(', ')} and ${formatCount(more)} more` : names.join(', ');
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ');
