import { z } from 'zod';

/** Lines that point the clients of a folder at a project of this registry. */
const target = z.object({
  projectId: z.int(),
  folder: z.string().min(1),
  /** Only packages of this scope (with its at sign) come from here; null for all. */
  scope: z
    .string()
    .regex(/^@[a-z0-9_.][a-z0-9_.-]*$/i)
    .nullable()
    .default(null),
});

const written = z.object({ file: z.string(), undoable: z.boolean() });

export const selfTestStep = z.object({
  client: z.string(),
  version: z.string(),
  command: z.string(),
  state: z.enum(['waiting', 'running', 'passed', 'failed']),
  /** Milliseconds; null until it ended. */
  duration: z.number().nullable(),
  /** What the client printed, with tokens taken out. */
  output: z.string(),
});
export type SelfTestStep = z.infer<typeof selfTestStep>;

export const connectMethods = {
  /** What `connect.write` would make of the folder's `.npmrc`: the whole file, before and after. */
  'connect.preview': {
    input: target,
    output: z.object({ file: z.string(), before: z.string().nullable(), after: z.string() }),
  },
  /** Writes the lines into the folder's `.npmrc`, with a new token; other lines stay. The former file is saved for `connect.undo`. */
  'connect.write': { input: target, output: written },
  /** Puts the former file back, or removes the one that was made, and revokes its token. */
  'connect.undo': { input: z.object({ folder: z.string().min(1) }), output: z.object({ restored: z.boolean() }) },
  /** Clients that made a request since `since` (milliseconds since 1970), the newest first: the live check that one has arrived. */
  'connect.arrivals': {
    input: z.object({ since: z.int() }),
    output: z.array(z.object({ client: z.string(), at: z.int(), path: z.string(), status: z.int() })),
  },
  /** Runs the package managers that are found on this machine against the registry, in a folder of its own; one at a time. */
  'connect.startSelfTest': { input: z.object({ projectId: z.int() }), output: z.null() },
  'connect.selfTest': {
    input: z.object({}),
    output: z.object({ running: z.boolean(), steps: z.array(selfTestStep) }),
  },
  'connect.stopSelfTest': { input: z.object({}), output: z.null() },
} as const;

export const connectCommandMethods = {
  /** As `connect.write`, for any user and address. Not for a window: a page must not send tokens to another server. */
  'connect.writeFor': {
    input: target.extend({ userId: z.int(), origin: z.url({ protocol: /^https?$/ }) }),
    output: written,
  },
} as const;
