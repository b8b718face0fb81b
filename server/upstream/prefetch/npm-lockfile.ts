import { z } from 'zod';
import { splitAtVersion } from './locked-package.ts';
import type { LockedPackage } from './locked-package.ts';

const entry = z.looseObject({
  name: z.string().optional(),
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.unknown().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
});

interface OldEntry {
  readonly version?: string | undefined;
  readonly integrity?: string | undefined;
  readonly bundled?: boolean | undefined;
  readonly dependencies?: Readonly<Record<string, OldEntry>> | undefined;
}

const oldEntry: z.ZodType<OldEntry> = z.lazy(() =>
  z.looseObject({
    version: z.string().optional(),
    integrity: z.string().optional(),
    bundled: z.boolean().optional(),
    dependencies: z.record(z.string(), oldEntry).optional(),
  }),
);

const lockfile = z.union([
  z.looseObject({ packages: z.record(z.string(), entry) }),
  z.looseObject({ lockfileVersion: z.literal(1), dependencies: z.record(z.string(), oldEntry).default({}) }),
]);

/** package-lock.json and npm-shrinkwrap.json, versions 1 to 3. @throws ZodError or SyntaxError */
export function readNpmLockfile(text: string): LockedPackage[] {
  const parsed = lockfile.parse(JSON.parse(text));
  return 'packages' in parsed
    ? fromPackages(parsed.packages as Record<string, z.infer<typeof entry>>)
    : fromTree(parsed.dependencies);
}

function fromPackages(packages: Readonly<Record<string, z.infer<typeof entry>>>): LockedPackage[] {
  const marker = 'node_modules/';
  return Object.entries(packages).flatMap(([path, { name, version, integrity, link, inBundle, resolved }]) => {
    const at = path.lastIndexOf(marker);
    // Workspaces stand under their own path; bundled packages come inside the tarball of their parent.
    if (at === -1 || link === true || inBundle === true || version === undefined) return [];
    if (typeof resolved === 'string' && !/^https?:/.test(resolved)) return [];
    return [{ name: name ?? path.slice(at + marker.length), version, integrity: integrity ?? null }];
  });
}

function fromTree(dependencies: Readonly<Record<string, OldEntry>>): LockedPackage[] {
  return Object.entries(dependencies).flatMap(([name, { version = '', integrity, bundled, dependencies: below }]) => {
    const alias = version.startsWith('npm:') ? splitAtVersion(version.slice(4)) : undefined;
    const own = { name: alias?.name ?? name, version: alias?.rest ?? version, integrity: integrity ?? null };
    return [...(bundled === true ? [] : [own]), ...fromTree(below ?? {})];
  });
}
