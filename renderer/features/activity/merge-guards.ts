import { accessLevels } from '../../../server/contract/constants.ts';
import type { AuditRow } from '../../../server/contract/directory.ts';
import { isRecord } from '../../api/is-record.ts';
import { comesWithGuard } from '../../api/tag-approvers.ts';
import { asRecord, ruleOf } from './field-text.ts';

/**
 * Leaves one row for a tag that requires approval from then on, or no longer: its approvers came or went with it, and publishes that fail
 * began to wait. The row of the tag says all.
 * @param rows newest first.
 */
export function mergeGuards(rows: readonly AuditRow[]): AuditRow[] {
  const ends = rows.filter(
    ({ action, before, after }) => /^guard\.(set|removed)$/.test(action) && isRecord(before) !== isRecord(after),
  );
  const endOf = (row: AuditRow) =>
    isPart(row) ? ends.find(({ at, projectId }) => at === row.at && projectId === row.projectId) : undefined;
  const approvers = new Map<AuditRow, string[]>();
  const kept = rows.filter((row) => {
    const end = endOf(row);
    if (end !== undefined && row.target.type === 'protected_environment') approvers.set(end, approversOf(row));
    return end === undefined;
  });
  return kept.map((row) => {
    const names = approvers.get(row);
    if (names === undefined) return row;
    const withNames = (state: unknown) => (isRecord(state) ? { approvers: names, ...state } : state);
    return { ...row, before: withNames(row.before), after: withNames(row.after) };
  });
}

function isPart(row: AuditRow): boolean {
  if (row.action === 'guard.settings_changed') return asRecord(row.after)['on_refusal'] === 'stage';
  return comesWithGuard(row);
}

/** Whom the rules name; administrators only where they name nobody else. */
function approversOf({ before, after }: AuditRow): string[] {
  const { deploy_access_levels: deployers, approval_rules: approvals } = asRecord(after ?? before);
  const [deploying, approving] = [deployers, approvals].map((list) => (Array.isArray(list) ? list : []));
  const rules = approving?.length ? approving : (deploying ?? []);
  const others = rules.filter((rule) => asRecord(rule)['access_level'] !== accessLevels.admin);
  return (others.length > 0 ? others : rules).flatMap((rule: unknown) => ruleOf(rule)?.name ?? []);
}
