import { z } from 'zod';

// Logins of npm, the age of publishes, known vulnerabilities.

/** An `npm login` that waits for approval. */
export const pendingLogin = z.object({
  id: z.string(),
  /** Also shown on the page that npm opened, for comparison. */
  code: z.string(),
  /** The client's own name. */
  client: z.string(),
  address: z.string().nullable(),
  createdAt: z.int(),
  expiresAt: z.int(),
});
export type PendingLogin = z.infer<typeof pendingLogin>;

const loginId = z.object({ id: z.string().max(100) });

export const loginMethods = {
  /** Oldest first. */
  'login.pending': { input: z.object({}), output: z.array(pendingLogin) },
  /** Gives the client a token of this user (the desktop's own, if none is named). */
  'login.approve': { input: loginId.extend({ userId: z.int().optional() }), output: z.null() },
  'login.deny': { input: loginId, output: z.null() },
} as const;

const projectId = z.object({ projectId: z.int() });

/** Hours by which a project shows its publish times older than they are. */
export const publishAgeMethods = {
  'publishAge.get': { input: projectId, output: z.object({ hours: z.number() }) },
  'publishAge.set': { input: projectId.extend({ hours: z.number().min(0).max(87_840) }), output: z.null() },
} as const;

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
