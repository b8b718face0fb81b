import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** Versions that were uploaded with `npm stage publish` and wait to be published, newest first; live. */
export function useStagedVersions() {
  return useQuery({
    queryKey: keys.stages,
    queryFn: async () => (await call('stages.list', { limit: 500 })).stages,
  });
}

/** Publishes a staged version, or throws it away. */
export function useSettleStaged() {
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: ({ id, publish }: { id: string; publish: boolean }) =>
      publish ? call('stages.approve', { id }) : call('stages.reject', { id }),
  });
}

/** By how many hours a project shows clients its publish times older than they are. */
export function usePublishAge(projectId: number) {
  return useQuery({
    queryKey: keys.publishAge.of(projectId),
    queryFn: async () => (await call('publishAge.get', { projectId })).hours,
  });
}
