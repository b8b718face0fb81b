import { z } from 'zod';

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
