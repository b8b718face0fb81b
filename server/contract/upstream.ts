import { z } from 'zod';

// Other registries: what is fetched from them, and whether any request may leave at all.
// Times are milliseconds since 1970, sizes are bytes.

/** `archive` holds packages of imported bundles: it has no address and gets no requests. */
export const upstreamKinds = ['npm', 'gitlab', 'verdaccio', 'gatehouse', 'archive'] as const;
export type UpstreamKind = (typeof upstreamKinds)[number];

/** `on`: no request leaves. `off`: every request is made. `auto`: none goes to an upstream that is away, until it is back. */
export const offlineModes = ['on', 'off', 'auto'] as const;
export type OfflineMode = (typeof offlineModes)[number];

const scopePattern = z
  .string()
  .max(214)
  .regex(/^(?:\*|@[a-z0-9_.~-]+)$/i, 'A scope is "@name", or "*" for every name that no other upstream has.');

/** Whether registries of a type take publishes at a project only. */
export function takesProjects(kind: UpstreamKind): boolean {
  return kind === 'gitlab' || kind === 'gatehouse';
}

/**
 * The address of the npm registry at a GitLab or Gatehouse of which only the server was named, as `http://localhost:4899`; any other URL as
 * it is.
 */
export function npmAddress(kind: UpstreamKind, url: string): string {
  if (!takesProjects(kind) || !URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return /^\/(?:api\/v4\/?)?$/.test(pathname) ? `${origin}/api/v4/packages/npm` : url;
}

/**
 * Where to publish: at `target` if that is a URL; else, where publishes go to a project, at the one of this path or number on the server of
 * the registry at `url`.
 */
export function publishAddress(kind: UpstreamKind, url: string, target: string): string {
  if (!takesProjects(kind) || target === '' || target.includes('://')) return target;
  return `${projectsAt(url)}${encodeURIComponent(target.replaceAll(/^\/|\/$/g, ''))}/packages/npm`;
}

/** The path or number of the project at a publish URL that `publishAddress` makes of it; any other URL as it is. */
export function publishTarget(kind: UpstreamKind, url: string, pushUrl: string): string {
  const [start, end] = [projectsAt(url), '/packages/npm'];
  if (!pushUrl.startsWith(start) || !pushUrl.endsWith(end)) return pushUrl;
  const target = pushUrl.slice(start.length, -end.length).replaceAll(/%2f/gi, '/');
  return publishAddress(kind, url, target) === pushUrl ? target : pushUrl;
}

function projectsAt(url: string): string {
  return `${url.replace(/\/api\/v4(?:\/.*)?$/, '').replace(/(?<!\/)\/+$/, '')}/api/v4/projects/`;
}

/** A package name, a scope (`@acme`), a scope with a star (`@acme/*`) or, for exceptions, `name@version`. */
export const selector = z.string().trim().min(1).max(300);
const address = z
  .string()
  .max(2000)
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: 'The URL must start with http:// or https://.',
  })
  .refine((text) => !URL.canParse(text) || (new URL(text).username === '' && new URL(text).password === ''), {
    error: 'The URL may hold no user name or password; give a token instead.',
  });

