import { GatehouseError } from '../../contract/errors.ts';

/** Which part of the registry a request is about. `reference` is a numeric id or a full path. */
export type NpmPrefix =
  | { readonly kind: 'project'; readonly reference: string }
  | { readonly kind: 'group'; readonly reference: string }
  | { readonly kind: 'instance' };

/** What a request below a prefix asks for. Names and file names are decoded. */
export type NpmRoute =
  | { readonly kind: 'root' }
  | { readonly kind: 'packument'; readonly name: string; readonly revision: string | null }
  | { readonly kind: 'manifest'; readonly name: string; readonly selector: string }
  | { readonly kind: 'tarball'; readonly name: string; readonly file: string; readonly revision: string | null }
  | { readonly kind: 'dist-tags'; readonly name: string }
  | { readonly kind: 'dist-tag'; readonly name: string; readonly tag: string }
  | { readonly kind: 'package-facet'; readonly name: string; readonly facet: string; readonly rest: readonly string[] }
  /** A path below `/-/` that is not about one package, for instance `v1/search`. */
  | { readonly kind: 'service'; readonly path: readonly string[] };

export interface ParsedNpmPath {
  readonly prefix: NpmPrefix;
  readonly route: NpmRoute;
}

const projectPrefix = /^\/api\/v4\/projects\/(.+?)\/packages\/npm(\/.*)?$/;
const groupPrefix = /^\/api\/v4\/groups\/(.+?)\/-\/packages\/npm(\/.*)?$/;
const instancePrefix = /^\/api\/v4\/packages\/npm(\/.*)?$/;

/**
 * Reads a raw request path (no query) as a call of the npm API; undefined if it is none. Names may come with their slash plain or
 * encoded, in either case of the hexadecimal digits (api/npm.md, part one).
 * @throws GatehouseError `invalid_request` for percent-encoding that means nothing and for control characters in a name, `not_found` for an empty
 * segment.
 */
export function parseNpmPath(path: string): ParsedNpmPath | undefined {
  const project = projectPrefix.exec(path);
  if (project) {
    return { prefix: { kind: 'project', reference: decode(project[1] ?? '') }, route: parseRoute(project[2] ?? '') };
  }
  const group = groupPrefix.exec(path);
  if (group) return { prefix: { kind: 'group', reference: decode(group[1] ?? '') }, route: parseRoute(group[2] ?? '') };
  const instance = instancePrefix.exec(path);
  if (instance) return { prefix: { kind: 'instance' }, route: parseRoute(instance[1] ?? '') };
  return undefined;
}

/** The prefix of a path that `parseNpmPath` knows, as the client wrote it and without a slash at its end. */
export function prefixTextOf(path: string): string {
  const match = projectPrefix.exec(path) ?? groupPrefix.exec(path);
  const rest = match ? match[2] : instancePrefix.exec(path)?.[1];
  return path.slice(0, path.length - (rest?.length ?? 0));
}

function parseRoute(rest: string): NpmRoute {
  const raw = rest.split('/').slice(1);
  // One slash at the end means nothing.
  if (raw.at(-1) === '') raw.pop();
  if (raw.length === 0) return { kind: 'root' };
  const segments = raw.map(decode);
  requirePrintable(segments[0] ?? '');
  if (segments.includes('')) throw new GatehouseError('not_found');
  if (segments[0] === '-') {
    return segments[1] === 'package' && segments.length > 2
      ? parseFacet(segments.slice(2))
      : { kind: 'service', path: segments.slice(1) };
  }
  const { name, rest: after } = takeName(segments);
  return parsePackagePath(name, after);
}

function parsePackagePath(name: string, after: readonly string[]): NpmRoute {
  const [first, ...more] = after;
  if (first === undefined) return { kind: 'packument', name, revision: null };
  if (first === '-rev' && more.length === 1) return { kind: 'packument', name, revision: more[0] ?? '' };
  if (first === '-' && more.length > 0) {
    const revisionAt = more.indexOf('-rev');
    const fileParts = revisionAt > 0 ? more.slice(0, revisionAt) : more;
    const revision = revisionAt > 0 ? more.slice(revisionAt + 1) : [];
    // GitLab's file names carry the scope, plain or encoded; ours do not (api/npm.md, part one).
    const file = fileParts.join('/');
    if (revision.length <= 1 && fileParts.length <= 2) {
      return { kind: 'tarball', name, file, revision: revision[0] ?? null };
    }
    throw new GatehouseError('not_found');
  }
  if (more.length === 0) return { kind: 'manifest', name, selector: first };
  throw new GatehouseError('not_found');
}

function parseFacet(segments: readonly string[]): NpmRoute {
  const { name, rest } = takeName(segments);
  const [facet, ...more] = rest;
  if (facet === undefined) throw new GatehouseError('not_found');
  if (facet !== 'dist-tags') return { kind: 'package-facet', name, facet, rest: more };
  if (more.length === 0) return { kind: 'dist-tags', name };
  if (more.length === 1) return { kind: 'dist-tag', name, tag: more[0] ?? '' };
  throw new GatehouseError('not_found');
}

/** A name is one segment, or two if the scope's slash stands there plain. */
function takeName(segments: readonly string[]): { name: string; rest: readonly string[] } {
  const [first = '', second] = segments;
  const isSplit = first.startsWith('@') && !first.includes('/') && second !== undefined && second !== '-';
  const name = isSplit ? `${first}/${second}` : first;
  requirePrintable(name);
  return { name, rest: segments.slice(isSplit ? 2 : 1) };
}

/** A line break in a name is somebody's try to write into headers or logs; refused in GitLab's words (api/npm.md 1.2). */
function requirePrintable(name: string): void {
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(name))
    throw new GatehouseError('invalid_request', 'package_name should be a valid file path');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new GatehouseError(
      'invalid_request',
      `The path holds "${segment.slice(0, 60)}", which is not valid percent-encoding.`,
    );
  }
}
