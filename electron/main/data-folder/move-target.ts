import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dataFolderEntry } from '../../../server/contract/constants.ts';

/** A file in a folder that data is being moved to; it names the source. */
const marker = '.gatehouse-move';
/** The folder made inside one that is not empty. */
const subfolder = 'gatehouse-registry';

/** Whether a folder holds a registry. */
export async function holdsData(folder: string): Promise<boolean> {
  return (await entriesOf(folder)).includes('gatehouse.db');
}

/**
 * The folder that data of `from` is moved to when `chosen` was picked: `chosen` itself if it is empty or holds an interrupted move of the
 * same data, else a new one inside it. Throws an Error with a sentence for the person if neither is possible.
 */
export async function chooseTarget(from: string, chosen: string): Promise<string> {
  for (const folder of [chosen, path.join(chosen, subfolder)]) {
    if (isInside(from, folder)) throw new Error(`${folder} is inside the data folder itself. Choose another one.`);
    const entries = await entriesOf(folder);
    if (entries.length === 0) return folder;
    if (entries.includes(marker)) {
      const origin = await readFile(path.join(folder, marker), 'utf8');
      if (origin === from) return folder;
      throw new Error(`Data of ${origin} was being moved to ${folder}. Choose another folder, or empty that one.`);
    }
    if (entries.includes('gatehouse.db')) {
      throw new Error(`${folder} holds a registry already. Choose another folder.`);
    }
  }
  throw new Error(`${path.join(chosen, subfolder)} exists and is not empty. Choose another folder.`);
}

/** Marks the target; until `release`, `discard` may remove it. */
export async function claim(target: string, from: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  await writeFile(path.join(target, marker), from);
}

/** Makes a complete target an ordinary data folder. */
export async function release(target: string): Promise<void> {
  await rm(path.join(target, marker), { force: true });
}

/** Removes the target if it is still marked. */
export async function discard(target: string): Promise<void> {
  if ((await entriesOf(target)).includes(marker)) await rm(target, { recursive: true, force: true });
}

/** Deletes the data of a folder, and the folder itself unless other files are in it. */
export async function removeData(folder: string): Promise<void> {
  for (const name of await entriesOf(folder)) {
    // Older versions used a folder "tmp", and other programs may, too.
    if (name === 'tmp') await rmdir(path.join(folder, name)).catch(() => undefined);
    else if (dataFolderEntry.test(name)) await rm(path.join(folder, name), { recursive: true, force: true });
  }
  if ((await entriesOf(folder)).length === 0) await rmdir(folder);
}

/** Whether `folder` is `parent` or below it. */
function isInside(parent: string, folder: string): boolean {
  const relative = path.relative(parent, folder);
  return relative === '' || (relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative));
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
