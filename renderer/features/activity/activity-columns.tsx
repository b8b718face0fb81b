import { Button } from '@mantine/core';
import type { AuditRow } from '../../../server/contract/directory.ts';
import { undoOf } from '../../api/undo.ts';
import { Moment } from '../../ui/moment.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { describeRow } from './describe-row.ts';
import './activity.css';

const origins: Record<AuditRow['origin'], string> = {
  http: 'Client',
  window: 'This app',
  cli: 'Command line',
  system: 'Gatehouse itself',
};

/** The columns of the audit trail; `onUndo` is offered where a row can be taken back. */
export function activityColumns(onUndo: (row: AuditRow) => void): Column<AuditRow>[] {
  return [
    {
      key: 'at',
      label: 'When',
      width: '112px',
      cell: (row) => (
        <span className="gh-muted">
          <Moment time={row.at} />
        </span>
      ),
    },
    {
      key: 'actor',
      label: 'Who',
      width: '88px',
      cell: (row) => <div className="gh-truncate">{row.actor.name}</div>,
    },
    {
      key: 'what',
      label: 'What',
      width: 'minmax(0, 1fr)',
      cell: (row) => {
        const { verb, subject, detail } = describeRow(row);
        return (
          <div className="gh-activity-what" title={detail === '' ? undefined : detail}>
            <span>{verb}</span>
            <strong className="gh-truncate">{subject}</strong>
            <span className="gh-faint gh-truncate">{detail}</span>
          </div>
        );
      },
    },
    {
      key: 'origin',
      label: 'From',
      width: '116px',
      hideBelow: 860,
      cell: (row) => (
        <div className="gh-muted gh-truncate" title={row.address ?? undefined}>
          {origins[row.origin]}
        </div>
      ),
    },
    {
      key: 'undo',
      label: 'Undo',
      labelHidden: true,
      width: '64px',
      align: 'end',
      cell: (row) =>
        undoOf(row) === undefined ? null : (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Undo: ${describeRow(row).verb} ${row.target.name}`}
            onClick={() => onUndo(row)}
          >
            Undo
          </Button>
        ),
    },
  ];
}
