import { scopeOf } from '../../registry/package-name.ts';
import type { UpstreamRow } from '../upstream-store.ts';

/**
 * Which upstreams a name may be asked at, in order; none means that the name stays at home. This is the whole defence against dependency
 * confusion, hence a function of values:
 *
 * - A scope that stands in an upstream's settings is asked there and nowhere else.
 * - A scope of this registry (something was published under it, a top group is called so, or it is reserved) is asked nowhere, unless
 *   the settings name an upstream for that very scope.
 * - Everything else goes to the upstreams with `*`, in the order in which they were set up.
 * - An archive (packages that came in a bundle) makes no requests, so it may always be looked into after the others.
 */
export function routeName(
  name: string,
  upstreams: readonly UpstreamRow[],
  isLocalScope: (scope: string) => boolean,
): UpstreamRow[] {
  const enabled = upstreams.filter((upstream) => upstream.enabled);
  const archives = enabled.filter((upstream) => upstream.kind === 'archive');
  const askable = enabled.filter((upstream) => upstream.kind !== 'archive');
  const scope = scopeOf(name)?.toLowerCase() ?? null;
  if (scope !== null) {
    const owners = askable.filter((upstream) => upstream.scopes.some((candidate) => candidate.toLowerCase() === scope));
    if (owners.length > 0) return [...owners, ...archives];
    if (isLocalScope(scope)) return archives;
  }
  return [...askable.filter((upstream) => upstream.scopes.includes('*')), ...archives];
}

/** Whether a name is meant by a selection of names, scopes (`@acme`, `@acme/*`) and stars (`*`, `name-*`). */
export function isSelected(name: string, selection: readonly string[]): boolean {
  return selection.some((selector) => matchesSelector(name, selector));
}

function matchesSelector(name: string, selector: string): boolean {
  if (selector === '*' || selector === name) return true;
  if (selector.startsWith('@') && !selector.includes('/')) return name.startsWith(`${selector}/`);
  return selector.endsWith('*') && name.startsWith(selector.slice(0, -1));
}
