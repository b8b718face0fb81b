/** A way of calling the API: a method and a pattern such as `/projects/:id/members/:user_id`. */
export interface Route<Handler> {
  readonly method: string;
  readonly pattern: string;
  readonly handler: Handler;
}

export type Match<Handler> =
  | {
      readonly kind: 'route';
      readonly pattern: string;
      readonly handler: Handler;
      readonly parameters: Readonly<Record<string, string>>;
    }
  /** The path exists, the method doesn't. */
  | { readonly kind: 'other_methods'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

interface Compiled<Handler> extends Route<Handler> {
  readonly segments: readonly string[];
}

/**
 * Finds routes by the raw path, segment by segment, so that an encoded slash stays within its segment. A trailing slash and a `.json`
 * suffix are tolerated. Where nothing matches, raw slashes are accepted in the path of a project or group before a literal
 * segment, and in a name at the end: published clients send them so (api/environments.md, part one and 7).
 */
export class RouteTable<Handler> {
  readonly #routes: readonly Compiled<Handler>[];

  constructor(routes: readonly Route<Handler>[]) {
    this.#routes = routes.map((route) => ({ ...route, segments: split(route.pattern) }));
  }

  /** @param rawPath the path as it was sent, without the query and without the mount point. */
  match(method: string, rawPath: string): Match<Handler> {
    const segments = split(rawPath.endsWith('/') ? rawPath.slice(0, -1) : rawPath);
    const exact = this.#find(method, segments, matchExactly);
    if (exact?.kind === 'route' && mayNameProject(exact)) return exact;
    const loose = this.#find(method, segments, matchLoosely);
    return (loose?.kind === 'route' ? loose : exact) ?? loose ?? { kind: 'none' };
  }

  #find(
    method: string,
    segments: readonly string[],
    matcher: (pattern: readonly string[], segments: readonly string[]) => Record<string, string> | undefined,
  ): Match<Handler> | undefined {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const others = new Set<string>();
    for (const route of this.#routes) {
      const parameters = matcher(route.segments, segments);
      if (!parameters) continue;
      if (route.method === wanted) {
        return { kind: 'route', pattern: route.pattern, handler: route.handler, parameters };
      }
      others.add(route.method);
      if (route.method === 'GET') others.add('HEAD');
    }
    return others.size === 0 ? undefined : { kind: 'other_methods', allow: ['OPTIONS', ...others].toSorted() };
  }
}

/**
 * Whether the project of a match can be one: a number or a full path. A single word is the beginning of a raw path, as in
 * `/projects/local/packages/protected_environments`, which is no package of a project `local`.
 */
function mayNameProject({ pattern, parameters }: Extract<Match<unknown>, { kind: 'route' }>): boolean {
  const id = parameters['id'] ?? '';
  return !pattern.startsWith('/projects/:id/') || /^\d+$/.test(id) || id.includes('/');
}

function split(path: string): string[] {
  return path.split('/').slice(1);
}

function matchExactly(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const value = decoded(segments[index] ?? '');
    if (value === undefined || value === '') return undefined;
    const last = index === pattern.length - 1;
    if (!expected.startsWith(':')) {
      if (value !== expected && !(last && value === `${expected}.json`)) return undefined;
      continue;
    }
    // The suffix belongs to a name, but never to a number.
    parameters[expected.slice(1)] =
      last && /^\d+\.json$/.test(value) && expected !== ':name' ? value.slice(0, -5) : value;
  }
  return parameters;
}

function matchLoosely(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const [collection, id, literal, ...rest] = pattern;
  if ((collection !== 'projects' && collection !== 'groups') || id !== ':id' || !literal || literal.startsWith(':')) {
    return undefined;
  }
  const at = segments.findIndex(
    (segment, index) => index >= 2 && (segment === literal || segment === `${literal}.json`),
  );
  if (segments[0] !== collection || at === -1) return undefined;
  const head = [collection, segments.slice(1, at).join('%2F'), literal];
  const tail = segments.slice(at + 1);
  const name = rest.indexOf(':name');
  if (name !== 0) return matchExactly(pattern, [...head, ...tail]);
  const after = rest.length - 1;
  const nameSegments = tail.slice(0, tail.length - after);
  if (nameSegments.length === 0) return undefined;
  return matchExactly(pattern, [...head, nameSegments.join('%2F'), ...tail.slice(tail.length - after)]);
}

/**
 * A segment without its percent signs, once; undefined if it isn't valid UTF-8. A percent sign that begins no code stands for itself:
 * clients that don't encode names send it so.
 */
function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    return undefined;
  }
}
