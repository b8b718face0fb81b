import { z } from 'zod';
import { backupSchedule } from '../../contract/maintenance.ts';

const kept = backupSchedule.extend({
  lastAt: z.int().nullable().default(null),
  lastError: z.string().nullable().default(null),
});

/** The schedule of backups with what came of the last one, as the database keeps it. */
export type KeptSchedule = z.infer<typeof kept>;

/** Undefined for a text that is no schedule. @throws SyntaxError if it is no JSON. */
export function parseKeptSchedule(text: string): KeptSchedule | undefined {
  return kept.safeParse(JSON.parse(text)).data;
}
