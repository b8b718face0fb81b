import { hash } from 'node:crypto';
import { GatehouseError } from '../../contract/errors.ts';
import { shorten } from '../../lib/printable.ts';

/** What Linux takes as a path, and more levels than any package has. */
const longestPath = 4096;
const mostLevels = 128;

/** The paths of a tarball, one after the other. Installers drop the first folder, whatever its name, and keep what is below. */
export class TarballPaths {
  /** By digest, as the paths of a hostile tarball fill the memory. */
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /**
   * Takes the next path.
   * @returns the name of a file that is directly in the package's folder, undefined for all else.
   * @throws GatehouseError `invalid_request` for a path that leads out, that was there before, or that is a package.json for some
   * installers or on some disks only.
   */
  add(path: string, isFolder: boolean): string | undefined {
    refuseUnsafe(path);
    const [top, ...rest] = (isFolder ? path.replace(/\/+$/, '') : path).split('/');
    const parts = rest.filter((part) => part !== '' && part !== '.');
    const [first] = parts;
    if (first === undefined) {
      if (isFolder) return undefined;
      throw invalidTarball(
        `holds the file "${shorten(path)}" outside of a folder, which some package managers leave out. Pack it with "npm pack"`,
      );
    }
    const isPlain = rest.length === 1 && !isFolder && top !== '';
    if (hasName(first, 'package.json') && !(first === 'package.json' && isPlain)) {
      throw invalidTarball(
        `holds "${shorten(path)}", which is a package.json for some package managers or on some disks and not on others. Keep one "package/package.json"`,
      );
    }
    this.#requireNew(parts, isFolder);
    return parts.length === 1 && !isFolder ? first : undefined;
  }

  /** Folders may be named as often as files are in them; a file is there once, and is no folder. */
  #requireNew(parts: readonly string[], isFolder: boolean): void {
    let digest = '';
    for (const [index, part] of parts.entries()) {
      const isFile = index === parts.length - 1 && !isFolder;
      digest = hash('sha1', `${digest}/${part}`, 'base64');
      if (this.#files.has(digest) || (isFile && this.#folders.has(digest))) {
        throw invalidTarball(
          `holds "${shorten(parts.join('/'))}" twice, and package managers differ on which one counts. Pack it with "npm pack"`,
        );
      }
      (isFile ? this.#files : this.#folders).add(digest);
    }
  }
}

/**
 * Whether a file of this name has that name on some disk: without regard to case or Unicode form, without what Windows and macOS leave out
 * of names, or as the short name that Windows gives it.
 */
export function hasName(name: string, wanted: string): boolean {
  if (name === wanted) return true;
  const folded = name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/:.*$/su, '')
    .replace(/[. ]+$/u, '')
    .toUpperCase()
    .toLowerCase();
  const [stem = '', ending = ''] = wanted.split('.');
  return folded === wanted || new RegExp(`^${stem.slice(0, 6)}~\\d\\.${ending.slice(0, 3)}$`).test(folded);
}

function refuseUnsafe(path: string): void {
  const isUnsafe =
    path.startsWith('/') ||
    /^[A-Za-z]:/.test(path) ||
    path.includes('\\') ||
    path.includes('\0') ||
    path.split('/').includes('..');
  if (isUnsafe) throw invalidTarball(`holds the path "${shorten(path)}", which leads out of its folder`);
  if (path.length > longestPath || path.split('/').length > mostLevels) {
    throw invalidTarball(
      `holds the path "${shorten(path)}", which is longer than ${longestPath} characters or ${mostLevels} folders`,
    );
  }
}

/** @returns the error for a tarball. @param what continues "The tarball …", without the full stop. */
export function invalidTarball(what: string): GatehouseError {
  return new GatehouseError('invalid_request', `The tarball ${what}.`);
}
