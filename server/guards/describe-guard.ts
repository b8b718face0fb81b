import type { TagGuardView } from '../contract/guards.ts';
import type { DeployAccess } from '../environments/deploy-access.ts';
import type { TagGuard } from './records.ts';

/** A guard as the window and the command line show it. */
export function describeGuard(access: DeployAccess, { projectId, ...guard }: TagGuard): TagGuardView {
  return {
    ...guard,
    tier: access.tierOf(projectId, guard.environment),
    protected: access.isProtected(projectId, guard.environment),
  };
}
