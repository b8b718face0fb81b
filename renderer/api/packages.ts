import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import type { PackageDetail, PackageSummary } from '../../server/contract/packages.ts';
import { call, keyOf, useServerQuery } from './call.ts';

/** Every package of the registry, by name. The window searches and sorts them itself. */
export const usePackages = () => useServerQuery('packages.list', {}, { select: ({ packages }) => packages });

/** Ids of the packages that the server's search finds, which also looks at keywords. */
export const usePackageMatches = (search: string) =>
  useServerQuery(
    'packages.list',
    { search },
    { select: idsOf, enabled: search !== '', placeholderData: keepPreviousData, gcTime: 30_000 },
  );

function idsOf({ packages }: { packages: PackageSummary[] }): ReadonlySet<number> {
  return new Set(packages.map(({ id }) => id));
}

/** One package with its versions, dist-tags and README; not read for null, a package without a version yet. */
export const usePackage = (packageId: number | null) =>
  useServerQuery('packages.get', { packageId: packageId ?? 0 }, { enabled: packageId !== null });

interface TagChange {
  tag: string;
  /** Null: the tag is removed. */
  version: string | null;
  /** What the tag has now; if it was changed since, the change is refused. Left out: whatever it has. */
  expected?: string | null | undefined;
}

/** Points a dist-tag at a version, or removes it. */
export function changeTag(packageId: number, { tag, version, expected }: TagChange): Promise<null> {
  const subject = { packageId, tag, ...(expected === undefined ? {} : { expected }) };
  return version === null ? call('packages.removeTag', subject) : call('packages.setTag', { ...subject, version });
}

/**
 * Points a dist-tag at a version, or removes it. The page shows the change at once, and the former state again if the server refuses.
 * @param onChanged also called when the dialog that made the change is closed by then.
 */
export function useChangeTag(packageId: number, onChanged?: (change: TagChange, before: string | null) => void) {
  const client = useQueryClient();
  const queryKey = keyOf('packages.get', { packageId });
  return useMutation({
    mutationFn: (change: TagChange) => changeTag(packageId, change),
    onMutate: async ({ tag, version }) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<PackageDetail>(queryKey);
      if (before) client.setQueryData(queryKey, { ...before, tags: withTag(before.tags, tag, version) });
      return { before };
    },
    onSuccess: (_nothing, change, { before }) =>
      onChanged?.(change, before?.tags.find(({ tag }) => tag === change.tag)?.version ?? null),
    onError: (_error, _change, context) => {
      if (context?.before) client.setQueryData(queryKey, context.before);
    },
  });
}

/**
 * Unpublishes versions, all or none.
 * @param options.onSuccess also called where what was unpublished took the screen along.
 */
export function useUnpublish(packageId: number, options: { onSuccess: () => void }) {
  return useMutation({
    meta: { handlesErrors: true },
    onSuccess: options.onSuccess,
    mutationFn: (versions: string[]) => call('packages.unpublishVersions', { packageId, versions }),
  });
}

/** What unpublishing the versions would do to the tags; kept as it is while not `enabled`. */
export const useUnpublishPreview = (packageId: number, versions: string[], enabled: boolean) =>
  useServerQuery('packages.previewUnpublish', { packageId, versions }, { gcTime: 0, enabled });

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

/** One version in full. */
export const useVersion = (packageId: number, version: string) =>
  useServerQuery('packages.version', { packageId, version });

/** The files of a version. A version never changes, so neither does this. */
export const useFiles = (packageId: number, version: string | undefined) =>
  useServerQuery(
    'contents.files',
    { packageId, version: version ?? '' },
    { select: ({ files }) => files, enabled: version !== undefined },
  );

/** One file of a version as text; not read while `path` or `version` is undefined. */
export const useFile = (packageId: number, version: string | undefined, path: string | undefined) =>
  useServerQuery(
    'contents.file',
    { packageId, version: version ?? '', path: path ?? '' },
    { enabled: path !== undefined && version !== undefined, gcTime: 60_000 },
  );

/** The dependencies of a version, and its dependents within this registry. */
export const useDependencies = (packageId: number, version: string) =>
  useServerQuery('contents.dependencies', { packageId, version });

/** By how many hours a project backdates the publish times that clients see. */
export const usePublishAge = (projectId: number) =>
  useServerQuery('publishAge.get', { projectId }, { select: ({ hours }) => hours });
