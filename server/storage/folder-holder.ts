import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const folderHolder = z.object({
  pid: z.int(),
  port: z.int().nullable(),
  /** Where the server listens for commands; left out by older versions. */
  socket: z.string().nullable().default(null),
  /** Start of the first of the runs whose leftovers are not deleted yet, in milliseconds since 1970. */
  since: z.int().optional(),
});

/** The process that holds a data folder, or held it until it crashed. */
export type FolderHolder = z.infer<typeof folderHolder>;

const holderFile = 'server.json';

/** Undefined if there is none or it is not readable. */
export function readHolder(root: string): FolderHolder | undefined {
  try {
    return folderHolder.safeParse(JSON.parse(readFileSync(join(root, holderFile), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

export function writeHolder(root: string, holder: FolderHolder): void {
  writeFileSync(join(root, holderFile), JSON.stringify(holder), { mode: 0o600 });
}

/** Since when the last process may have left files that nothing refers to; null if it closed the folder, or if none was here. */
export function crashedSince(root: string): number | null {
  // Also where a power cut emptied it.
  const facts = statSync(join(root, holderFile), { throwIfNoEntry: false });
  return facts === undefined ? null : (readHolder(root)?.since ?? Math.floor(facts.mtimeMs));
}

export function holderFileOf(root: string): string {
  return join(root, holderFile);
}
