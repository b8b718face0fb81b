import { GatehouseError } from '../../contract/errors.ts';
import type { PushOrigin } from '../../contract/upstream.ts';
import { scopeOf } from '../../registry/package-name.ts';

/** What the outbox asks of projects and groups. */
export interface OriginFacts {
  readonly hasProject: (id: number) => boolean;
  /** The topmost namespace above a project; 0 for a project that is not there. */
  readonly rootNamespaceOf: (projectId: number) => number;
  readonly isTopGroup: (id: number) => boolean;
  /** The top group that owns a scope (with its at sign) by a claim: a path alone can be taken by any account. */
  readonly ownerOfScope: (scope: string) => number | undefined;
}

/**
 * Whether an outbox carries the packages of a project. Names say nothing here: anyone may publish under any name. Decided from ids at the
 * moment of each use, so a project that is deleted or moved out of the group is not carried any more, and a path taken over gains nothing.
 */
export function carries(origin: PushOrigin | null, projectId: number, facts: OriginFacts): boolean {
  if (origin === null || !facts.hasProject(projectId)) return false;
  if ('groupId' in origin) return facts.rootNamespaceOf(projectId) === origin.groupId;
  return origin.projectIds.includes(projectId);
}

/**
 * Where packages come from that match a selection. Without a choice it is the top group that owns the one scope of all selectors; null if
 * nothing is selected.
 * @param before the origin that is stored: what it names may be gone meanwhile
 * @throws GatehouseError `invalid_request` that says what to add.
 */
export function chooseOrigin(
  selection: readonly string[],
  chosen: PushOrigin | null,
  before: PushOrigin | null,
  facts: OriginFacts,
): PushOrigin | null {
  if (chosen !== null) return requireOrigin(chosen, before, facts);
  if (selection.length === 0) return null;
  const scopes = new Set(selection.map((selector) => scopeOfSelector(selector)));
  const [scope = null] = scopes;
  const what = selection.join(' ');
  if (scopes.size !== 1 || scope === null) throw originNeeded(`${what} does not tell whose packages are meant.`);
  const groupId = facts.ownerOfScope(scope);
  if (groupId === undefined) throw originNeeded(`No top group owns the scope ${scope} by a claim of an administrator.`);
  return { groupId };
}

/** @throws GatehouseError `invalid_request` unless the outbox of this upstream names where packages come from. */
export function requireOriginOf(upstream: { readonly name: string; readonly pushFrom: PushOrigin | null }): PushOrigin {
  if (upstream.pushFrom !== null) return upstream.pushFrom;
  throw originNeeded(`The settings of ${upstream.name} do not say whose packages go there.`);
}

function originNeeded(why: string): GatehouseError {
  return new GatehouseError(
    'invalid_request',
    `${why} Name the projects, or one top group, whose packages are sent (--push-from local/packages).`,
  );
}

function requireOrigin(chosen: PushOrigin, before: PushOrigin | null, facts: OriginFacts): PushOrigin {
  if ('groupId' in chosen) {
    const isKnown = before !== null && 'groupId' in before && before.groupId === chosen.groupId;
    if (isKnown || facts.isTopGroup(chosen.groupId)) return chosen;
    throw new GatehouseError('invalid_request', `${chosen.groupId} is not a top-level group. Choose one, or projects.`);
  }
  const known = before !== null && 'projectIds' in before ? before.projectIds : [];
  const unknown = chosen.projectIds.find((id) => !known.includes(id) && !facts.hasProject(id));
  if (unknown === undefined) return { projectIds: [...new Set(chosen.projectIds)] };
  throw new GatehouseError('invalid_request', `There is no project ${unknown} whose packages could be sent.`);
}

/** The scope of a selector (`@acme`, `@acme/*`, `@acme/tool`) in lower case; null where it has none or a wildcard in it. */
function scopeOfSelector(selector: string): string | null {
  const scope = selector.includes('/') ? scopeOf(selector) : selector.startsWith('@') ? selector : null;
  return scope === null || scope.includes('*') ? null : scope.toLowerCase();
}
