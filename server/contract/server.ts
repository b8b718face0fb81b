import { z } from 'zod';

export const serverStatus = z.object({
  version: z.string(),
  /** Origin with scheme, host and port, without a trailing slash. */
  origin: z.string(),
  host: z.string(),
  port: z.int(),
  dataDir: z.string(),
  startedAt: z.int(),
  pid: z.int(),
  defaultProject: z.object({ id: z.int(), fullPath: z.string() }).nullable(),
  rootTokenFile: z.string().nullable(),
});
export type ServerStatus = z.infer<typeof serverStatus>;

export const serverMethods = {
  'server.status': { input: z.object({}), output: serverStatus },
} as const;
