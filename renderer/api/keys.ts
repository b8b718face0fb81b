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
  environments: {
    all: ['environments'] as const,
    ofProject: (projectId: number) => ['environments', 'project', projectId] as const,
  },
  directory: {
    all: ['directory'] as const,
    projects: ['directory', 'projects'] as const,
    ruleCandidates: (projectId: number, search: string) => ['directory', 'rule-candidates', projectId, search] as const,
  },
};

export type QueryKey = readonly (string | number)[];
