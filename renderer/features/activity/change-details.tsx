import { Button, Group, Modal } from '@mantine/core';
import type { AuditRow } from '../../../server/contract/directory.ts';
import { useProjects } from '../../api/directory.ts';
import { ChangeTable } from '../../ui/lists/change-table.tsx';
import { ExactMoment } from '../../ui/text/moment.tsx';
import { changedFields } from './changed-fields.ts';
import { describeRow, originNames } from './describe-row.ts';
import { TargetLink } from './target-link.tsx';
import '../../ui/lists/facts.css';

interface ChangeDetailsProps {
  row: AuditRow;
  canUndo: boolean;
  onUndo: () => void;
  onClose: () => void;
}

/** One change in full: when, by whom, from where, and each field before and after. */
export function ChangeDetails({ row, canUndo, onUndo, onClose }: ChangeDetailsProps) {
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
        <dt>From</dt>
        <dd>
          {originNames[row.origin]}
          {row.address === null ? null : <span className="gh-mono gh-muted"> {row.address}</span>}
        </dd>
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
        {!canUndo ? null : (
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
