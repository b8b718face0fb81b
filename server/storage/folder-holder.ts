import { readFileSync } from 'node:fs';
import { z } from 'zod';

const folderHolder = z.object({ pid: z.int(), port: z.int().nullable() });

/** The process that holds a data folder, from its `server.json`; undefined if there is none or it is not readable. */
export function readHolder(file: string): z.infer<typeof folderHolder> | undefined {
  try {
    return folderHolder.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
