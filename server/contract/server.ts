import { z } from 'zod';

export const serverStatus = z.object({
  version: z.string(),
  /** Origin with scheme, host and port, without a trailing slash. */
  origin: z.string(),
  /** Every origin at which clients may reach it: `origin`, and one for each address of this computer if it listens on all of them. */
  origins: z.array(z.string()),
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

/** Calls of the desktop app itself. */
export const reachMethods = {
  /** Records that a person lets other computers connect from the next start on, or no longer: the setting is the app's. */
  'server.recordReach': { input: z.object({ others: z.boolean() }), output: z.null() },
} as const;

/** One day of a chart: `day` as YYYY-MM-DD (UTC). */
export const dayCount = z.object({ day: z.string(), publishes: z.int(), downloads: z.int() });
export type DayCount = z.infer<typeof dayCount>;

export const overview = z.object({
  packages: z.int(),
  versions: z.int(),
  projects: z.int(),
  users: z.int(),
  protectedEnvironments: z.int(),
  /** Bytes. `free` is what the disk has left. */
  disk: z.object({ tarballs: z.int(), database: z.int(), snapshots: z.int(), free: z.int() }),
  /** Bytes that the server process holds, and of those what caches hold. */
  memory: z.object({ process: z.int(), caches: z.int() }),
  /** Requests since the start. */
  requests: z.int(),
  /** The last 30 days, oldest first, days without anything included. */
  days: z.array(dayCount),
});
export type Overview = z.infer<typeof overview>;

/** A request as the log shows it. It never holds the secret of a token. */
export const loggedRequest = z.object({
  id: z.int(),
  at: z.int(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  /** Milliseconds. */
  duration: z.number(),
  bytes: z.int(),
  client: z.string(),
  username: z.string().nullable(),
  userId: z.int().nullable(),
  /** The token that was sent, also one that was refused: its name, and the end of its secret as lists of tokens show it. */
  token: z.object({ name: z.string(), hint: z.string() }).nullable(),
  /** The version that it published; null for other requests. */
  version: z.string().nullable(),
  /** Network address of the client. */
  address: z.string().nullable(),
  /** Why it was refused, as a sentence; null if it was not. */
  error: z.string().nullable(),
});
export type LoggedRequestEntry = z.infer<typeof loggedRequest>;

export const overviewMethods = {
  'overview.get': { input: z.object({}), output: overview },
  /** The newest requests first, of those older than the id `before`. The log holds the last few thousand. */
  'requests.list': {
    input: z.object({ limit: z.int().min(1).max(5000).default(1000), before: z.int().optional() }),
    output: z.object({ newest: z.int(), requests: z.array(loggedRequest) }),
  },
} as const;
