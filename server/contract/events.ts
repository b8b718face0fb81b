import { z } from 'zod';
import { maintenanceEvents } from './maintenance.ts';

/** What the server announces after a change is on disk. Payloads name what changed, so that a window refetches the right queries. */
export const events = {
  'packages.changed': z.object({
    projectId: z.int(),
    packageId: z.int(),
    name: z.string(),
    change: z.enum(['published', 'unpublished', 'tags', 'deprecation', 'maintainers', 'stars']),
    /** The version published or unpublished, where the change is about one. */
    version: z.string().optional(),
  }),
  'environments.changed': z.object({ projectId: z.int().nullable(), groupId: z.int().nullable(), name: z.string() }),
  /** A guard of a project's dist-tags was set or removed, or what becomes of refused changes. */
  'guards.changed': z.object({ projectId: z.int() }),
  /** Something began to wait for approval, got an approval, or waits no more. */
  'releases.changed': z.object({
    projectId: z.int(),
    name: z.string(),
    version: z.string(),
    change: z.enum(['waiting', 'approved', 'ended']),
  }),
  /** A project's offset of publish times changed, and with it all its packuments. */
  'publish_age.changed': z.object({ projectId: z.int() }),
  /** An `npm login` became pending, or was settled. */
  'login.changed': z.object({ change: z.enum(['requested', 'settled']) }),
  'directory.changed': z.object({
    subject: z.enum(['user', 'group', 'project', 'member', 'share', 'token']),
  }),
  /** Something about other registries changed: settings, whether they answer, the cache, a prefetch or the outbox. */
  'upstream.changed': z.object({
    subject: z.enum(['settings', 'state', 'offline', 'cache', 'prefetch', 'outbox']),
    upstreamId: z.int().nullable(),
  }),
  /** The downloads of versions of these packages were added up. */
  'downloads.counted': z.object({ packageIds: z.array(z.int()) }),
  /** Requests arrived since the last such event; at most two events a second. */
  'requests.arrived': z.object({ newest: z.int() }),
  /** The self-test of the clients made progress. */
  'connect.changed': z.object({}),
  ...maintenanceEvents,
} as const;

export type EventTopic = keyof typeof events;
export type EventPayload<T extends EventTopic> = z.infer<(typeof events)[T]>;
