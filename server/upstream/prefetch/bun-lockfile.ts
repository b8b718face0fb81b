import { z } from 'zod';
import { splitAtVersion } from './locked-package.ts';
import type { LockedPackage } from './locked-package.ts';

const lockfile = z.looseObject({ packages: z.record(z.string(), z.array(z.unknown())) });

/** bun.lock, the text format: JSON with commas at the ends. @throws ZodError or SyntaxError */
export function readBunLockfile(text: string): LockedPackage[] {
  const { packages } = lockfile.parse(JSON.parse(withoutTrailingCommas(text)));
  return Object.values(packages).flatMap((entry) => {
    const id = typeof entry[0] === 'string' ? splitAtVersion(entry[0]) : undefined;
    const last = entry.at(-1);
    const integrity = typeof last === 'string' && /^sha\d+-/.test(last) ? last : null;
    return id ? [{ name: id.name, version: id.rest, integrity }] : [];
  });
}

/** Takes out commas before a closing bracket, and line comments, but for those inside texts. */
export function withoutTrailingCommas(text: string): string {
  return text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*/g, (_match, inText: string | undefined) => inText ?? '')
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_match, inText: string | undefined) => inText ?? '');
}
