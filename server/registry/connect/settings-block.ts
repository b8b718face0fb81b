import { parseDocument } from 'yaml';
import type { ConnectTool } from '../../contract/connect.ts';

/*
 * The lines that point a package manager at a project are a block at the end of its settings file. In an `.npmrc` the last of two equal
 * keys wins, so the other lines stay as they are, and removing the block restores the former file byte by byte.
 */

const opening =
  '# >>> gatehouse: these lines point at the registry on this machine; "gatehouse connect --undo" takes them out';
const closing = '# <<< gatehouse';

/** The file that each tool reads in a project's folder. */
export const settingsFiles = { npm: '.npmrc', yarn1: '.npmrc', yarn: '.yarnrc.yml' } as const;

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

/** The lines that Yarn 4 needs: the token also on reads and for that address only, plain HTTP to it, and young versions. */
export function yarnrcLines({ registry, scope, token }: RegistryTarget): string[] {
  const { hostname, protocol } = new URL(registry);
  const server = `npmRegistryServer: ${JSON.stringify(registry.replace(/\/$/, ''))}`;
  const credentials = [`npmAuthToken: ${JSON.stringify(token)}`, 'npmAlwaysAuth: true'];
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);
  const target =
    scope === null
      ? [
          server,
          'npmMinimalAgeGate: 0',
          'npmRegistries:',
          `  ${JSON.stringify(registry.replace(/^https?:|\/$/g, ''))}:`,
          ...indented(credentials),
        ]
      : [
          `npmPreapprovedPackages: ["${scope}/*"]`,
          'npmScopes:',
          `  "${scope.slice(1)}":`,
          ...indented([server, ...credentials]),
        ];
  return [...target, ...(protocol === 'http:' ? [`unsafeHttpWhitelist: ["${hostname}"]`] : [])];
}

/** The lines of the block for a tool. */
function linesFor(tool: ConnectTool, target: RegistryTarget): string[] {
  if (tool === 'yarn') return yarnrcLines(target);
  // Without it, Yarn 1 sends no token when it installs a package without a scope.
  return tool === 'yarn1' ? [...npmrcLines(target), 'always-auth=true'] : npmrcLines(target);
}

/** A file with the block for this target at its end, replacing an earlier one. `before` is null if there is no file. */
export function withBlock(before: string | null, target: RegistryTarget, tool: ConnectTool = 'npm'): string {
  const other = withoutBlock(before ?? '');
  // The line break before the block belongs to it and is removed with it.
  const separator = other === '' || other.endsWith('\n') ? '' : '\n';
  return `${other}${separator}${opening}\n${linesFor(tool, target).join('\n')}\n${closing}${separator === '' ? '' : ' (joined)'}\n`;
}

/** What keeps Yarn from reading a file, for instance a setting that stands in it twice; undefined if nothing does. */
export function yamlProblem(text: string): string | undefined {
  return parseDocument(text, { prettyErrors: false }).errors[0]?.message;
}

/** A file without the block. */
export function withoutBlock(text: string): string {
  const found = findBlock(text);
  if (!found) return text;
  const { start, end: after } = found;
  const joined = text.slice(start, after).includes(`${closing} (joined)`);
  const before = text.slice(0, start);
  return (joined && after >= text.length ? before.slice(0, -1) : before) + text.slice(after);
}

/** The token in the block of a file; undefined if there is none. */
export function tokenInBlock(text: string): string | undefined {
  const found = findBlock(text);
  return found && /(?::_authToken=|npmAuthToken: ")([^\s"]+)/.exec(text.slice(found.start, found.end))?.[1];
}

/** What `linesFor` writes, each once. */
const ownLines: readonly RegExp[] = [
  /^(?:@[^:\s]+:)?registry=/,
  /^\/\/\S+:_authToken=/,
  /^always-auth=true$/,
  /^\s*npmRegistryServer: /,
  /^npmMinimalAgeGate: 0$/,
  /^npmRegistries:$/,
  /^npmPreapprovedPackages: /,
  /^npmScopes:$/,
  /^ {2}"[^"]*":$/,
  /^ {4}npmAuthToken: /,
  /^ {4}npmAlwaysAuth: true$/,
  /^unsafeHttpWhitelist: /,
];

/** Where the block is. Without its last line it ends with the last line that this program writes: what follows is not its own. */
function findBlock(text: string): { readonly start: number; readonly end: number } | undefined {
  const start = text.indexOf(opening);
  if (start === -1) return undefined;
  const endOfLine = (position: number): number => text.indexOf('\n', position) + 1 || text.length;
  const last = text.indexOf(closing, start);
  if (last !== -1) return { start, end: endOfLine(last) };
  const left = new Set(ownLines);
  let end = endOfLine(start);
  for (;;) {
    const next = endOfLine(end);
    const line = text.slice(end, next).trimEnd();
    const own = [...left].find((shape) => shape.test(line));
    if (own === undefined || next === end) return { start, end };
    left.delete(own);
    end = next;
  }
}

/** Whether a file has the block. */
export function hasBlock(text: string): boolean {
  return text.includes(opening);
}
