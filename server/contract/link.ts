import { z } from 'zod';

/** One call. `caller` is set by the trusted end: the desktop app marks what comes from a page as `window`. */
const linkRequest = z.object({
  kind: z.literal('request'),
  id: z.int(),
  caller: z.enum(['window', 'app', 'cli']),
  method: z.string(),
  params: z.unknown(),
});
export type LinkRequest = z.infer<typeof linkRequest>;

const linkError = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).default({}),
});
export type LinkError = z.infer<typeof linkError>;

const linkReply = z.union([
  z.object({ kind: z.literal('reply'), id: z.int(), ok: z.literal(true), value: z.unknown() }),
  z.object({ kind: z.literal('reply'), id: z.int(), ok: z.literal(false), error: linkError }),
]);
export type LinkReply = z.infer<typeof linkReply>;

const linkEvent = z.object({ kind: z.literal('event'), seq: z.int(), topic: z.string(), payload: z.unknown() });
export type LinkEvent = z.infer<typeof linkEvent>;

/** Sent once, when the registry answers requests. */
const linkReady = z.object({ kind: z.literal('ready'), origin: z.string(), port: z.int(), pid: z.int() });

/** Sent instead of `ready` when the start fails for a known cause; the child exits with the matching code right after. */
const linkStartFailed = z.object({ kind: z.literal('start-failed'), failure: z.string(), message: z.string() });
export type LinkStartFailed = z.infer<typeof linkStartFailed>;

/** Sent by the app: drain, close the database, exit 0. */
const linkShutdown = z.object({ kind: z.literal('shutdown') });

/** The messages of the control link, the same over every transport: utility process, forked Node, socket. */
export const messageFromServer = z.union([linkReply, linkEvent, linkReady, linkStartFailed]);
export type MessageFromServer = z.infer<typeof messageFromServer>;
export const messageToServer = z.union([linkRequest, linkShutdown]);
export type MessageToServer = z.infer<typeof messageToServer>;
