import { z } from 'zod';

/** An `npm login` that waits for somebody to say who it is. */
export const pendingLogin = z.object({
  id: z.string(),
  /** Shown on the page that npm opened, too: people compare it before they agree. */
  code: z.string(),
  /** What the client calls itself, and where it called from. */
  client: z.string(),
  address: z.string().nullable(),
  createdAt: z.int(),
  expiresAt: z.int(),
});
export type PendingLogin = z.infer<typeof pendingLogin>;

const loginId = z.object({ id: z.string().max(100) });

export const loginMethods = {
  /** Logins that wait, oldest first. */
  'login.pending': { input: z.object({}), output: z.array(pendingLogin) },
  /** Lets the client have a token of this user (the desktop's own, if none is named). */
  'login.approve': { input: loginId.extend({ userId: z.int().optional() }), output: z.null() },
  'login.deny': { input: loginId, output: z.null() },
} as const;
