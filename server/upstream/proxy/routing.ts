import { comparableName } from '../../accounts/naming.ts';
import { scopeOf } from '../../registry/package-name.ts';
import type { UpstreamRow } from '../upstream-store.ts';

/**
 * The upstreams that a name may be requested from, in order. This is the whole defence against dependency confusion, hence a pure function:
 *
 * - A claimed name is fetched from nowhere.
 * - A scope in an upstream's settings is fetched from there and nowhere else.
 * - A claimed scope is fetched from nowhere, unless the settings name an upstream for that very scope.
 * - Everything else comes from the upstreams with `*`, in the order in which they were set up.
 * - An archive (packages of imported bundles) makes no requests, so it always comes last.
 */
export function routeName(
  name: string,
  upstreams: readonly UpstreamRow[],
  claim: 'name' | 'scope' | undefined,
): UpstreamRow[] {
  const enabled = upstreams.filter((upstream) => upstream.enabled);
  const archives = enabled.filter((upstream) => upstream.kind === 'archive');
  const remote = enabled.filter((upstream) => upstream.kind !== 'archive');
  if (claim === 'name') return archives;
  const owners = upstreamsOfScope(name, upstreams);
  if (owners.length > 0) return [...owners, ...archives];
  if (claim === 'scope') return archives;
  return [...remote.filter((upstream) => upstream.scopes.includes('*')), ...archives];
}

/** The upstreams whose settings name the scope of a name. */
export function upstreamsOfScope(name: string, upstreams: readonly UpstreamRow[]): UpstreamRow[] {
  const scope = scopeOf(name);
  if (scope === null) return [];
  const wanted = comparableName(scope);
  return upstreams.filter(
    ({ enabled, kind, scopes }) =>
      enabled && kind !== 'archive' && scopes.some((candidate) => comparableName(candidate) === wanted),
  );
}

/** Whether a selection of names, scopes (`@acme`, `@acme/*`) and wildcards (`*`, `name-*`) includes a name. */
export function isSelected(name: string, selection: readonly string[]): boolean {
  return selection.some((selector) => matchesSelector(name, selector));
}

function matchesSelector(name: string, selector: string): boolean {
  if (selector === '*' || selector === name) return true;
  if (selector.startsWith('@') && !selector.includes('/')) return name.startsWith(`${selector}/`);
  return selector.endsWith('*') && name.startsWith(selector.slice(0, -1));
}
