import type { AuditRow } from '../../server/contract/directory.ts';

/** What takes a change back. */
export type Undo =
  | { kind: 'rules'; auditId: number }
  | { kind: 'set-tag'; packageId: number; tag: string; version: string }
  | { kind: 'remove-tag'; packageId: number; tag: string };

/** How the change that an audit row tells of can be taken back; undefined where it cannot (a publish, a person's account). */
export function undoOf(row: AuditRow): Undo | undefined {
  if (row.action.startsWith('environment.') && row.projectId !== null && row.target.type === 'protected_environment') {
    return { kind: 'rules', auditId: row.id };
  }
  if (row.action !== 'tag.set' && row.action !== 'tag.removed') return undefined;
  const before = tagState(row.before);
  if (before === undefined || row.target.id === null) return undefined;
  const { tag, version } = before;
  return version === null
    ? { kind: 'remove-tag', packageId: row.target.id, tag }
    : { kind: 'set-tag', packageId: row.target.id, tag, version };
}

/** `{tag, version}` as rows of dist-tags carry it; undefined for anything else. */
export function tagState(value: unknown): { tag: string; version: string | null } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { tag, version } = value as { tag?: unknown; version?: unknown };
  if (typeof tag !== 'string' || (typeof version !== 'string' && version !== null)) return undefined;
  return { tag, version };
}
