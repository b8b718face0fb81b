import { z } from 'zod';

/**
 * The messages of the control link between the desktop app and its server child. Both carriers (a utility process's parentPort
 * and a forked Node's process.send) move exactly these.
 */
export const linkRequest = z.object({
  kind: z.literal('request'),
  id: z.int(),
  method: z.string(),
  params: z.unknown(),
});
export type LinkRequest = z.infer<typeof linkRequest>;

export const linkError = z.object({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).default({}),
});
export type LinkError = z.infer<typeof linkError>;

export const linkReply = z.union([
  z.object({ kind: z.literal('reply'), id: z.int(), ok: z.literal(true), value: z.unknown() }),
  z.object({ kind: z.literal('reply'), id: z.int(), ok: z.literal(false), error: linkError }),
]);
export type LinkReply = z.infer<typeof linkReply>;

export const linkEvent = z.object({
  kind: z.literal('event'),
  seq: z.int(),
  topic: z.string(),
  payload: z.unknown(),
});
export type LinkEvent = z.infer<typeof linkEvent>;

/** Sent once, when the registry answers requests. */
export const linkReady = z.object({
  kind: z.literal('ready'),
  origin: z.string(),
  port: z.int(),
  pid: z.int(),
});
export type LinkReady = z.infer<typeof linkReady>;

/** Sent instead of `ready` when the start fails for a known cause; the child exits with the matching code right after. */
export const linkStartFailed = z.object({
  kind: z.literal('start-failed'),
  failure: z.string(),
  message: z.string(),
});
export type LinkStartFailed = z.infer<typeof linkStartFailed>;

/** Sent by the app: drain, close the database, exit 0. */
export const linkShutdown = z.object({ kind: z.literal('shutdown') });

export const messageFromServer = z.union([linkReply, linkEvent, linkReady, linkStartFailed]);
export type MessageFromServer = z.infer<typeof messageFromServer>;
export const messageToServer = z.union([linkRequest, linkShutdown]);
export type MessageToServer = z.infer<typeof messageToServer>;