const claimNames = z
  .array(
    z
      .string()
      .trim()
      .max(214)
      .regex(/^(?:@[^@\s/]+(?:\/[^@\s/]+)?|[^@\s/*]+)$/, 'A claim is a scope ("@acme") or a package name.'),
  )
  .min(1)
  .max(1000);

export const claim = z.object({
  /** A scope (`@acme`) or a package name, in lower case. */
  name: z.string(),
  /** Full path of the top group or user that owns it at the group and instance prefixes; null for none. */
  owner: z.string().nullable(),
  claimedBy: z.string(),
  claimedAt: z.int(),
});
export type Claim = z.infer<typeof claim>;

const token = z.string().max(4096).nullable();

/** Whose packages the outbox pushes: those of a top group with everything below it, or of projects. */
export const pushOrigin = z.union([
  z.strictObject({ groupId: z.int() }),
  z.strictObject({ projectIds: z.array(z.int()).min(1).max(1000) }),
]);
export type PushOrigin = z.infer<typeof pushOrigin>;

const budgetRange = 'From 0.05 to 60 seconds.';
const timeoutRange = 'From 0.5 to 120 seconds.';

const settings = z.object({
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,39}$/i,
      'A name has letters, digits, ".", "_" and "-", no spaces, and 40 characters at most.',
    ),
  kind: z.enum(['npm', 'gitlab', 'verdaccio', 'gatehouse']),
  /** Base address of the npm registry there; for GitLab with its `/api/v4/…/packages/npm`, which is added to a server's address. */
  url: address,
  /** Where to publish, if that differs: GitLab takes publishes at a project only. */
  pushUrl: address.nullable(),
  /** Names that are fetched from there: scopes, or `*`. A scope listed here is fetched from nowhere else. */
  scopes: z.array(scopePattern).max(200),
  enabled: z.boolean(),
  /** Versions younger than this many days are held back; 0 for none. */
  minimumAgeDays: z.number().min(0).max(3650),
  minimumAgeExceptions: z.array(selector).max(1000),
  /** Seconds for which a packument is served without revalidation. */
  freshSeconds: z.int().min(0).max(86_400),
  /** Milliseconds that a client waits for the upstream before it gets the cached copy. */
  budgetMilliseconds: z.int().min(50, budgetRange).max(60_000, budgetRange),
  /** Milliseconds until the first byte of a response must be here. */
  timeoutMilliseconds: z.int().min(500, timeoutRange).max(120_000, timeoutRange).default(5_000),
  /** Names and scopes that the outbox pushes there. */
  pushSelection: z.array(selector).max(1000),
  /** Whose packages are pushed; null for the top group that `pushSelection` implies, or nobody's if it implies none. */
  pushFrom: pushOrigin.nullable(),
  /** Whether the outbox pushes `pushSelection` automatically whenever the upstream is reachable. */
  autoPush: z.boolean(),
});

export const upstreamId = z.object({ upstreamId: z.int() });

/** Why a server that answers cannot be used, as its last test found: it asks for a token, refuses the one it got, or is no npm registry. */
const upstreamFinding = z.enum(['token_wanted', 'token_refused', 'no_registry']);
export type UpstreamFinding = z.infer<typeof upstreamFinding>;

export const upstreamState = z.object({
  status: z.enum(['unknown', 'reachable', 'away', 'offline']),
  since: z.int().nullable(),
  lastError: z.string().nullable(),
  /** Time of the next probe, if it is away. */
  retryAt: z.int().nullable(),
  finding: upstreamFinding.nullable(),
});
export type UpstreamState = z.infer<typeof upstreamState>;

export const upstream = settings.extend({
  id: z.int(),
  kind: z.enum(upstreamKinds),
  url: z.string(),
  hasToken: z.boolean(),
  state: upstreamState,
  cache: z.object({ packages: z.int(), tarballs: z.int(), bytes: z.int() }),
});
export type Upstream = z.infer<typeof upstream>;

export const cachedPackage = z.object({
  upstreamId: z.int(),
  upstream: z.string(),
  name: z.string(),
  /** Time of the last validation by the upstream. */
  validatedAt: z.int(),
  versionCount: z.int(),
  /** Versions whose tarball is cached. */
  cachedVersions: z.array(z.string()),
  bytes: z.int(),
});
export type CachedPackage = z.infer<typeof cachedPackage>;

export const prefetchJob = z.object({
  id: z.int(),
  /** File name of the lockfile, or the packages. */
  source: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  total: z.int(),
  /** Of the total: fetched now, or cached before. */
  done: z.int(),
  fetched: z.int(),
  bytes: z.int(),
  failures: z.array(z.object({ name: z.string(), version: z.string(), reason: z.string() })),
  startedAt: z.int(),
  finishedAt: z.int().nullable(),
  error: z.string().nullable(),
});
export type PrefetchJob = z.infer<typeof prefetchJob>;

