export const methods = ['GET', 'PUT', 'POST', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/**
 * A pattern such as `/projects/:id/members/:user_id` with a handler for each method. `:key` takes one segment of a path, `*key` a package
 * name: one segment other than `-`, or two where the slash of a scope is not encoded.
 */
export type Route<Handler> = { readonly pattern: string } & { readonly [M in Method]?: Handler };

/** Decoded values of the keys of a pattern. */
export type PathParameters = Readonly<Record<string, string>>;

export type Match<R> =
  | { readonly kind: 'route'; readonly route: R; readonly method: Method; readonly parameters: PathParameters }
  /** The path exists, the method doesn't. */
  | { readonly kind: 'other_methods'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

export interface MatcherOptions {
  /**
   * Whether paths are read as leniently as GitLab's published clients need it: a `.json` suffix is
   * ignored, and where nothing else matches, slashes may stand unencoded in the path of a project or group and in a `:name` after it.
   */
  readonly lenient?: boolean;
}

interface Compiled<R> {
  readonly route: R;
  readonly pattern: readonly string[];
}

/** Finds the route for a method and a path. The first route that has the method wins. */
export class RouteMatcher<R extends Route<unknown>> {
  readonly #routes: readonly Compiled<R>[];
  readonly #lenient: boolean;

  constructor(routes: readonly R[], { lenient = false }: MatcherOptions = {}) {
    this.#routes = routes.map((route) => ({ route, pattern: route.pattern.split('/').slice(1) }));
    this.#lenient = lenient;
  }

  /** @param segments decoded segments of the path; a HEAD is matched as GET */
  match(method: string, segments: readonly string[]): Match<R> {
    if (!this.#lenient) return this.#find(method, segments, matchSegments);
    const exact = this.#find(method, segments, matchLeniently);
    if (exact.kind === 'route' && mayNameProject(exact.route.pattern, exact.parameters['id'])) return exact;
    const loose = this.#find(method, segments, matchRawSlashes);
    return loose.kind === 'route' || exact.kind === 'none' ? loose : exact;
  }

  #find(
    method: string,
    segments: readonly string[],
    matcher: (pattern: readonly string[], segments: readonly string[]) => PathParameters | undefined,
  ): Match<R> {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const others = new Set<string>();
    for (const { route, pattern } of this.#routes) {
      const parameters = matcher(pattern, segments);
      if (!parameters) continue;
      for (const each of methods) {
        if (!route[each]) continue;
        if (each === wanted) return { kind: 'route', route, method: each, parameters };
        others.add(each);
        if (each === 'GET') others.add('HEAD');
      }
    }
    return others.size === 0 ? { kind: 'none' } : { kind: 'other_methods', allow: [...others] };
  }
}

/** The decoded segments of a raw path, without the empty one of a trailing slash. @throws what `decode` throws. */
export function segmentsOf(path: string, decode: (segment: string) => string): string[] {
  const raw = path.split('/').slice(1);
  if (raw.at(-1) === '') raw.pop();
  return raw.map(decode);
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): PathParameters | undefined {
  const parameters: Record<string, string> = {};
  let at = 0;
  for (const part of pattern) {
    const segment = segments[at];
    if (segment === undefined || segment === '') return undefined;
    at += 1;
    if (part.startsWith(':')) parameters[part.slice(1)] = segment;
    else if (part.startsWith('*')) {
      if (segment === '-') return undefined;
      const second = segments[at];
      const isSplit = segment.startsWith('@') && !segment.includes('/') && second !== undefined && second !== '-';
      if (isSplit) at += 1;
      parameters[part.slice(1)] = isSplit ? `${segment}/${second}` : segment;
    } else if (part !== segment) return undefined;
  }
  return at === segments.length ? parameters : undefined;
}

/** As `matchSegments`; a `.json` suffix is dropped from a literal or a number at the end, but belongs to a name. */
function matchLeniently(pattern: readonly string[], segments: readonly string[]): PathParameters | undefined {
  const last = segments.at(-1) ?? '';
  const expected = pattern.at(-1);
  const hasSuffix = expected?.startsWith(':')
    ? expected !== ':name' && /^\d+\.json$/.test(last)
    : last === `${expected}.json`;
  return matchSegments(pattern, hasSuffix ? [...segments.slice(0, -1), last.slice(0, -'.json'.length)] : segments);
}

/** As `matchLeniently`, with unencoded slashes in `:id` before a literal segment and in a `:name` right after that. */
function matchRawSlashes(pattern: readonly string[], segments: readonly string[]): PathParameters | undefined {
  const [collection, id, literal = '', ...rest] = pattern;
  if ((collection !== 'projects' && collection !== 'groups') || segments[0] !== collection) return undefined;
  if (id !== ':id' || literal === '' || literal.startsWith(':')) return undefined;
  const at = segments.findIndex(
    (segment, index) => index >= 2 && (segment === literal || segment === `${literal}.json`),
  );
  if (at === -1) return undefined;
  const head = [collection, segments.slice(1, at).join('/'), literal];
  const tail = segments.slice(at + 1);
  if (rest[0] !== ':name') return matchLeniently(pattern, [...head, ...tail]);
  const end = tail.length - (rest.length - 1);
  return end < 1 ? undefined : matchLeniently(pattern, [...head, tail.slice(0, end).join('/'), ...tail.slice(end)]);
}

/**
 * Whether the project of a match can be one: a number or a full path. A single word is the beginning of a path with unencoded slashes, as in
 * `/projects/local/packages/protected_environments`, which is no package of a project `local`.
 */
function mayNameProject(pattern: string, id = ''): boolean {
  return !pattern.startsWith('/projects/:id/') || /^\d+$/.test(id) || id.includes('/');
}
