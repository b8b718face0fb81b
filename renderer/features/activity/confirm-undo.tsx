import type { AuditRow } from '../../../server/contract/directory.ts';
import { undoOf } from '../../api/undo.ts';
import { ask } from '../../ui/ask.tsx';

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
  ask({
    title: 'Undo this change?',
    consequence: `${consequence} The undo is noted as a change of its own.`,
    action: 'Undo',
    leave: 'Leave it',
    takesAway: false,
    run: onConfirm,
  });
}
