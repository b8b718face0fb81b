import { compareNames } from '../../../../server/contract/compare-names.ts';
import type { OutboxOperation, OutboxStatus, SentCheck } from '../../../../server/contract/outbox.ts';
import {
  countChanges,
  countsText,
  isSettled,
  progressText,
  stoppedText,
  verdictLabels,
  waitCause,
} from '../../../../server/contract/outbox-words.ts';
import { publishTarget, takesProjects, type Upstream } from '../../../../server/contract/upstream.ts';
import type { Tone } from '../../../ui/theme/theme.ts';
import { formatCount, plural } from '../../../ui/text/format.ts';

interface Mark {
  label: string;
  tone: Tone;
}

const verdictTones: Record<OutboxOperation['verdict'], Tone> = {
  new: 'plain',
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

/** The marks of what was sent and is not found there as it was sent. */
const sentMarks: Record<Exclude<OutboxOperation['verdict'], 'same'>, Mark> = {
  new: { label: 'Not there', tone: 'danger' },
  conflict: { label: 'Differs', tone: 'danger' },
  unknown: { label: 'Not checked', tone: 'plain' },
};

/** The mark of a change: the comparison while it waits, if not that it is only `proposed`, else what became of it, or what a check found of it since. */
export function markOf({ verdict, state }: Pick<OutboxOperation, 'verdict' | 'state'>, proposed = false): Mark {
  if (state === 'waiting' && verdict === 'unknown' && proposed) return { label: 'Proposed', tone: 'plain' };
  if (state === 'waiting') return { label: verdictLabels[verdict], tone: verdictTones[verdict] };
  return state === 'done' && verdict !== 'same' ? sentMarks[verdict] : states[state];
}

/**
 * What is listed: what conflicts, what failed, then what waits, as it was `compared`, all in the order of sending, then what was `checked`
 * and is not found there, then what else was sent or skipped, both with the newest first.
 */
export function outboxRows(
  waiting: readonly OutboxOperation[],
  pushed: readonly OutboxOperation[],
  compared: readonly OutboxOperation[],
  checked: readonly OutboxOperation[],
): OutboxOperation[] {
  const checks = new Map((isUnread(checked) ? [] : checked).map((operation) => [operation.changeId, operation]));
  const comparisons = new Map(compared.map((operation) => [operation.changeId, operation]));
  const begun = new Set(pushed.map(({ changeId }) => changeId));
  const rows = [...waiting.filter(({ changeId }) => !begun.has(changeId)), ...pushed].map((row) => {
    if (row.state === 'done') {
      const { verdict = 'same', explanation = '' } = checks.get(row.changeId) ?? {};
      return { ...row, verdict, explanation };
    }
    if (row.state !== 'waiting') return row;
    const { verdict = 'unknown', explanation = '', there = null } = comparisons.get(row.changeId) ?? {};
    // What is new there says nothing more than the change; why nothing could be compared is the same for all, and said once.
    const isPlain = verdict === 'unknown' || (verdict === 'new' && there === null);
    return { ...row, verdict, explanation: isPlain ? '' : explanation, error: null };
  });
  const order = (a: OutboxOperation, b: OutboxOperation): number => {
    const difference = sections.indexOf(sectionOf(a)) - sections.indexOf(sectionOf(b));
    if (difference !== 0 || !isSettled(a)) return difference || a.changeId - b.changeId;
    return (b.settledAt ?? 0) - (a.settledAt ?? 0) || b.changeId - a.changeId;
  };
  return rows.toSorted(order);
}

/** Whether a check did not find there what was sent. */
export function isLost({ state, verdict }: Pick<OutboxOperation, 'state' | 'verdict'>): boolean {
  return state === 'done' && verdict !== 'same';
}

const sections = ['conflict', 'failed', 'open', 'lost', 'settled'] as const;

function sectionOf(operation: Pick<OutboxOperation, 'state' | 'verdict'>): (typeof sections)[number] {
  if (isSettled(operation)) return isLost(operation) ? 'lost' : 'settled';
  const { state } = operation;
  return state === 'conflict' || state === 'failed' ? state : 'open';
}

/** The heading that a change stands under; what waits is only `proposed` until it is sent or set up. */
export function outboxSection(operation: Pick<OutboxOperation, 'state' | 'verdict'>, proposed: boolean): string {
  const open = proposed ? 'Proposed, in this order' : 'To send, in this order';
  const lost = 'Sent, but not found there as sent';
  return { conflict: 'Needs a decision', failed: 'Failed', open, lost, settled: 'Done, newest first' }[
    sectionOf(operation)
  ];
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
    return `${countsText(counts)}. ${waitCause(status) ?? `Continues when ${when}`}.`;
  }
  const open = proposed ? `${plural(toSend, 'change')} proposed` : countsText({ toSend, conflicts: 0, failed: 0 });
  const waits = toSend === 0 ? '' : `${open}${comparisonText(rows, toSend)}`;
  return [waits, stoppedText(counts)].filter((part) => part !== '').join(', ');
}

