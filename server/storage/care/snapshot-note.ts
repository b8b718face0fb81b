import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { snapshotName } from '../../contract/maintenance.ts';

const note = z.object({
  createdAt: z.int(),
  packages: z.int(),
  versions: z.int(),
  automatic: z.boolean(),
});

/** Whether a folder of this name can be a snapshot. */
export function isSnapshotName(name: string): boolean {
  return snapshotName.safeParse(name).success;
}

/** What stands beside the database of a snapshot. @throws if the file is missing or says something else. */
export function readSnapshotNote(file: string): z.infer<typeof note> {
  return note.parse(JSON.parse(readFileSync(file, 'utf8')));
}
