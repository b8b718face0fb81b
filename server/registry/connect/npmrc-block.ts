/*
 * The lines that point npm, pnpm, Yarn 1 and Bun at a project are a block at the end of an `.npmrc`. In npm the last of two equal keys
 * wins, so the other lines stay as they are, and removing the block restores the former file byte by byte.
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

/** The two lines that npm 12 needs: the registry, and the token for that address only. */
export function npmrcLines({ registry, scope, token }: RegistryTarget): string[] {
  return [
    `${scope === null ? '' : `${scope}:`}registry=${registry}`,
    `${registry.replace(/^https?:/, '')}:_authToken=${token}`,
  ];
}

/** A file with the block for this target at its end, replacing an earlier one. `before` is null if there is no file. */
export function withBlock(before: string | null, target: RegistryTarget): string {
  const other = withoutBlock(before ?? '');
  // The line break before the block belongs to it and is removed with it.
  const separator = other === '' || other.endsWith('\n') ? '' : '\n';
  return `${other}${separator}${opening}\n${npmrcLines(target).join('\n')}\n${closing}${separator === '' ? '' : ' (joined)'}\n`;
}

/** A file without the block. */
export function withoutBlock(text: string): string {
  const start = text.indexOf(opening);
  if (start === -1) return text;
  const end = text.indexOf(closing, start);
  const after = end === -1 ? text.length : text.indexOf('\n', end) + 1 || text.length;
  const joined = end !== -1 && text.slice(end, after).includes('(joined)');
  const before = text.slice(0, start);
  return (joined && after >= text.length ? before.slice(0, -1) : before) + text.slice(after);
}

/** The token in the block of a file; undefined if there is none. */
export function tokenInBlock(text: string): string | undefined {
  const start = text.indexOf(opening);
  if (start === -1) return undefined;
  const end = text.indexOf(closing, start);
  return /:_authToken=(\S+)/.exec(text.slice(start, end === -1 ? undefined : end))?.[1];
}

/** Whether a file has the block. */
export function hasBlock(text: string): boolean {
  return text.includes(opening);
}
