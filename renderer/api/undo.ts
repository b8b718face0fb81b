import type { AuditRow } from '../../server/contract/directory.ts';

/** What takes a change back. */
export type Undo =
  | { kind: 'rules'; auditId: number }
  | { kind: 'set-tag'; packageId: number; tag: string; version: string }
  | { kind: 'remove-tag'; packageId: number; tag: string }
  | { kind: 'deprecate'; packageId: number; messages: Readonly<Record<string, string | null>> };

/** How the change that an audit row tells of can be taken back; undefined where it cannot (a publish, a person's account). */
export function undoOf(row: AuditRow): Undo | undefined {
  if (row.action.startsWith('environment.') && row.projectId !== null && row.target.type === 'protected_environment') {
    return { kind: 'rules', auditId: row.id };
  }
  if (row.action === 'package.deprecated' && row.target.id !== null) {
    const messages = deprecationState(row.before);
    return messages && { kind: 'deprecate', packageId: row.target.id, messages };
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

/** The messages of deprecated versions, null for none, as rows of deprecations carry them; undefined for anything else. */
export function deprecationState(value: unknown): Record<string, string | null> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isState = Object.values(value).every((message) => message === null || typeof message === 'string');
  return isState ? (value as Record<string, string | null>) : undefined;
}

/**
 * The rows whose change still stands as it was made: undoing an older change of the same tag or version would overwrite the newer one.
 * @param rows newest first.
 */
export function standingRows(rows: readonly AuditRow[]): ReadonlySet<number> {
  const changed = new Set<string>();
  const standing = rows.filter((row) => {
    const undo = undoOf(row);
    if (undo === undefined) return false;
    const things = thingsOf(undo);
    const isStanding = things.every((thing) => !changed.has(thing));
    for (const thing of things) changed.add(thing);
    return isStanding;
  });
  return new Set(standing.map(({ id }) => id));
}

/** What an undo changes, each with a name of its own. Rules are undone by the server, which merges them with what came after. */
function thingsOf(undo: Undo): string[] {
  switch (undo.kind) {
    case 'rules':
      return [];
    case 'set-tag':
    case 'remove-tag':
      return [`${undo.packageId} tag ${undo.tag}`];
    case 'deprecate':
      return Object.keys(undo.messages).map((version) => `${undo.packageId} version ${version}`);
  }
}
