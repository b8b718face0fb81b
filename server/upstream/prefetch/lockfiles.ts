import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { GatehouseError } from '../../contract/errors.ts';
import { integrityOf } from '../../lib/integrity.ts';
import { shorten } from '../../lib/printable.ts';
import { splitSpec } from '../../registry/package-name.ts';
import { isValidVersion } from '../../registry/package-version.ts';

/** One package that a lockfile names. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** As the lockfile has it; null where it has none of the tarball. */
  readonly integrity: string | null;
}

const readers: readonly { readonly names: RegExp; readonly read: (text: string) => LockedPackage[] }[] = [
  { names: /^(?:package-lock|npm-shrinkwrap).*\.json$/, read: readNpm },
  { names: /^pnpm-lock.*\.ya?ml$/, read: readPnpm },
  { names: /^yarn.*\.lock$/, read: readYarn },
  { names: /^bun\.lock$/, read: readBun },
];

/**
 * The packages that a lockfile of npm, pnpm, Yarn or Bun names, each once. What has no version of a registry (git, file, workspace) is
 * left out.
 * @throws GatehouseError `invalid_request` if its name is that of none of them, or it cannot be read.
 */
export function readLockfile(fileName: string, text: string): LockedPackage[] {
  const base = fileName.split(/[\\/]/).at(-1) ?? fileName;
  const reader = readers.find(({ names }) => names.test(base));
  if (!reader) {
    const hint = base === 'bun.lockb' ? ' Bun writes the text format with "bun install --save-text-lockfile".' : '';
    throw new GatehouseError(
      'invalid_request',
      `"${shorten(base)}" is no known lockfile: package-lock.json, npm-shrinkwrap.json, pnpm-lock.yaml, yarn.lock or bun.lock.${hint}`,
    );
  }
  const found = new Map<string, LockedPackage>();
  try {
    for (const entry of reader.read(text)) {
      const key = `${entry.name}@${entry.version}`;
      if (!isValidVersion(entry.version) || entry.name === '') continue;
      if (!found.has(key) || entry.integrity !== null) found.set(key, entry);
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : message;
    throw new GatehouseError('invalid_request', `${base} cannot be read: ${shorten(reason, 400)}`);
  }
  return [...found.values()];
}

const npmEntry = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.unknown().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
});

interface Npm6Entry {
  readonly version?: string | undefined;
  readonly integrity?: string | undefined;
  readonly bundled?: boolean | undefined;
  readonly dependencies?: Readonly<Record<string, Npm6Entry>> | undefined;
}

const npm6Entry: z.ZodType<Npm6Entry> = z.lazy(() =>
  z.looseObject({
    version: z.string().optional(),
    integrity: z.string().optional(),
    bundled: z.boolean().optional(),
    dependencies: z.record(z.string(), npm6Entry).optional(),
  }),
);

const npmLockfile = z.union([
  z.looseObject({ lockfileVersion: z.number(), packages: z.record(z.string(), npmEntry) }),
  z.looseObject({ lockfileVersion: z.literal(1), dependencies: z.record(z.string(), npm6Entry).default({}) }),
]);

/** package-lock.json and npm-shrinkwrap.json, versions 1 to 3. */
function readNpm(text: string): LockedPackage[] {
  const parsed = npmLockfile.parse(JSON.parse(text));
  if (!('packages' in parsed)) return readNpm6(parsed.dependencies);
  const marker = 'node_modules/';
  const packages = Object.entries(parsed.packages as Record<string, z.infer<typeof npmEntry>>);
  return packages.flatMap(([path, { name, version, integrity, link, inBundle, resolved }]) => {
    const at = path.lastIndexOf(marker);
    // Workspaces are listed under their own path; bundled packages come inside the tarball of their parent.
    if (at === -1 || link === true || inBundle === true || version === undefined) return [];
    if (typeof resolved === 'string' && !/^https?:/.test(resolved)) return [];
    return [{ name: name ?? path.slice(at + marker.length), version, integrity: integrity ?? null }];
  });
}

function readNpm6(dependencies: Readonly<Record<string, Npm6Entry>>): LockedPackage[] {
  return Object.entries(dependencies).flatMap(([name, { version = '', integrity, bundled, dependencies: below }]) => {
    const alias = version.startsWith('npm:') ? splitSpec(version.slice(4)) : undefined;
    const own = { name: alias?.name ?? name, version: alias?.range ?? version, integrity: integrity ?? null };
    return [...(bundled === true ? [] : [own]), ...readNpm6(below ?? {})];
  });
}

const pnpmLockfile = z.looseObject({
  lockfileVersion: z.union([z.string(), z.number()]),
  packages: z
    .record(
      z.string(),
      z.looseObject({
        name: z.string().optional(),
        version: z.string().optional(),
        resolution: z.looseObject({ integrity: z.string().optional() }).optional(),
      }),
    )
    .default({}),
});

