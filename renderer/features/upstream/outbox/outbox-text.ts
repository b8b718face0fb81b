import { compareNames } from '../../../../server/contract/compare-names.ts';
import type { OutboxOperation, OutboxStatus } from '../../../../server/contract/outbox.ts';
import {
  countChanges,
  countsText,
  progressText,
  stoppedText,
  verdictLabels,
} from '../../../../server/contract/outbox-words.ts';
import type { Tone } from '../../../ui/theme/theme.ts';
import { formatCount, plural } from '../../../ui/text/format.ts';

interface Mark {
  label: string;
  tone: Tone;
}

const verdictTones: Record<OutboxOperation['verdict'], Tone> = {
  new: 'accent',
  same: 'plain',
  conflict: 'danger',
  unknown: 'plain',
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
  return state === 'waiting' ? { label: verdictLabels[verdict], tone: verdictTones[verdict] } : states[state];
}

/**
 * What is listed: what needs a person, then what waits, as it was `compared`, both in the order of sending, then what was sent, the newest
 * first.
 */
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
  const order = (a: OutboxOperation, b: OutboxOperation): number => {
    const difference = sections.indexOf(sectionOf(a)) - sections.indexOf(sectionOf(b));
    return difference || (isSettled(a) ? b.changeId - a.changeId : a.changeId - b.changeId);
  };
  return rows.toSorted(order);
}

/** Whether nothing remains to be done for a change. */
function isSettled({ state }: Pick<OutboxOperation, 'state'>): boolean {
  return state === 'done' || state === 'skipped';
}

const sections = ['stopped', 'open', 'settled'] as const;

function sectionOf(operation: Pick<OutboxOperation, 'state'>): (typeof sections)[number] {
  return isSettled(operation) ? 'settled' : needsDecision(operation) ? 'stopped' : 'open';
}

/** The heading that a change stands under; what waits is only `proposed` until it is sent or set up. */
export function outboxSection(operation: Pick<OutboxOperation, 'state'>, proposed: boolean): string {
  const open = proposed ? 'Proposed, in this order' : 'To send, in this order';
  return { stopped: 'Needs a decision', open, settled: 'Done' }[sectionOf(operation)];
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
  return [...names].filter((name) => local.has(name)).toSorted(compareNames);
}

/** How many changes would be sent: those that wait, but for what is there already or conflicts. */
export function countToSend(rows: readonly OutboxOperation[]): number {
  return rows.filter(({ state, verdict }) => state === 'waiting' && (verdict === 'new' || verdict === 'unknown'))
    .length;
}

/** What the button that starts a push says, while anything waits. A push tries again what failed before, but for what is only proposed. */
export function sendLabel(rows: readonly OutboxOperation[], upstream: string, proposed: boolean): string {
  const waiting = countToSend(rows);
  const again = proposed ? 0 : countChanges(rows).failed;
  const conflicts = rows.filter(({ state, verdict }) => state === 'waiting' && verdict === 'conflict').length;
  if (waiting + again === 0) return conflicts === 0 ? 'Mark as sent' : `Decide on ${plural(conflicts, 'conflict')}`;
  const all = waiting > 0 && again > 0 ? 'all ' : '';
  return `Send ${all}${plural(waiting + again, 'change')} to ${upstream}`;
}

/** The outbox in a line: "3 changes to send (2 already there), 1 conflict", or how far a push is. */
export function outboxSummary(rows: readonly OutboxOperation[], status: OutboxStatus, proposed: boolean): string {
  const counts = countChanges(rows);
  const { toSend } = counts;
  if ((status.running && !status.waiting) || countsText(counts) === '') return progressText(status);
  if (status.waiting) {
    const when = status.retryAt === null ? 'Gatehouse is online' : `${status.upstream} is reachable`;
    return `${countsText(counts)}. Continues when ${when}.`;
  }
  const open = proposed ? `${plural(toSend, 'change')} proposed` : countsText({ toSend, conflicts: 0, failed: 0 });
  const waits = toSend === 0 ? '' : `${open}${comparisonText(rows, toSend)}`;
  return [waits, stoppedText(counts)].filter((part) => part !== '').join(', ');
}

/** How what waits compares with the registry, as far as it differs from what is to be expected. */
function comparisonText(rows: readonly OutboxOperation[], toSend: number): string {
  const count = (verdict: OutboxOperation['verdict']): number =>
    rows.filter((row) => row.state === 'waiting' && row.verdict === verdict).length;
  const [same, conflicts] = [count('same'), count('conflict')];
  if (same === toSend) return toSend === 1 ? ', already there' : ', all already there';
  const parts = [same > 0 ? `${formatCount(same)} already there` : '', stoppedText({ conflicts, failed: 0 })];
  const text = parts.filter((part) => part !== '').join(', ');
  return text === '' ? '' : ` (${text})`;
}

/** Names in a line, of many the first three. */
export function fewOf(names: readonly string[]): string {
  const more = names.length - 3;
  return more > 1 ? `${names.slice(0, 3).join(', ')} and ${formatCount(more)} more` : names.join(', ');
}
