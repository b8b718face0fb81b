import { useCall, useServerQuery } from './call.ts';

/** The guards of a project's dist-tags, and what becomes of a publish that one refuses. */
export const useGuards = (projectId: number | undefined) =>
  useServerQuery('guards.list', { projectId: projectId ?? 0 }, { enabled: projectId !== undefined });

/** What happens if each user who may publish runs `npm publish --tag TAG`. */
export const usePublishPreview = (projectId: number, tag: string) =>
  useServerQuery('guards.access', { projectId, tag }, { enabled: tag !== '', retry: false });

/** Guards a pattern, or changes its guard. The dialog shows errors. */
export const useSetGuard = () => useCall('guards.set', { handlesErrors: true });

export const useRemoveGuard = () => useCall('guards.remove');

export const useSetOnRefusal = () => useCall('guards.settings');
