/**
 * The names under which server data is kept. A key is built from the general to the particular, so that invalidating a prefix
 * reaches everything below it.
 */
export const keys = {
  status: ['status'] as const,
  packages: {
    all: ['packages'] as const,
    list: ['packages', 'list'] as const,
    search: (search: string) => ['packages', 'list', 'search', search] as const,
    one: (packageId: number) => ['packages', 'one', packageId] as const,
  },
  overview: ['overview'] as const,
  requests: ['requests'] as const,
  logins: ['login'] as const,
  connect: ['connect'] as const,
  maintenance: {
    all: ['maintenance'] as const,
    jobs: ['maintenance', 'jobs'] as const,
    snapshots: ['maintenance', 'snapshots'] as const,
    schedule: ['maintenance', 'schedule'] as const,
  },
  upstream: {
    all: ['upstream'] as const,
    list: ['upstream', 'list'] as const,
    offline: ['upstream', 'offline'] as const,
    cached: ['upstream', 'cached'] as const,
    reserved: ['upstream', 'reserved'] as const,
    prefetch: ['upstream', 'prefetch'] as const,
    outbox: (upstreamId: number) => ['upstream', 'outbox', upstreamId] as const,
    trustedKeys: ['upstream', 'trusted-keys'] as const,
  },
  stages: ['stages'] as const,
  publishAge: {
    all: ['publish-age'] as const,
    of: (projectId: number) => ['publish-age', projectId] as const,
  },
  contents: {
    files: (packageId: number, version: string) => ['contents', packageId, version, 'files'] as const,
    file: (packageId: number, version: string, path: string) => ['contents', packageId, version, 'file', path] as const,
  },
  dependencies: {
    all: ['dependencies'] as const,
    of: (packageId: number, version: string) => ['dependencies', packageId, version] as const,
  },
  /** Everything that changes anything also adds a row here. */
  activity: ['activity'] as const,
  environments: {
    all: ['environments'] as const,
    ofProject: (projectId: number) => ['environments', 'project', projectId] as const,
    access: (projectId: number) => ['environments', 'project', projectId, 'access'] as const,
    decision: (projectId: number, name: string, userId: number) =>
      ['environments', 'project', projectId, 'decision', name, userId] as const,
  },
  directory: {
    all: ['directory'] as const,
    projects: ['directory', 'projects'] as const,
    users: ['directory', 'users'] as const,
    groups: ['directory', 'groups'] as const,
    projectDetails: ['directory', 'project-details'] as const,
    members: (kind: string, id: number) => ['directory', 'members', kind, id] as const,
    shares: (kind: string, id: number) => ['directory', 'shares', kind, id] as const,
    tokens: ['directory', 'tokens'] as const,
    ruleCandidates: (projectId: number, search: string) => ['directory', 'rule-candidates', projectId, search] as const,
  },
};

export type QueryKey = readonly (string | number)[];
