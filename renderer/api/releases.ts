import { useCall, useServerQuery } from './call.ts';

/** What waits for approval: staged versions and moves of guarded dist-tags, newest first. */
export const useReleases = () => useServerQuery('releases.list', {});

/** How a release differs from the version that its tag points at now. */
export const useComparison = (id: string) => useServerQuery('releases.compare', { id });

/** Who could approve or reject a release now. */
export const useApprovers = (id: string) => useServerQuery('releases.approvers', { id });

/** Gives an approval. The dialog shows errors. */
export const useApprove = () => useCall('releases.approve', { handlesErrors: true });

/** Rejects a release, which ends it. The dialog shows errors. */
export const useReject = () => useCall('releases.reject', { handlesErrors: true });
