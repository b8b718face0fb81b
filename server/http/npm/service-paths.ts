import type { NpmContext } from './npm-context.ts';

export type ServiceMethod = 'GET' | 'PUT' | 'POST' | 'DELETE';

/** Parameters that a pattern took out of a path. */
export type PathParameters = Readonly<Record<string, string>>;

/** What carries out a call below `/-/`; `parameters` are those of its path. */
export type ServicePathHandler = (context: NpmContext, parameters: PathParameters) => Promise<void> | void;

export interface Service {
  /** Below `/-/`; see `matchServicePath`. */
  readonly path: string;
  readonly methods: Partial<Record<ServiceMethod, ServicePathHandler>>;
  /**
   * Methods for which a token that is sent along is not looked at: people log in because the one they have no longer works, and must
   * not be refused for it.
   */
  readonly ignoresToken?: readonly ServiceMethod[];
}

/**
 * The parameters of a path that fits a pattern, undefined if it does not. A segment `:key` takes one segment; `*name` takes a package
 * name (or `name@version`), which is two segments where a scope's slash stands there plain.
 */
export function matchServicePath(pattern: string, path: readonly string[]): PathParameters | undefined {
  const parameters: Record<string, string> = {};
  let at = 0;
  for (const part of pattern.split('/')) {
    const segment = path[at];
    if (segment === undefined) return undefined;
    at += 1;
    if (part.startsWith(':')) parameters[part.slice(1)] = segment;
    else if (part.startsWith('*')) {
      const second = path[at];
      const isSplit = segment.startsWith('@') && !segment.includes('/') && second !== undefined;
      if (isSplit) at += 1;
      parameters[part.slice(1)] = isSplit ? `${segment}/${second}` : segment;
    } else if (part !== segment) return undefined;
  }
  return at === path.length ? parameters : undefined;
}
