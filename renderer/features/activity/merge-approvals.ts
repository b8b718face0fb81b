import type { AuditRow } from '../../../server/contract/directory.ts';
import { isRecord } from '../../api/is-record.ts';

/**
 * Leaves one row for an approval that published a version. The last approval, the publish and the end of the wait are recorded at one
 * moment; the last of them says all.
 * @param rows newest first.
 */
export function mergeApprovals(rows: readonly AuditRow[]): AuditRow[] {
  const ends = rows.filter(({ action }) => action === 'package.stage_approved');
  const approvals = rows.filter(({ action }) => action === 'release.approved');
  const isApproval = (row: AuditRow, end: AuditRow) => row.at === end.at && stateOf(row)['id'] === stateOf(end)['id'];
  return rows.flatMap((row) => {
    switch (row.action) {
      case 'package.published':
        return ends.some(({ at, target }) => at === row.at && target.name === row.target.name) ? [] : [row];
      case 'release.approved':
        return ends.some((end) => isApproval(row, end)) ? [] : [row];
      case 'package.stage_approved': {
        // Its comment.
        const approval = approvals.find((each) => isApproval(each, row));
        return [approval === undefined ? row : { ...row, after: { ...stateOf(approval), ...stateOf(row) } }];
      }
      default:
        return [row];
    }
  });
}

const stateOf = ({ after }: AuditRow): Record<string, unknown> => (isRecord(after) ? after : {});
