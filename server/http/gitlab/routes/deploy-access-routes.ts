import { authorizeProject } from '../../../accounts/access/authorize.ts';
import { type GitlabCall, type Handler, ok, pathParameter, read } from '../call.ts';
import { integer } from '../params.ts';
import { presentAnswer, presentDeployer } from '../present-environments.ts';
import type { Route } from '../route-table.ts';

function projectOf(call: GitlabCall) {
  const { directory } = call.services.directory;
  return authorizeProject(directory, call.principal, pathParameter(call, 'id'), 'deploy_access.read');
}

/** Who may deploy, and why: what GitLab has no call for (api/environments.md, part one). */
export const deployAccessRoutes: Route<Handler>[] = [
  {
    method: 'GET',
    pattern: '/projects/:id/protected_environments/:name/access',
    handler: (call) => {
      const project = projectOf(call);
      const { user_id: userId } = read(call, { user_id: integer() });
      const { access } = call.services.environments;
      const name = pathParameter(call, 'name');
      if (typeof userId === 'number') return ok(presentAnswer(call, access.ofUser(project.id, name, userId)));
      return ok(access.everyone(project.id, name).map((answer) => presentDeployer(call, answer)));
    },
  },
  {
    method: 'GET',
    pattern: '/projects/:id/environments/access',
    handler: (call) => {
      const project = projectOf(call);
      const matrix = call.services.environments.access.matrix(project.id);
      // Whole, never in pages: who asks for a matrix wants no part of it to be missing.
      return ok(
        matrix.map((row) => ({
          environment: row.environment,
          protected: row.protected,
          tier: row.tier,
          users: row.users.map((answer) => presentDeployer(call, answer)),
        })),
      );
    },
  },
];
