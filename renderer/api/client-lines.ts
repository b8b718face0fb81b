/** Where a client is to be pointed: one project of this registry, for one scope or for every package. */
export interface Target {
  /** `http://127.0.0.1:4899`, without a trailing slash. */
  origin: string;
  projectId: number;
  /** `@acme`; empty: every package that has no registry of its own. */
  scope: string;
}

export const clients = ['npm', 'pnpm', 'yarn', 'bun', 'ci'] as const;
export type Client = (typeof clients)[number];

/** A file and the lines that belong into it. */
export interface ClientLines {
  file: string;
  lines: string;
  /** What the client needs besides, one sentence each. */
  notes: readonly string[];
}

/** The environment variable that the lines read the token from, so that no secret lies in a project folder. */
export const tokenVariable = 'GATEHOUSE_TOKEN';

/** The address of the npm registry of a project, with its trailing slash. */
export function registryUrl({ origin, projectId }: Pick<Target, 'origin' | 'projectId'>): string {
  return `${origin}/api/v4/projects/${projectId}/packages/npm/`;
}

/** The address of the tarball of a version, as the registry gives it to clients. */
export function tarballUrl(place: Pick<Target, 'origin' | 'projectId'>, name: string, version: string): string {
  return `${registryUrl(place)}${name}/-/${name.slice(name.lastIndexOf('/') + 1)}-${version}.tgz`;
}

/** What to write where, so that `client` publishes to the target and installs from it. */
export function clientLines(client: Client, target: Target): ClientLines {
  const url = registryUrl(target);
  switch (client) {
    case 'npm':
    case 'pnpm':
      return { file: '.npmrc', lines: npmrc(target, [target.scope]), notes: [] };
    case 'yarn':
      return {
        file: '.yarnrc.yml',
        lines: yarnrc(target),
        notes: [
          'npmAlwaysAuth makes Yarn send the token when it reads, too; without it a private project looks empty.',
          'Yarn holds back versions younger than a day. npmMinimalAgeGate: 0 lets it install what was just published.',
        ],
      };
    case 'bun':
      return {
        file: 'bunfig.toml',
        lines:
          target.scope === ''
            ? `[install]\nregistry = { url = "${url}", token = "$${tokenVariable}" }`
            : `[install.scopes]\n"${target.scope.slice(1)}" = { url = "${url}", token = "$${tokenVariable}" }`,
        notes: ['Bun also reads the .npmrc lines of npm, if you would rather keep one file.'],
      };
    case 'ci':
      return {
        file: 'A step of the job, before the install',
        lines: npmrc(target, [target.scope])
          .split('\n')
          .map((line) => `echo '${line}' >> .npmrc`)
          .join('\n'),
        notes: [],
      };
    default:
      return assertNever(client);
  }
}

/** The lines with a token in place of the variable, for a file in the home folder of its user, which is in no repository. */
export function linesWithToken(
  client: Exclude<Client, 'ci'>,
  target: Target,
  token: string,
): Pick<ClientLines, 'file' | 'lines'> {
  const { file, lines } = clientLines(client, target);
  return { file: file.startsWith('.') ? `~/${file}` : `~/.${file}`, lines: withToken(lines, token) };
}

/** The same for npm and several scopes; an empty one means every package. */
export function npmLinesWithToken(
  place: Omit<Target, 'scope'>,
  scopes: readonly string[],
  token: string,
): Pick<ClientLines, 'file' | 'lines'> {
  return { file: '~/.npmrc', lines: withToken(npmrc(place, scopes), token) };
}

function withToken(lines: string, token: string): string {
  const variable = new RegExp(`\\$\\{${tokenVariable}(?::-)?\\}|\\$${tokenVariable}`);
  return lines.replace(variable, () => token);
}

function npmrc(place: Omit<Target, 'scope'>, scopes: readonly string[]): string {
  const url = registryUrl(place);
  const registries = scopes.map((scope) => (scope === '' ? `registry=${url}` : `${scope}:registry=${url}`));
  return `${registries.join('\n')}\n${url.replace(/^https?:/, '')}:_authToken=\${${tokenVariable}}`;
}

function yarnrc(target: Target): string {
  const url = registryUrl(target);
  const { hostname, protocol } = new URL(url);
  const plain = protocol === 'http:' ? [`unsafeHttpWhitelist:`, `  - "${hostname}"`] : [];
  const server = [`npmRegistryServer: "${url}"`, `npmAuthToken: "\${${tokenVariable}:-}"`, 'npmAlwaysAuth: true'];
  const where =
    target.scope === ''
      ? server
      : ['npmScopes:', `  ${target.scope.slice(1)}:`, ...server.map((line) => `    ${line}`)];
  return [...where, ...plain, 'npmMinimalAgeGate: 0'].join('\n');
}

/** The line that puts the token of a file into the environment of a shell; PowerShell's where paths are Windows paths. */
export function tokenFromFile(file: string): string {
  return isWindowsPath(file)
    ? `$env:${tokenVariable} = Get-Content "${file}"`
    : `export ${tokenVariable}="$(cat '${file.replaceAll("'", `'\\''`)}')"`;
}

/** Of the first package, so that its page has something to show. Their lines need no escaping in any shell, and npm takes the description from the readme. */
const sampleFiles = {
  'README.md': ['# @demo/hello', '', 'Says hello.', '', '    require("@demo/hello")("Ada")'],
  'index.js': ['module.exports = (name) => "Hello " + name'],
};

/** Whether the paths of the registry are Windows paths, so that its terminal is PowerShell. */
function isWindowsPath(file: string): boolean {
  return /^[A-Za-z]:\\|^\\\\/.test(file);
}

/** Writes a file in the shell. */
function writeFile(file: string, lines: readonly string[], isPowerShell: boolean): string {
  const quoted = lines.map((line) => `'${line}'`);
  return isPowerShell ? `${quoted.join(', ')} | Set-Content ${file}` : `printf '%s\\n' ${quoted.join(' ')} > ${file}`;
}

/** The commands that make a package in a new folder. */
function samplePackage(isPowerShell: boolean): string[] {
  return [
    'mkdir hello',
    'cd hello',
    ...Object.entries(sampleFiles).map(([file, lines]) => writeFile(file, lines, isPowerShell)),
    'npm init -y --init-version=1.0.0 --scope=@demo',
  ];
}

/**
 * One line for a terminal that makes a package, points npm at the project and publishes, with the token of a file; for PowerShell where
 * paths are Windows paths.
 */
export function firstPublishLine(target: Target, tokenFile: string): string {
  const isPowerShell = isWindowsPath(tokenFile);
  const steps = [
    ...samplePackage(isPowerShell),
    writeFile('.npmrc', clientLines('npm', target).lines.split('\n'), isPowerShell),
    tokenFromFile(tokenFile),
    'npm publish',
  ];
  return steps.join(isPowerShell ? '; ' : ' && ');
}

/** `@acme` of `acme`, ` @acme/ `; an empty string if it is no scope at all. */
export function normalizeScope(typed: string): { scope: string; valid: boolean } {
  const bare = typed.trim().replace(/^@/, '').replace(/\/.*$/, '');
  if (bare === '') return { scope: '', valid: typed.trim() === '' };
  return /^[a-z0-9~][a-z0-9._~-]*$/.test(bare) ? { scope: `@${bare}`, valid: true } : { scope: '', valid: false };
}

function assertNever(client: never): ClientLines {
  throw new Error(`No lines are known for ${String(client)}.`);
}
