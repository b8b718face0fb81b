/*
 * The lines that point npm, pnpm, Yarn 1 and Bun at a project stand in a block of their own at the end of an `.npmrc`. npm lets the last
 * of two equal keys win, so nothing that was there has to be changed, and taking the block out gives back the former file byte by
 * byte.
 */

const opening =
  '# >>> gatehouse: these lines point at the registry on this machine; "gatehouse connect --undo" takes them out';
const closing = '# <<< gatehouse';

export interface RegistryTarget {
  /** Address of the project's registry with its trailing slash. */
  readonly registry: string;
  /** A scope with its at sign, or null for every package. */
  readonly scope: string | null;
  /** The token, or a `${VARIABLE}` that holds it. */
  readonly token: string;
}

/** The two lines that npm 12 knows and needs: where packages come from, and the token for that address alone. */
export function npmrcLines({ registry, scope, token }: RegistryTarget): string[] {
  return [
    `${scope === null ? '' : `${scope}:`}registry=${registry}`,
    `${registry.replace(/^https?:/, '')}:_authToken=${token}`,
  ];
}

/** A file with the block for this target at its end, in the place of an earlier block. `before` is null where there is no file. */
export function withBlock(before: string | null, target: RegistryTarget): string {
  const kept = withoutBlock(before ?? '');
  // The line break that the block needs before itself belongs to the block, so that it goes with it.
  const separator = kept === '' || kept.endsWith('\n') ? '' : '\n';
  return `${kept}${separator}${opening}\n${npmrcLines(target).join('\n')}\n${closing}${separator === '' ? '' : ' (joined)'}\n`;
}

/** A file without the block; as it is if it holds none. */
export function withoutBlock(text: string): string {
  const start = text.indexOf(opening);
  if (start === -1) return text;
  const end = text.indexOf(closing, start);
  const after = end === -1 ? text.length : text.indexOf('\n', end) + 1 || text.length;
  const joined = end !== -1 && text.slice(end, after).includes('(joined)');
  const before = text.slice(0, start);
  return (joined && after >= text.length ? before.slice(0, -1) : before) + text.slice(after);
}

/** The token that the block of a file holds; undefined if there is none. */
export function tokenInBlock(text: string): string | undefined {
  const start = text.indexOf(opening);
  if (start === -1) return undefined;
  const end = text.indexOf(closing, start);
  return /:_authToken=(\S+)/.exec(text.slice(start, end === -1 ? undefined : end))?.[1];
}

/** Whether a file holds the block. */
export function hasBlock(text: string): boolean {
  return text.includes(opening);
}
