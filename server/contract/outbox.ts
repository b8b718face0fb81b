import { z } from 'zod';
import { pushOrigin, selector, upstreamId } from './upstream.ts';

// What was changed here and is sent to another registry. Times are milliseconds since 1970.

export const outboxKinds = ['publish', 'tag.set', 'tag.remove', 'deprecate', 'unpublish'] as const;

export const outboxOperation = z.object({
  /** Number of the change in this registry; changes are pushed in this order. */
  changeId: z.int(),
  kind: z.enum(outboxKinds),
  at: z.int(),
  projectId: z.int(),
  name: z.string(),
  version: z.string().nullable(),
  tag: z.string().nullable(),
  /** Deprecation message; empty to remove it. */
  message: z.string().nullable(),
  /**
   * `new`: will be pushed. `same`: is there already. `conflict`: differs there. `unknown`: the upstream is out of reach. Of a change that was
   * sent and is looked at again, `new` means that it is missing there.
   */
  verdict: z.enum(['new', 'same', 'conflict', 'unknown']),
  /** The values here and there: an integrity, a version or a message. */
  here: z.string().nullable(),
  there: z.string().nullable(),
  explanation: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'conflict', 'skipped']),
  attempts: z.int(),
  error: z.string().nullable(),
  /** When it was sent, or skipped; null for a change that is neither. */
  settledAt: z.int().nullable(),
});
export type OutboxOperation = z.infer<typeof outboxOperation>;

export const outboxStatus = z.object({
  upstreamId: z.int(),
  upstream: z.string(),
  running: z.boolean(),
  /** Of the running push or of the last one. */
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  conflicts: z.int(),
  current: z.string().nullable(),
  /** Whether it waits for the upstream, or for the offline switch. */
  waiting: z.boolean(),
  /** When a push that waits for the upstream continues. */
  retryAt: z.int().nullable(),
  operations: z.array(outboxOperation),
});
export type OutboxStatus = z.infer<typeof outboxStatus>;

/** The setting of an upstream without which nothing can be sent there. */
const lack = z.enum(['pushUrl', 'token']);
export type OutboxLack = z.infer<typeof lack>;

const outboxWaiting = z.object({
  selection: z.array(selector),
  pushFrom: pushOrigin.nullable(),
  /** Whether `selection` or `pushFrom` is not in the settings yet: the packages here that are of this upstream by their names. */
  proposed: z.boolean(),
  lacks: lack.nullable(),
  operations: z.array(outboxOperation),
});
export type OutboxWaiting = z.infer<typeof outboxWaiting>;

const sentCheck = z.object({
  /** What arrived with the last push, but for what later changes here have replaced. */
  operations: z.array(outboxOperation),
  /** How many were replaced. */
  replaced: z.int(),
});
export type SentCheck = z.infer<typeof sentCheck>;

const pushSelection = upstreamId.extend({
  /** Names and scopes; empty for the upstream's own `pushSelection`. */
  selection: z.array(selector).max(10_000).default([]),
});

export const outboxMethods = {
  /** What a push would do, compared with the upstream as it stands now. Changes nothing. */
  'outbox.plan': {
    input: pushSelection.extend({
      /** Whose packages; left out for the upstream's own `pushFrom`. */
      pushFrom: pushOrigin.optional(),
    }),
    output: z.object({
      operations: z.array(outboxOperation),
      counts: z.object({ new: z.int(), same: z.int(), conflict: z.int(), unknown: z.int() }),
    }),
  },
  /** What the upstream has now of what the last push sent. Changes nothing. */
  'outbox.checkSent': { input: upstreamId, output: sentCheck },
  /** What a push without a selection would send, not compared with the upstream: no request is made. */
  'outbox.waiting': { input: upstreamId, output: outboxWaiting },
  /** Starts a push; it survives a restart and ends when all is there or a change needs a decision. */
  'outbox.start': { input: pushSelection, output: outboxStatus },
  'outbox.stop': { input: upstreamId, output: outboxStatus },
  'outbox.status': { input: upstreamId, output: outboxStatus },
  /**
   * Settles a change that stopped: `theirs` leaves the upstream as it is, `ours` pushes it all the same (not for a version with other
   * bytes, which no registry replaces), `retry` tries again. While no push is running, `theirs` also skips a change that waits, and `retry`
   * lets one that was skipped wait again, for the next push.
   */
  'outbox.resolve': {
    input: upstreamId.extend({ changeId: z.int(), resolution: z.enum(['theirs', 'ours', 'retry']) }),
    output: outboxStatus,
  },
  /** Lets all changes that failed wait again and starts a push, whatever selection they were sent with. */
  'outbox.retryFailed': { input: upstreamId, output: outboxStatus },
  /** Makes pushed packages the upstream's: from then on its versions count. The copies stay here, and nothing is unpublished. */
  'outbox.handOver': {
    input: upstreamId.extend({ names: z.array(z.string().max(214)).min(1).max(10_000) }),
    output: z.object({ packages: z.array(z.object({ name: z.string(), versions: z.array(z.string()) })) }),
  },
} as const;
