import { z } from 'zod';
import { GatehouseError } from '../../contract/errors.ts';
import { shorten } from '../../lib/printable.ts';
import { readBunLockfile } from './bun-lockfile.ts';
import { withoutRepeats } from './locked-package.ts';
import type { LockedPackage } from './locked-package.ts';
import { readNpmLockfile } from './npm-lockfile.ts';
import { readPnpmLockfile } from './pnpm-lockfile.ts';
import { readYarnLockfile } from './yarn-lockfile.ts';

const readers: readonly { readonly names: RegExp; readonly read: (text: string) => LockedPackage[] }[] = [
  { names: /^(?:package-lock|npm-shrinkwrap).*\.json$/, read: readNpmLockfile },
  { names: /^pnpm-lock.*\.ya?ml$/, read: readPnpmLockfile },
  { names: /^yarn.*\.lock$/, read: readYarnLockfile },
  { names: /^bun\.lock$/, read: readBunLockfile },
];

/**
 * The packages that a lockfile of npm, pnpm, Yarn or Bun names, by its file name.
 * @throws GatehouseError `invalid_request` if it is none of them, or cannot be read.
 */
export function readLockfile(fileName: string, text: string): LockedPackage[] {
  const base = fileName.split(/[\\/]/).at(-1) ?? fileName;
  const reader = readers.find(({ names }) => names.test(base));
  if (!reader) {
    const hint = base === 'bun.lockb' ? ' Bun writes the text format with "bun install --save-text-lockfile".' : '';
    throw new GatehouseError(
      'invalid_request',
      `"${shorten(base)}" is no lockfile that is known: package-lock.json, npm-shrinkwrap.json, pnpm-lock.yaml, yarn.lock or bun.lock.${hint}`,
    );
  }
  try {
    return withoutRepeats(reader.read(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new GatehouseError('invalid_request', `${base} cannot be read: ${shorten(reason, 400)}`);
  }
}
