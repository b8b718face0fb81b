import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import type { PackageDetail, PackageSummary } from '../../server/contract/packages.ts';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** Every package of the registry, by name. Searching and sorting what is shown happens in the window, within a frame. */
export function usePackages() {
  return useQuery(packageList);
}

const packageList = queryOptions({
  queryKey: keys.packages.list,
  queryFn: async () => (await call('packages.list', {})).packages,
});

/** Asks for the list before there is a screen to show it, so that both are there at about the same time. */
export function readPackagesAhead(client: QueryClient): void {
  void client.prefetchQuery(packageList);
}

/** Ids of the packages that the server's own search finds, which also looks at keywords. */
export function usePackageMatches(search: string) {
  return useQuery({
    queryKey: keys.packages.search(search),
    queryFn: async () => new Set((await call('packages.list', { search })).packages.map((found) => found.id)),
    enabled: search !== '',
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
}

/** One package with its versions, dist-tags and README. */
export function usePackage(packageId: number) {
  return useQuery({ queryKey: keys.packages.one(packageId), queryFn: () => call('packages.get', { packageId }) });
}

/**
 * Points a dist-tag at a version, or removes it (`version: null`). The page shows the new state at once and goes back to the old
 * one if the server refuses.
 */
export function useChangeTag(packageId: number) {
  const client = useQueryClient();
  const queryKey = keys.packages.one(packageId);
  return useMutation({
    mutationFn: ({ tag, version }: { tag: string; version: string | null }) =>
      version === null
        ? call('packages.removeTag', { packageId, tag })
        : call('packages.setTag', { packageId, tag, version }),
    onMutate: async ({ tag, version }) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<PackageDetail>(queryKey);
      if (before) client.setQueryData(queryKey, { ...before, tags: withTag(before.tags, tag, version) });
      return { before };
    },
    onError: (_error, _change, context) => {
      if (context?.before) client.setQueryData(queryKey, context.before);
    },
  });
}

/** Takes a version away for good, or with `version: null` the whole package. */
export function useUnpublish(packageId: number) {
  return useMutation({
    mutationFn: (version: string | null) =>
      version === null
        ? call('packages.unpublish', { packageId })
        : call('packages.unpublishVersion', { packageId, version }),
  });
}

/** The list of tags after one of them was set (`version`) or removed (`null`). */
export function withTag(
  tags: PackageDetail['tags'],
  tag: string,
  version: string | null,
  now: number = Date.now(),
): PackageDetail['tags'] {
  const others = tags.filter((entry) => entry.tag !== tag);
  return version === null ? others : [...others, { tag, version, updatedAt: now }];
}

/** `@acme` of `@acme/ui`, `''` of `ui`. */
export function scopeOf(name: string): string {
  return name.startsWith('@') ? name.slice(0, name.indexOf('/')) : '';
}

/** The scopes that the names use, in order; `''` first if some have none. */
export function scopesOf(packages: readonly PackageSummary[]): string[] {
  return [...new Set(packages.map((pack) => scopeOf(pack.name)))].sort();
}
