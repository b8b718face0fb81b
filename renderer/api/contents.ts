import { useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** The files of a version. A version never changes, so neither does this. */
export function useFiles(packageId: number, version: string | undefined) {
  return useQuery({
    queryKey: keys.contents.files(packageId, version ?? ''),
    queryFn: async () => (await call('contents.files', { packageId, version: version ?? '' })).files,
    enabled: version !== undefined,
  });
}

/** One file of a version as text; nothing is asked while `path` or `version` is undefined. */
export function useFile(packageId: number, version: string | undefined, path: string | undefined) {
  return useQuery({
    queryKey: keys.contents.file(packageId, version ?? '', path ?? ''),
    queryFn: () => call('contents.file', { packageId, version: version ?? '', path: path ?? '' }),
    enabled: path !== undefined && version !== undefined,
    gcTime: 60_000,
  });
}

/** What a version depends on and what depends on it, within this registry. */
export function useDependencies(packageId: number, version: string) {
  return useQuery({
    queryKey: keys.dependencies.of(packageId, version),
    queryFn: () => call('contents.dependencies', { packageId, version }),
  });
}
