import { hash } from 'node:crypto';
import { GatehouseError } from '../../contract/errors.ts';
import { shorten } from '../../lib/printable.ts';

/** What Linux takes as a path, and more levels than any package has. */
const longestPath = 4096;
const mostLevels = 128;

/** An entry whose path was taken. */
export interface TakenPath {
  /** Name of a file that is directly in the package's folder; undefined for all else. */
  readonly name: string | undefined;
  /**
   * To be called with a digest of the file's content, where that decides.
   * @throws GatehouseError `invalid_request` for a path that is there twice with two contents.
   */
  readonly setContent?: (digest: string) => void;
}

/** The paths of a tarball, one after the other. Installers drop the first folder, whatever its name, and keep what is below. */
export class TarballPaths {
  /** By digest, as the paths of a hostile tarball fill the memory. */
  readonly #files = new Set<string>();
  /** Contents of files that are written with a dot: pnpm packs "./index.js" and "index.js" if "main" is the former. */
  readonly #contents = new Map<string, string>();
  readonly #folders = new Set<string>();

  /**
   * Takes the next path.
   * @throws GatehouseError `invalid_request` for a path that leads out, that was there before, or that is a package.json for some
   * installers or on some disks only.
   */
  add(path: string, isFolder: boolean): TakenPath {
    refuseUnsafe(path);
    const [top, ...rest] = path.split('/');
    const parts = rest.filter((part) => part !== '' && part !== '.');
    const [first] = parts;
    if (first === undefined) {
      if (isFolder) return { name: undefined };
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
    const name = parts.length === 1 && !isFolder ? first : undefined;
    const setContent = this.#take(parts, { isFolder, isDotted: rest.includes('.') });
    return setContent ? { name, setContent } : { name };
  }

  /** Folders may be named as often as files are in them; a file is there once, or twice with one content, and is no folder. */
  #take(
    parts: readonly string[],
    { isFolder, isDotted }: { readonly isFolder: boolean; readonly isDotted: boolean },
  ): TakenPath['setContent'] {
    let digest = '';
    let known: string | undefined;
    for (const [index, part] of parts.entries()) {
      const isFile = index === parts.length - 1 && !isFolder;
      digest = hash('sha1', `${digest}/${part}`, 'base64');
      known = isFile ? this.#contents.get(digest) : undefined;
      if (known === undefined && (this.#files.has(digest) || (isFile && this.#folders.has(digest)))) throw twice(parts);
      (isFile ? this.#files : this.#folders).add(digest);
    }
    if (isFolder || (known === undefined && !isDotted)) return undefined;
    return (content) => {
      if (known !== undefined && known !== content) throw twice(parts);
      this.#contents.set(digest, content);
    };
  }
}

function twice(parts: readonly string[]): GatehouseError {
  return invalidTarball(
    `holds "${shorten(parts.join('/'))}" twice, and package managers differ on which one counts. Pack it with "npm pack"`,
  );
}

/**
 * Whether a file of this name has that name on some disk: without regard to case or Unicode form, without what Windows and macOS leave out
 * of names, or as the short name that Windows gives it.
 */
export function hasName(name: string, wanted: string): boolean {
  if (name === wanted) return true;
  const shown = name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/:.*$/su, '');
  const folded = withoutTrailing('. ', shown).toUpperCase().toLowerCase();
  const [stem = '', ending = ''] = wanted.split('.');
  return folded === wanted || new RegExp(`^${stem.slice(0, 6)}~\\d\\.${ending.slice(0, 3)}$`).test(folded);
}

/** A text without the characters at its end that are in `characters`; a regular expression would take quadratic time. */
function withoutTrailing(characters: string, text: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
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
