import { realpath, rename, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { GatehouseError } from '../contract/errors.ts';
import { syncFile, syncFolder } from './durable.ts';

/** A file to be written: beside its place first, then renamed. */
export interface TargetFile {
  /** An absolute path. */
  readonly file: string;
  /** Whether a file that is there already may be replaced, as the person agreed in a dialog. */
  readonly replace?: boolean | undefined;
}

/**
 * Refuses a file that cannot be put where it is wanted. Nothing in `dataFolder` is ever replaced.
 * @throws GatehouseError `conflict` that names the path and what to do
 */
export async function requireWritableTarget({ file, replace = false }: TargetFile, dataFolder: string): Promise<void> {
  const present = await stat(file).catch(() => undefined);
  if (present === undefined) return;
  if (!replace) throw new GatehouseError('conflict', `${file} exists already. Choose another name.`);
  if (!present.isFile()) throw new GatehouseError('conflict', `${file} is not a file. Choose another name.`);
  if (isInside(await realpath(dataFolder), await realpath(dirname(file)))) {
    throw new GatehouseError(
      'conflict',
      `${file} is in the data folder, whose files are not replaced. Choose another folder.`,
    );
  }
}

/**
 * Renames a complete file, which was written beside the target, to it. A crash leaves the former file or the new one, whole.
 * @throws GatehouseError as `requireWritableTarget`, for what came there meanwhile
 */
export async function putInPlace(written: string, target: TargetFile, dataFolder: string): Promise<void> {
  await syncFile(written);
  await requireWritableTarget(target, dataFolder);
  await rename(written, target.file);
  await syncFolder(dirname(target.file));
}

/** Whether `path` is `parent` or below it. Links are not followed. */
export function isInside(parent: string, path: string): boolean {
  const way = relative(parent, path);
  return way === '' || (way.split(sep)[0] !== '..' && !isAbsolute(way));
}
