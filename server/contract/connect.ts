import { z } from 'zod';
import { localPath } from './local-path.ts';

/** npm stands for all that read an `.npmrc` as it does; `yarn` is Yarn 4, which reads a `.yarnrc.yml`. */
const connectTool = z.enum(['npm', 'yarn', 'yarn1']);
export type ConnectTool = z.infer<typeof connectTool>;

/** Lines that point the clients of a folder at a project of this registry. */
const target = z.object({
  projectId: z.int(),
  folder: localPath('folder'),
  /** Only packages of this scope (with its at sign) come from here; null for all. */
  scope: z
    .string()
    .regex(/^@[a-z0-9_.][a-z0-9_.-]*$/i)
    .nullable()
    .default(null),
  tool: connectTool.default('npm'),
});

/** For any user and address. Not for a window: a page must not send tokens to another server. */
const forAnyone = { userId: z.int(), origin: z.url({ protocol: /^https?$/ }) };

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
  /** What `connect.write` would make of the tool's settings in the folder: the whole file, before and after. */
  'connect.preview': {
    input: target,
    output: z.object({ file: z.string(), before: z.string().nullable(), after: z.string() }),
  },
  /** Writes the lines into the tool's settings in the folder, with a new token; other lines stay and `connect.undo` restores the file. */
  'connect.write': { input: target, output: written },
  /** Puts the former files back, or removes those that were made, and revokes their tokens. */
  'connect.undo': { input: z.object({ folder: localPath('folder') }), output: z.object({ restored: z.boolean() }) },
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
  /** As `connect.write`. */
  'connect.writeFor': { input: target.extend(forAnyone), output: written },
  /** The variables by which Corepack fetches package managers from here and trusts them, with a new token that may only read. */
  'connect.corepack': {
    input: z.object({ projectId: z.int(), ...forAnyone }),
    output: z.record(z.string(), z.string()),
  },
} as const;
