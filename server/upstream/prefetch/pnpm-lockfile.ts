import { parse } from 'yaml';
import { z } from 'zod';
import { splitAtVersion } from './locked-package.ts';
import type { LockedPackage } from './locked-package.ts';

const lockfile = z.looseObject({
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

/** pnpm-lock.yaml, formats 5 to 9. @throws ZodError or YAMLParseError */
export function readPnpmLockfile(text: string): LockedPackage[] {
  // pnpm may write several documents; the last one holds the packages.
  const documents = text.split(/^---\s*$/m).filter((part) => part.trim() !== '');
  return documents.flatMap((document) => {
    const { packages } = lockfile.parse(parse(document) ?? {});
    return Object.entries(packages).flatMap(([key, { name, version, resolution }]) => {
      // Something from git or a folder has no integrity of a registry's tarball.
      if (resolution?.integrity === undefined) return [];
      const id = idOf(key);
      const found = { name: name ?? id?.name, version: version ?? id?.version };
      return found.name === undefined || found.version === undefined
        ? []
        : [{ name: found.name, version: found.version, integrity: resolution.integrity }];
    });
  });
}

/** `name@1.0.0`, `/name@1.0.0(peer@2.0.0)` or, in format 5, `/name/1.0.0_peer@2.0.0`. */
function idOf(key: string): { name: string; version: string } | undefined {
  const plain = key.replace(/^\//, '').replace(/\(.*$/, '');
  const modern = splitAtVersion(plain);
  if (modern && /^\d/.test(modern.rest) && !/\/\d[^/@]*_/.test(plain))
    return { name: modern.name, version: modern.rest };
  const old = /^((?:@[^/]+\/)?[^/]+)\/(\d[^_/]*)/.exec(plain);
  return old?.[1] !== undefined && old[2] !== undefined ? { name: old[1], version: old[2] } : undefined;
}