export const offlineState = z.object({
  mode: z.enum(offlineModes),
  /** False with the switch on, and with `auto` while every upstream is away. */
  online: z.boolean(),
  /** Changes that are neither at another registry nor skipped, of those that the settings name; registries with none are left out. */
  unsent: z.array(
    z.object({
      upstreamId: z.int(),
      /** They wait, or are being sent. */
      toSend: z.int(),
      /** These two need a person before they can go on. */
      conflicts: z.int(),
      failed: z.int(),
    }),
  ),
});
export type OfflineState = z.infer<typeof offlineState>;

export const upstreamMethods = {
  'upstream.list': { input: z.object({}), output: z.object({ upstreams: z.array(upstream) }) },
  /** What is left out gets a default. */
  'upstream.create': {
    input: settings.extend({ token }).partial().required({ name: true, kind: true, url: true }),
    output: upstream,
  },
  /** Changes what is given; a token of null removes the token. */
  'upstream.update': { input: upstreamId.extend(settings.extend({ token }).partial().shape), output: upstream },
  /** Removes an upstream with everything that is cached of it. */
  'upstream.remove': { input: upstreamId, output: z.null() },
  /** Tests whether an upstream answers and accepts the token. */
  'upstream.test': {
    input: upstreamId,
    output: z.object({
      ok: z.boolean(),
      message: z.string(),
      /** The token's user there; null without a token, or where the registry does not say. */
      user: z.string().nullable(),
      milliseconds: z.int(),
    }),
  },
  'upstream.cached': {
    input: z.object({
      upstreamId: z.int().optional(),
      search: z.string().max(200).default(''),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(1000).default(200),
    }),
    output: z.object({ total: z.int(), packages: z.array(cachedPackage) }),
  },
  /** Drops one package, or all of an upstream, from the cache. */
  'upstream.dropCached': { input: upstreamId.extend({ name: z.string().max(300).optional() }), output: z.null() },
  /** What is claimed, by name, and the scopes of packages here that are not. */
  'upstream.claims': {
    input: z.object({}),
    output: z.object({ claims: z.array(claim), unclaimed: z.array(z.string()) }),
  },
  /** Makes scopes and names local for everybody. `owner` is the full path of a top group or a user, null for none; by default that of the scope's path. */
  'upstream.claim': {
    input: z.object({ names: claimNames, owner: z.string().max(255).nullable().optional() }),
    output: z.null(),
  },
  'upstream.release': { input: z.object({ names: claimNames }), output: z.null() },
  /** Fetches what a lockfile names, or packages with their dependencies; progress comes as `upstream.changed`. */
  'upstream.prefetch': {
    input: z.union([
      z.object({ lockfile: z.object({ name: z.string().max(300), content: z.string().max(64 * 1024 * 1024) }) }),
      z.object({ packages: z.array(selector).min(1).max(1000) }),
    ]),
    output: prefetchJob,
  },
  'upstream.prefetchJobs': { input: z.object({}), output: z.object({ jobs: z.array(prefetchJob) }) },
  'upstream.prefetchJob': { input: z.object({ jobId: z.int() }), output: prefetchJob },
  'upstream.cancelPrefetch': { input: z.object({ jobId: z.int() }), output: prefetchJob },
  /** Fetches once more what a job that ended was to fetch. The new job takes its place. */
  'upstream.retryPrefetch': { input: z.object({ jobId: z.int() }), output: prefetchJob },
} as const;

export const offlineMethods = {
  'offline.get': { input: z.object({}), output: offlineState },
  'offline.set': { input: z.object({ mode: z.enum(offlineModes) }), output: offlineState },
} as const;
