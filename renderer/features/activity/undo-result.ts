import type { AuditRow } from '../../../server/contract/directory.ts';
import { undoOf } from '../../api/undo.ts';
import { changedFields } from './changed-fields.ts';

/** What is the case once a change is undone, in sentences; undefined where it cannot be undone. */
export function undoResult(row: AuditRow): string[] | undefined {
  const undo = undoOf(row);
  const { name } = row.target;
  switch (undo?.kind) {
    case undefined:
      return undefined;
    case 'set-tag':
      return [`${undo.tag} of ${name} points to ${undo.version} again.`];
    case 'remove-tag':
      return undo.tag === 'latest'
        ? [`latest of ${name} is the newest release again.`]
        : [`${name} no longer has the tag ${undo.tag}.`];
    case 'deprecate':
      return Object.entries(undo.messages).map(([version, message]) =>
        message === null
          ? `${name}@${version} is no longer deprecated.`
          : `${name}@${version} is deprecated: ${message}`,
      );
    case 'rules':
      if (row.before === null) return [`${name} is no longer protected.`];
      return changedFields({ before: row.before, after: null }).map(
        ({ label, before }) => `${label}: ${before.replaceAll('\n', ', ') || 'nobody'}`,
      );
  }
}
