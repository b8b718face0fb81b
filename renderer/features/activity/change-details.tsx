import { Anchor, Button, Group, Modal } from '@mantine/core';
import type { AuditRow } from '../../../server/contract/directory.ts';
import { useProjects } from '../../api/directory.ts';
import type { UndoState } from '../../api/undo.ts';
import { ChangeTable } from '../../ui/lists/change-table.tsx';
import { formatMoment } from '../../ui/text/format.ts';
import { ExactMoment } from '../../ui/text/moment.tsx';
import { changedFields } from './changed-fields.ts';
import { describeRow, originNames } from './describe-row.ts';
import { TargetLink } from './target-link.tsx';
import '../../ui/lists/facts.css';

interface ChangeDetailsProps {
  row: AuditRow;
  state: UndoState | undefined;
  /** Opens another change in its place. */
  onShow: (row: AuditRow) => void;
  onUndo: () => void;
  onClose: () => void;
}

/** One change in full: when, by whom, from where, and each field before and after. */
export function ChangeDetails({ row, state, onShow, onUndo, onClose }: ChangeDetailsProps) {
  const { data: projects = [] } = useProjects();
  const { verb, subject } = describeRow(row);
  const fields = changedFields(row);
  const project = projects.find(({ id }) => id === row.projectId);
  return (
    <Modal opened onClose={onClose} title={`${verb} ${subject}`} size={680}>
      <dl className="gh-facts">
        <dt>Time</dt>
        <dd>
          <ExactMoment time={row.at} />
        </dd>
        <dt>User</dt>
        <dd>{row.actor.name}</dd>
        {originNames[row.origin] === '' ? null : (
          <>
            <dt>From</dt>
            <dd>
              {originNames[row.origin]}
              {row.address === null ? null : <span className="gh-mono gh-muted"> {row.address}</span>}
            </dd>
          </>
        )}
        {row.token === null ? null : (
          <>
            <dt>Token</dt>
            <dd>{row.token}</dd>
          </>
        )}
        <dt>Subject</dt>
        <dd>
          <TargetLink row={row}>{subject}</TargetLink>
        </dd>
        {project === undefined ? null : (
          <>
            <dt>Project</dt>
            <dd>{project.fullPath}</dd>
          </>
        )}
        <OtherChange label="Undone" row={state?.undoneBy} onShow={onShow} />
        <OtherChange label="Undoes" row={state?.undoes} onShow={onShow} />
      </dl>
      {fields.length === 0 ? (
        <p className="gh-muted">No details were recorded.</p>
      ) : (
        <ChangeTable
          label="Fields"
          heads={[row.action === 'package.deprecated' ? 'Version' : 'Field', 'Before', 'After']}
          rows={fields.map(({ label, before, after }) => [label, before, after])}
        />
      )}
      <Group justify="flex-end" gap={8} mt={16}>
        {state?.canUndo !== true ? null : (
          <Button variant="default" onClick={onUndo}>
            Undo this change
          </Button>
        )}
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Modal>
  );
}

/** A line that leads to the change that took this one back, by Undo or by hand, or from it to what it took back. */
function OtherChange({
  label,
  row,
  onShow,
}: { label: string; row: AuditRow | undefined } & Pick<ChangeDetailsProps, 'onShow'>) {
  if (row === undefined) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <Anchor component="button" type="button" fz="inherit" onClick={() => onShow(row)}>
          {`${label === 'Undone' ? 'by' : 'the change by'} ${row.actor.name}, ${formatMoment(row.at)}`}
        </Anchor>
      </dd>
    </>
  );
}
