import { GatehouseError } from '../../contract/errors.ts';
import { segmentsOf } from '../route-matcher.ts';

/** The part of the registry that a request is about. `reference` is a numeric id or a full path. */
export type NpmPrefix = {
  /** As the client wrote it, without a slash at its end. */
  readonly text: string;
} & ({ readonly kind: 'project' | 'group'; readonly reference: string } | { readonly kind: 'instance' });

export interface NpmPath {
  readonly prefix: NpmPrefix;
  /** Decoded segments below the prefix. */
  readonly segments: readonly string[];
}

const shape = /^(\/api\/v4(?:\/projects\/(.+?)|\/groups\/(.+?)\/-)?\/packages\/npm)(\/.*)?$/;

/**
 * Reads a raw request path (no query) as one of the npm API; undefined if it is none.
 * @throws GatehouseError `invalid_request` for invalid percent-encoding and for control characters in a name, `not_found` for an empty segment.
 */
export function parseNpmPath(path: string): NpmPath | undefined {
  const [, text, project, group, rest = ''] = shape.exec(path) ?? [];
  if (text === undefined) return undefined;
  const prefix: NpmPrefix =
    project !== undefined
      ? { text, kind: 'project', reference: decode(project) }
      : group !== undefined
        ? { text, kind: 'group', reference: decode(group) }
        : { text, kind: 'instance' };
  const segments = segmentsOf(rest, decode);
  const [first = '', second = ''] = segments[0] === '-' && segments[1] === 'package' ? segments.slice(2) : segments;
  // In GitLab's words.
  if (hasControlCharacter(first) || (first.startsWith('@') && hasControlCharacter(second)))
    throw new GatehouseError('invalid_request', 'package_name should be a valid file path');
  if (segments.includes('')) throw new GatehouseError('not_found');
  return { prefix, segments };
}

function hasControlCharacter(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f]/.test(text);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Without the segment: it may be a token, and the text is kept in the log of requests.
    throw new GatehouseError('invalid_request', 'The path holds a "%" that is not valid percent-encoding.');
  }
}
