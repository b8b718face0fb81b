import type { AuditRow } from '../../../server/contract/directory.ts';
import { tagState } from '../../api/undo.ts';
import { isRecord } from '../../api/is-record.ts';

/**
 * Leaves one row for an approval that published a version or moved a tag. The last approval and what it led to are recorded at one
 * moment; the last of these rows says all, with the comment of the approval.
 * @param rows newest first.
 */
export function mergeApprovals(rows: readonly AuditRow[]): AuditRow[] {
  const ends = rows.filter(({ action }) => action === 'package.stage_approved');
  const approvals = rows.filter(({ action }) => action === 'release.approved');
  const approvalOf = new Map(
    rows.flatMap((row) => {
      const approval = approvals.find((each) => leadsTo(each, row));
      return approval === undefined ? [] : [[row, approval] as const];
    }),
  );
  const merged = new Set(approvalOf.values());
  return rows.flatMap((row) => {
    const isEnd = ({ at, target }: AuditRow) => at === row.at && target.name === row.target.name;
    if (merged.has(row) || (row.action === 'package.published' && ends.some(isEnd))) return [];
    const approval = approvalOf.get(row);
    return [approval === undefined ? row : { ...row, after: { ...stateOf(approval), ...stateOf(row) } }];
  });
}

/** Whether the row is what an approval came to. */
function leadsTo(approval: AuditRow, row: AuditRow): boolean {
  const { at, action, target, after } = row;
  if (at !== approval.at) return false;
  if (action === 'package.stage_approved') return stateOf(approval)['id'] === stateOf(row)['id'];
  const move = action === 'tag.set' ? tagState(after) : undefined;
  return move !== undefined && approval.target.name === `${target.name}@${move.version} as "${move.tag}"`;
}

const stateOf = ({ after }: AuditRow): Record<string, unknown> => (isRecord(after) ? after : {});
