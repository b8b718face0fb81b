import { z } from 'zod';

// What rows of the audit trail say of packages; `journal.ts` reads it.

export const published = z.object({ version: z.string(), tags: z.array(z.string()), integrity: z.string() });
export const tagged = z.object({ tag: z.string(), version: z.string() });
export const deprecated = z.record(z.string(), z.string().nullable());
export const unpublished = z.union([
  z.object({ version: z.string(), integrity: z.string() }),
  z.object({ versions: z.array(z.string()) }),
]);
