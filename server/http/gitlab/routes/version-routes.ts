import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import { type GitlabCall, type Handler, ok } from '../call.ts';
import type { Route } from '../route-table.ts';

/** The GitLab whose interface this is: what clients compare when they decide what they may use. */
const spokenVersion = '18.6.0-ee';

function versionOf(call: GitlabCall) {
  authorizeInstance(call.principal, 'read_users');
  return { version: spokenVersion, revision: `gatehouse-${call.services.version}` };
}

/** GET /version and GET /metadata (api/environments.md 6.8). */
export const versionRoutes: Route<Handler>[] = [
  { method: 'GET', pattern: '/version', handler: (call) => ok(versionOf(call)) },
  {
    method: 'GET',
    pattern: '/metadata',
    handler: (call) =>
      ok({
        ...versionOf(call),
        kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
        enterprise: true,
      }),
  },
];
