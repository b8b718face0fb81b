import type { PushOrigin } from '../../contract/upstream.ts';
import { scopeOf } from '../../registry/package-name.ts';
import type { Forwarding } from '../proxy/forwarding.ts';
import { isSelected } from '../proxy/routing.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import type { OutboxContext } from './operations.ts';
import { carries } from './origins.ts';

/** What goes to a registry: names and scopes, and whose packages of these. */
export interface Sending {
  readonly selection: readonly string[];
  readonly pushFrom: PushOrigin | null;
}

/** What a proposal is made of. */
export interface SendingFacts extends Pick<OutboxContext, 'store' | 'packages' | 'owners' | 'origins'> {
  readonly forwarding: Pick<Forwarding, 'routesIfNotLocal'>;
}

/** A package name in the projects that may send it, and whether it belongs at the registry. */
export interface Candidate {
  readonly name: string;
  readonly projectIds: readonly number[];
  readonly belongs: boolean;
}

/** As many as the settings of an upstream take. */
const longestProposal = 1000;

/**
 * What a registry would be sent whose settings name nothing: a scope where all packages of it belong there, else each package by its name.
 * Empty if nothing does, or too much to be named.
 */
export function proposeSending(candidates: readonly Candidate[]): Sending {
  const selection = [...Map.groupBy(candidates, ({ name }) => scopeOf(name))].flatMap(([scope, packages]) =>
    scope !== null && packages.every(({ belongs }) => belongs)
      ? [`${scope}/*`]
      : packages.filter(({ belongs }) => belongs).map(({ name }) => name),
  );
  const projectIds = [...new Set(candidates.flatMap((each) => (each.belongs ? each.projectIds : [])))];
  const isTooLong = selection.length > longestProposal || projectIds.length > longestProposal;
  return selection.length === 0 || isTooLong
    ? { selection: [], pushFrom: null }
    : { selection, pushFrom: { projectIds } };
}

/**
 * What the settings of an upstream name, completed by the packages here that would be fetched from there if they were not here. Any account
 * can publish any name, so only confirmed projects are proposed.
 */
export function sendingTo(facts: SendingFacts, { id, pushSelection, pushFrom }: UpstreamRow): Sending {
  if (pushSelection.length > 0 && pushFrom !== null) return { selection: pushSelection, pushFrom };
  const { store, packages, owners, origins, forwarding } = facts;
  const mayCome = ({ projectId }: { readonly projectId: number }): boolean =>
    pushFrom === null ? owners.isConfirmed(projectId) : carries(pushFrom, projectId, origins);
  const belongs = (name: string): boolean =>
    pushSelection.length > 0 ? isSelected(name, pushSelection) : forwarding.routesIfNotLocal(name)[0]?.id === id;
  const candidates = store.localNames().flatMap((name) => {
    const rows = packages.packagesNamed(name).filter(mayCome);
    const projectIds = rows.map(({ projectId }) => projectId);
    return rows.length === 0 ? [] : [{ name, projectIds, belongs: belongs(name) }];
  });
  const proposed = proposeSending(candidates);
  return {
    selection: pushSelection.length > 0 ? pushSelection : proposed.selection,
    pushFrom: pushFrom ?? proposed.pushFrom,
  };
}
