import { readFileSync } from 'node:fs';
import { z } from 'zod';

const folderHolder = z.object({ pid: z.int(), port: z.int().nullable() });

/** The server that a file in a data folder says has the folder; undefined if there is no such file, or something else in it. */
export function readHolder(file: string): z.infer<typeof folderHolder> | undefined {
  try {
    return folderHolder.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
