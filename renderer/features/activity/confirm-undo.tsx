import { modals } from '@mantine/modals';
import type { AuditRow } from '../../../server/contract/directory.ts';
import { undoOf } from '../../api/undo.ts';

/** Says what taking a change back does, and does it if that is wanted. */
export function confirmUndo(row: AuditRow, onConfirm: () => void): void {
  const undo = undoOf(row);
  if (undo === undefined) return;
  const consequence =
    undo.kind === 'rules'
      ? `The rules of ${row.target.name} become what they were before this change, whatever was changed since.`
      : undo.kind === 'set-tag'
        ? `${undo.tag} of ${row.target.name} points to ${undo.version} again.`
        : `${undo.tag} of ${row.target.name} is removed; it was not there before.`;
  modals.openConfirmModal({
    title: 'Undo this change?',
    children: `${consequence} The undo is noted as a change of its own.`,
    labels: { confirm: 'Undo', cancel: 'Leave it' },
    onConfirm,
  });
}
