import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Stands in a folder as long as data is being moved into it, and names where it comes from. */
const marker = '.gatehouse-move';
/** What is made inside a folder that holds other things. */
const ownName = 'gatehouse-registry';

/** Whether a folder holds data of Gatehouse. */
export async function holdsData(folder: string): Promise<boolean> {
  return (await entriesOf(folder)).includes('gatehouse.db');
}

/**
 * Where data of `from` goes when a person chose `chosen`: the folder itself if it is empty or a move from here into it was cut off, else a new
 * one inside it. Throws an Error with a sentence for the person if that is impossible.
 */
export async function chooseTarget(from: string, chosen: string): Promise<string> {
  for (const folder of [chosen, path.join(chosen, ownName)]) {
    if (isInside(from, folder)) throw new Error(`${folder} lies inside the data folder itself. Choose another one.`);
    const entries = await entriesOf(folder);
    if (entries.length === 0) return folder;
    if (entries.includes(marker)) {
      const origin = await readFile(path.join(folder, marker), 'utf8');
      if (origin === from) return folder;
      throw new Error(`Data of ${origin} was being moved to ${folder}. Choose another folder, or empty that one.`);
    }
    if (entries.includes('gatehouse.db')) {
      throw new Error(`${folder} holds a registry already. To use that one, choose "Open another".`);
    }
  }
  throw new Error(`${path.join(chosen, ownName)} is there already and not empty. Choose another folder.`);
}

/** Marks the target as ours. From now until `release`, `discard` may empty it. */
export async function claim(target: string, from: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  await writeFile(path.join(target, marker), from);
}

/** Makes a target that is complete an ordinary data folder. */
export async function release(target: string): Promise<void> {
  await rm(path.join(target, marker), { force: true });
}

/** Removes what was copied, if the target is still marked as ours. */
export async function discard(target: string): Promise<void> {
  if ((await entriesOf(target)).includes(marker)) await rm(target, { recursive: true, force: true });
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
