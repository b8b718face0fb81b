import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import { ok } from '../../respond.ts';
import type { GitlabCall, GitlabRoute } from '../call.ts';

/** The GitLab whose interface this is: what clients compare when they decide what they may use. */
const spokenVersion = '18.6.0-ee';

function versionOf(call: GitlabCall) {
  authorizeInstance(call.principal, 'read_users');
  return { version: spokenVersion, revision: `gatehouse-${call.registry.version}` };
}

/** GET /version and GET /metadata. */
export const versionRoutes: GitlabRoute[] = [
  {
    pattern: '/version',
    GET: {
      handle: (call) => ok(versionOf(call)),
      summary: 'Show the version',
      description: 'The version is that of the GitLab whose interface this is; the revision names Gatehouse’s own.',
      access: 'read_users',
      answers: { 200: 'Version' },
    },
  },
  {
    pattern: '/metadata',
    GET: {
      handle: (call) =>
        ok({
          ...versionOf(call),
          kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
          enterprise: true,
        }),
      summary: 'Show the version and what else the server has',
      access: 'read_users',
      answers: { 200: 'Metadata' },
    },
  },
];