/** pnpm-lock.yaml, formats 5 to 9. */
function readPnpm(text: string): LockedPackage[] {
  // pnpm may write several documents; the last one holds the packages.
  const documents = text.split(/^---\s*$/m).filter((part) => part.trim() !== '');
  if (documents.length === 0) throw new Error('it is empty');
  return documents.flatMap((document) => {
    const { packages } = pnpmLockfile.parse(parseYaml(document) ?? {});
    return Object.entries(packages).flatMap(([key, { name, version, resolution }]) => {
      // Packages from git or a folder have no integrity.
      if (resolution?.integrity === undefined) return [];
      const id = pnpmIdOf(key);
      const found = { name: name ?? id?.name ?? '', version: version ?? id?.version ?? '' };
      return [{ ...found, integrity: resolution.integrity }];
    });
  });
}

/** `name@1.0.0`, `/name@1.0.0(peer@2.0.0)` or, in format 5, `/name/1.0.0_peer@2.0.0`. */
function pnpmIdOf(key: string): { name: string; version: string } | undefined {
  const plain = key.replace(/^\//, '').replace(/\(.*$/, '');
  const { name, range } = splitSpec(plain);
  if (/^\d/.test(range) && !/\/\d[^/@]*_/.test(plain)) return { name, version: range };
  const old = /^((?:@[^/]+\/)?[^/]+)\/(\d[^_/]*)/.exec(plain);
  return old?.[1] !== undefined && old[2] !== undefined ? { name: old[1], version: old[2] } : undefined;
}

/** yarn.lock of Yarn 1 (its own format) and of Yarn 2 and later (YAML with `__metadata`). */
function readYarn(text: string): LockedPackage[] {
  if (/^__metadata:/m.test(text)) return readYarnBerry(text);
  const found = readYarnClassic(text);
  // Any text can be read as this format; one without packages has at least its heading.
  if (found.length === 0 && !text.includes('# yarn lockfile v1'))
    throw new Error('it has neither packages nor a heading');
  return found;
}

const yarnEntry = z.looseObject({ resolution: z.string().optional() });

function readYarnBerry(text: string): LockedPackage[] {
  const { __metadata: _metadata, ...entries } = z.record(z.string(), z.unknown()).parse(parseYaml(text));
  return Object.values(entries).flatMap((entry) => {
    const { resolution = '' } = yarnEntry.parse(entry);
    const [, name, version] = /^((?:@[^/]+\/)?[^@/]+)@npm:([^:]+)/.exec(resolution) ?? [];
    if (name === undefined || version === undefined) return [];
    const alias = splitSpec(version);
    // The checksum is of Yarn's own zip, so it says nothing of the tarball.
    return [
      alias.range === ''
        ? { name, version, integrity: null }
        : { name: alias.name, version: alias.range, integrity: null },
    ];
  });
}

function readYarnClassic(text: string): LockedPackage[] {
  return text.split(/\r?\n(?=[^\s#])/).flatMap((block) => {
    const [head = '', ...lines] = block.split(/\r?\n/);
    const fields = new Map<string, string>();
    for (const line of lines) {
      const [, field, value] = /^ {2}(version|integrity|resolved) "?([^"\s]+)"?$/.exec(line) ?? [];
      if (field !== undefined && value !== undefined) fields.set(field, value);
    }
    const name = yarnNameOf(head);
    const [version, resolved] = [fields.get('version'), fields.get('resolved')];
    if (name === undefined || version === undefined) return [];
    if (resolved !== undefined && !/^https?:/.test(resolved)) return [];
    const sha1 = /#([0-9a-f]{40})$/.exec(resolved ?? '')?.[1];
    const integrity = fields.get('integrity') ?? (sha1 === undefined ? null : integrityOf(sha1, 'sha1'));
    return [{ name, version, integrity }];
  });
}

/** The name in `"@a/b@^1.0.0", "@a/b@^1.1.0":`, or the one behind an alias `c@npm:@a/b@^1.0.0`. */
function yarnNameOf(line: string): string | undefined {
  const { name, range } = splitSpec(line.replace(/:$/, '').split(', ')[0]?.replaceAll('"', '') ?? '');
  if (range === '') return undefined;
  return range.startsWith('npm:') ? splitSpec(range.slice(4)).name : name;
}

const bunLockfile = z.looseObject({ packages: z.record(z.string(), z.array(z.unknown())) });

/** bun.lock, the text format: JSON with trailing commas and line comments. */
function readBun(text: string): LockedPackage[] {
  const strings = /("(?:[^"\\]|\\.)*")/.source;
  const keepStrings = (_match: string, inString: string | undefined): string => inString ?? '';
  const json = text
    .replaceAll(new RegExp(`${strings}|//[^\\n]*`, 'g'), keepStrings)
    .replaceAll(new RegExp(`${strings}|,(?=\\s*[}\\]])`, 'g'), keepStrings);
  return Object.values(bunLockfile.parse(JSON.parse(json)).packages).flatMap((entry) => {
    const { name, range: version } = splitSpec(typeof entry[0] === 'string' ? entry[0] : '');
    const last = entry.at(-1);
    const integrity = typeof last === 'string' && /^sha\d+-/.test(last) ? last : null;
    return version === '' ? [] : [{ name, version, integrity }];
  });
}
