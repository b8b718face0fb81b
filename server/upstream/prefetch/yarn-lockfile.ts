import { parse } from 'yaml';
import { z } from 'zod';
import { integrityOf } from '../../lib/integrity.ts';
import { splitAtVersion } from './locked-package.ts';
import type { LockedPackage } from './locked-package.ts';

/** yarn.lock of Yarn 1 (its own format) and of Yarn 2 and later (YAML with `__metadata`). @throws ZodError or YAMLParseError */
export function readYarnLockfile(text: string): LockedPackage[] {
  return /^__metadata:/m.test(text) ? readModern(text) : readClassic(text);
}

const modern = z.record(
  z.string(),
  z.looseObject({
    version: z.unknown().optional(),
    resolution: z.string().optional(),
    linkType: z.string().optional(),
  }),
);

function readModern(text: string): LockedPackage[] {
  const { __metadata: _metadata, ...entries } = z.record(z.string(), z.unknown()).parse(parse(text));
  return Object.values(modern.parse(entries)).flatMap(({ resolution = '' }) => {
    // The checksum is of Yarn's own zip, so it says nothing of the tarball.
    const found = /^((?:@[^/]+\/)?[^@/]+)@npm:([^:]+)/.exec(resolution);
    const alias = found?.[2] === undefined ? undefined : splitAtVersion(found[2]);
    const name = alias?.name ?? found?.[1];
    const version = alias?.rest ?? found?.[2];
    return name === undefined || version === undefined ? [] : [{ name, version, integrity: null }];
  });
}

function readClassic(text: string): LockedPackage[] {
  const found: LockedPackage[] = [];
  let name: string | undefined;
  let version: string | undefined;
  let integrity: string | null = null;
  const finish = (): void => {
    if (name !== undefined && version !== undefined) found.push({ name, version, integrity });
    [name, version, integrity] = [undefined, undefined, null];
  };
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    if (!line.startsWith(' ')) {
      finish();
      name = nameOf(line);
      continue;
    }
    const field = /^ {2}(version|integrity|resolved) "?([^"\s]+)"?$/.exec(line);
    if (field?.[1] === 'version') version = field[2];
    else if (field?.[1] === 'integrity') integrity = field[2] ?? null;
    else if (field?.[1] === 'resolved' && !/^https?:/.test(field[2] ?? '')) name = undefined;
    else if (field?.[1] === 'resolved' && integrity === null) {
      const sha1 = /#([0-9a-f]{40})$/.exec(field[2] ?? '')?.[1];
      if (sha1 !== undefined) integrity = integrityOf(sha1, 'sha1');
    }
  }
  finish();
  return found;
}

/** The name in `"@a/b@^1.0.0", "@a/b@^1.1.0":`, or the one behind an alias `c@npm:@a/b@^1.0.0`. */
function nameOf(line: string): string | undefined {
  const first = line.replace(/:$/, '').split(', ')[0]?.replaceAll('"', '') ?? '';
  const split = splitAtVersion(first);
  if (!split) return undefined;
  return split.rest.startsWith('npm:') ? splitAtVersion(split.rest.slice(4))?.name : split.name;
}
