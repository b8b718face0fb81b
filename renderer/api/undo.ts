import type { AuditRow } from '../../server/contract/directory.ts';
import { isRecord } from './is-record.ts';
import { comesWithGuard } from './tag-approvers.ts';

/** What takes a change back. */
export type Undo =
  | { kind: 'rules'; auditId: number }
  /** `expected` is what the change made of the tag, or of the versions below: another change since then stays. */
  | { kind: 'set-tag'; packageId: number; tag: string; version: string; expected: string | null | undefined }
  | { kind: 'remove-tag'; packageId: number; tag: string; version: null; expected: string | null | undefined }
  | { kind: 'deprecate'; packageId: number; messages: DeprecationState; expected: DeprecationState | undefined };

/** The messages of deprecated versions, null for none. */
type DeprecationState = Readonly<Record<string, string | null>>;

/** How the change that an audit row tells of can be taken back; undefined where it cannot (a publish, a person's account). */
export function undoOf(row: AuditRow): Undo | undefined {
  if (row.action.startsWith('environment.') && row.projectId !== null && row.target.type === 'protected_environment') {
    return comesWithGuard(row) ? undefined : { kind: 'rules', auditId: row.id };
  }
  if (row.action === 'package.deprecated' && row.target.id !== null) {
    const messages = deprecationState(row.before);
    return messages && { kind: 'deprecate', packageId: row.target.id, messages, expected: deprecationState(row.after) };
  }
  if (row.action !== 'tag.set' && row.action !== 'tag.removed') return undefined;
  const before = tagState(row.before);
  if (before === undefined || row.target.id === null) return undefined;
  const { tag, version } = before;
  const change = { packageId: row.target.id, tag, expected: tagState(row.after)?.version };
  return version === null ? { kind: 'remove-tag', ...change, version } : { kind: 'set-tag', ...change, version };
}

/** `{tag, version}` as rows of dist-tags carry it; undefined for anything else. */
export function tagState(value: unknown): { tag: string; version: string | null } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { tag, version } = value as { tag?: unknown; version?: unknown };
  if (typeof tag !== 'string' || (typeof version !== 'string' && version !== null)) return undefined;
  return { tag, version };
}

/** As rows of deprecations carry it; undefined for anything else. */
export function deprecationState(value: unknown): DeprecationState | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const isState = Object.values(value).every((message) => message === null || typeof message === 'string');
  return isState ? (value as DeprecationState) : undefined;
}

/** What became of a change that can be undone. */
export interface UndoState {
  /**
   * It can be undone now: what it would give back still exists, and no newer change of the same tag, version or rules would be
   * overwritten.
   */
  canUndo: boolean;
  /** The change that restored what was before this one. */
  undoneBy: AuditRow | undefined;
  /** The change that this one took back. */
  undoes?: AuditRow | undefined;
}

/**
 * What became of each change that can be undone, by the ids of the rows.
 * @param rows newest first.
 */
export function undoStates(rows: readonly AuditRow[]): ReadonlyMap<number, UndoState> {
  const states = new Map<number, UndoState>();
  const newest = new Map<string, { row: AuditRow; part: ChangedPart }>();
  for (const row of rows) {
    const parts = partsOf(row);
    const later = parts.flatMap(({ name }) => newest.get(name) ?? []);
    if (undoOf(row) !== undefined) {
      const isUndone = parts.every(({ name, before, after }) => {
        const next = newest.get(name);
        // Rules that went with a user or group were not undone by anyone.
        if (next === undefined || (isRecord(next.row.after) && 'because' in next.row.after)) return false;
        return next.part.before === after && next.part.after === before;
      });
      const canUndo = later.length === 0 && !row.isLost;
      states.set(row.id, { canUndo, undoneBy: isUndone ? later[0]?.row : undefined });
      for (const next of isUndone ? later : []) {
        const state = states.get(next.row.id);
        if (state) state.undoes = row;
      }
    }
    for (const part of parts) newest.set(part.name, { row, part });
  }
  for (const { id } of rows.toReversed()) {
    const state = states.get(id);
    if (state?.undoes === undefined || state.undoneBy === undefined) continue;
    // What takes a change back is done again by the next one, and not undone.
    for (const later of states.values()) if (later.undoes?.id === id) later.undoes = undefined;
    state.undoneBy = undefined;
  }
  return states;
}

/** One thing that a change touched, under a name of its own, with its states. */
interface ChangedPart {
  name: string;
  before: unknown;
  after: unknown;
}

function partsOf({ action, target, projectId, before, after }: AuditRow): ChangedPart[] {
  if (target.type === 'protected_environment') {
    return [{ name: `${projectId} rules ${target.name}`, before: rulesText(before), after: rulesText(after) }];
  }
  if (action === 'package.published' && isRecord(after) && Array.isArray(after['tags'])) {
    // Its tags have no rows of their own.
    const { version, tags } = after;
    return tags.map((tag) => ({ name: `${target.id} tag ${tag}`, before: undefined, after: version }));
  }
  if (action === 'package.unpublished' && isRecord(before) && Array.isArray(before['tags'])) {
    const { version, tags } = before;
    return [...tags.map((tag) => `tag ${tag}`), `version ${String(version)}`].map((part) => ({
      name: `${target.id} ${part}`,
      before: version,
      after: undefined,
    }));
  }
  if (action === 'package.deprecated') {
    const [was, is] = [deprecationState(before) ?? {}, deprecationState(after) ?? {}];
    return Object.keys(is).map((version) => ({
      name: `${target.id} version ${version}`,
      before: was[version],
      after: is[version],
    }));
  }
  const [was, is] = [tagState(before), tagState(after)];
  if (was === undefined || is === undefined || !/^tag\.(set|removed)$/.test(action)) return [];
  return [{ name: `${target.id} tag ${was.tag}`, before: was.version, after: is.version }];
}

/** The rules of a protection, in an order of their own and without the names that users and groups had; '' for none. */
function rulesText(value: unknown): string {
  if (!isRecord(value)) return '';
  const lists = [value['deploy_access_levels'], value['approval_rules']].map((rules) =>
    (Array.isArray(rules) ? rules.filter(isRecord) : [])
      .map((rule) => JSON.stringify({ ...rule, description: '' }))
      .sort(),
  );
  return JSON.stringify(lists);
}