/** A check that is of what is listed as sent now; another push may have ended since. */
export function currentCheck(
  check: SentCheck | undefined,
  { running, operations }: Pick<OutboxStatus, 'running' | 'operations'>,
) {
  const sent = new Set(operations.flatMap(({ changeId, state }) => (state === 'done' ? [changeId] : [])));
  if (check === undefined || running || check.operations.length + check.replaced !== sent.size) return undefined;
  return check.operations.every(({ changeId }) => sent.has(changeId)) ? check : undefined;
}

/** Whether nothing could be compared, the reason for which is said once. */
export function isUnread(checked: readonly OutboxOperation[]): boolean {
  return checked.length > 0 && checked.every(({ verdict }) => verdict === 'unknown');
}

/** What a check found in a sentence: "hub has 15 of 17 sent changes; the others are marked below." */
export function checkText({ operations, replaced }: SentCheck, upstream: string): string {
  const total = operations.length;
  if (total === 0) return `What was sent to ${upstream} was replaced here since.`;
  const count = (searched: OutboxOperation['verdict']): number =>
    operations.filter(({ verdict }) => verdict === searched).length;
  const there = count('same');
  const more =
    replaced === 0 ? '' : `; ${formatCount(replaced)} more ${replaced === 1 ? 'was' : 'were'} replaced here since`;
  const all = plural(total, 'sent change');
  if (there === total) return `${upstream} has ${total === 1 ? 'the sent change' : `all ${all}`}${more}.`;
  const marked =
    there > 0 ? (total - there === 1 ? 'the other is' : 'the others are') : total === 1 ? 'it is' : 'they are';
  const none = total === 1 ? 'does not have the sent change' : `has none of the ${all}`;
  const has = there === 0 ? none : `has ${formatCount(there)} of ${all}`;
  // Of what could not be read nobody knows whether it is there.
  const found = count('unknown') > 0 ? `${formatCount(there)} of ${all} found at ${upstream}` : `${upstream} ${has}`;
  return `${found}; ${marked} marked below${more}.`;
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

/** What goes to a registry, in a sentence: nothing is sent of what is only proposed until a person does it. Empty where that is nothing. */
export function sendingLine(what: string, { name, kind, url, pushUrl }: Target, proposed: boolean): string {
  const project = publishTarget(kind, url, pushUrl ?? '');
  // Where there is none, the name of the registry says it, which is chosen beside.
  const to = takesProjects(kind) && project !== '' && !project.includes('://') ? ` to ${project} at ${name}` : '';
  return what === '' ? '' : `${proposed ? 'What would be sent' : 'What is sent'}: ${what}${to && `,${to}`}`;
}

type Target = Pick<Upstream, 'name' | 'kind' | 'url' | 'pushUrl'>;
