import type { GitlabRoute } from './call.ts';
import { auditRoutes } from './routes/audit-routes.ts';
import { environmentRoutes } from './routes/environment-routes.ts';
import { groupRoutes } from './routes/group-routes.ts';
import { guardRoutes } from './routes/guard-routes.ts';
import { memberRoutes } from './routes/member-routes.ts';
import { namespaceRoutes } from './routes/namespace-routes.ts';
import { packageRoutes } from './routes/package-routes.ts';
import { projectRoutes } from './routes/project-routes.ts';
import { protectedEnvironmentRoutes } from './routes/protected-environment-routes.ts';
import { shareRoutes } from './routes/share-routes.ts';
import { tokenRoutes } from './routes/token-routes.ts';
import { userRoutes } from './routes/user-routes.ts';
import { versionRoutes } from './routes/version-routes.ts';

/** Every call of GitLab's API by subject; of patterns that fit the same path the more particular one first. */
export const gitlabSubjects: Readonly<Record<string, readonly GitlabRoute[]>> = {
  'Protected environments': protectedEnvironmentRoutes,
  Environments: environmentRoutes,
  Members: memberRoutes,
  Invitations: shareRoutes,
  'Audit events': auditRoutes,
  Users: userRoutes,
  Tokens: tokenRoutes,
  Groups: groupRoutes,
  Namespaces: namespaceRoutes,
  Projects: projectRoutes,
  'Guarded dist-tags': guardRoutes,
  Packages: packageRoutes,
  'Server version': versionRoutes,
};

export const gitlabRoutes: readonly GitlabRoute[] = Object.values(gitlabSubjects).flat();
