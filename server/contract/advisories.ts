import { z } from 'zod';

/** Known vulnerabilities that audits are answered from. */
export const advisoryMethods = {
  'advisories.summary': {
    input: z.object({}),
    output: z.object({ advisories: z.int(), packages: z.int(), importedAt: z.int().nullable() }),
  },
  /** Imports the JSON documents of npm or OSV in files and folders on the server's machine, given by absolute paths. */
  'advisories.import': {
    input: z.object({ paths: z.array(z.string().max(4096)).min(1) }),
    output: z.object({ advisories: z.int(), packages: z.int(), skipped: z.int() }),
  },
  'advisories.clear': { input: z.object({}), output: z.object({ advisories: z.int() }) },
} as const;
