import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { hasEffect } from '../../server/contract/guards.ts';
import type { MethodResult } from '../../server/contract/methods.ts';
import { call, keyOf, useCall, useServerQuery } from './call.ts';

/** The guards of a project's dist-tags, and what becomes of a publish that one refuses. */
export const useGuards = (projectId: number | undefined) =>
  useServerQuery('guards.list', { projectId: projectId ?? 0 }, { enabled: projectId !== undefined });

/** The guards of these projects that have an effect, each with its project and what becomes of a publish there that one refuses. */
export function useAllGuards(projects: readonly { id: number; fullPath: string }[]) {
  const combine = useCallback(
    (results: UseQueryResult<MethodResult<'guards.list'>>[]) => ({
      isPending: results.some(({ isPending }) => isPending),
      list: projects.flatMap((project, index) => {
        const { onRefusal = 'refuse', guards = [] } = results[index]?.data ?? {};
        return guards.filter(hasEffect).map(({ environment }) => ({ project, onRefusal, environment }));
      }),
    }),
    [projects],
  );
  return useQueries({
    queries: projects.map(({ id }) => ({
      queryKey: keyOf('guards.list', { projectId: id }),
      queryFn: () => call('guards.list', { projectId: id }),
    })),
    combine,
  });
}

/** What happens if each user who may publish runs `npm publish --tag TAG`. */
export const usePublishPreview = (projectId: number, tag: string) =>
  useServerQuery('guards.access', { projectId, tag }, { enabled: tag !== '', retry: false });

/** Guards a pattern, or changes its guard, and with `protection` protects its environment. The dialog shows errors. */
export const useSetGuard = () => useCall('guards.set', { handlesErrors: true });

/** What becomes of publishes that guards of the project refuse. The dialog shows errors. */
export const useSetRefusals = () => useCall('guards.settings', { handlesErrors: true });

/** Removes a guard, and with `unprotect` its environment, unless another tag needs it. */
export const useRemoveGuard = () => useCall('guards.remove');
