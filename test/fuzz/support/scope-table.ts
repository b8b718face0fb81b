import type { TokenScope } from '../../../server/accounts/access/principal.ts';

const packageRead = ['api', 'read_api', 'read_package_registry', 'write_package_registry'] as const;

/** The scopes of which a token needs one, by kind of call. `anyone` looks at no token, or lets each do it for itself. */
export const scopesOfKind = {
  anyone: null,
  identify: [...packageRead, 'read_user'],
  readPackages: packageRead,
  writePackages: ['api', 'write_package_registry'],
  read: ['api', 'read_api'],
  readUsers: ['api', 'read_api', 'read_user'],
  write: ['api'],
} as const satisfies Record<string, readonly TokenScope[] | null>;

export type Kind = keyof typeof scopesOfKind;

/** Every call of GitLab's API. */
export const gitlabScopes: Readonly<Partial<Record<Kind, string>>> = {
  readPackages: `
    GET /projects/:id/packages
    GET /projects/:id/packages/:package_id
    GET /projects/:id/packages/:package_id/package_files
    GET /projects/:id/packages/:package_id/pipelines`,
  writePackages: `
    DELETE /projects/:id/packages/:package_id
    DELETE /projects/:id/packages/:package_id/package_files/:package_file_id`,
  readUsers: `
    GET /user
    GET /users
    GET /users/:id
    GET /version
    GET /metadata`,
  read: `
    GET /projects/:id/protected_environments
    GET /projects/:id/protected_environments/:name
    GET /projects/:id/protected_environments/:name/access
    GET /projects/:id/environments/access
    GET /projects/:id/packages/npm/guards
    GET /projects/:id/packages/npm/guards/:pattern
    GET /projects/:id/packages/npm/-/guard_settings
    GET /projects/:id/packages/npm/access
    GET /projects/:id/environments
    GET /projects/:id/environments/:environment_id
    GET /projects/:id/members
    GET /projects/:id/members/all
    GET /projects/:id/members/all/:user_id
    GET /projects/:id/members/:user_id
    GET /projects/:id/audit_events
    GET /projects/:id/audit_events/:audit_event_id
    GET /projects
    GET /projects/:id
    GET /projects/:id/users
    GET /projects/:id/groups
    GET /projects/:id/invited_groups
    GET /groups/:id/protected_environments
    GET /groups/:id/protected_environments/:name
    GET /groups/:id/members
    GET /groups/:id/members/all
    GET /groups/:id/members/all/:user_id
    GET /groups/:id/members/:user_id
    GET /groups/:id/audit_events
    GET /groups/:id/audit_events/:audit_event_id
    GET /groups
    GET /groups/:id
    GET /groups/:id/subgroups
    GET /groups/:id/descendant_groups
    GET /groups/:id/projects
    GET /groups/:id/projects/shared
    GET /groups/:id/packages
    GET /audit_events
    GET /audit_events/:audit_event_id
    GET /personal_access_tokens
    GET /personal_access_tokens/:id
    GET /namespaces
    GET /namespaces/:id
    GET /namespaces/:id/exists`,
  write: `
    POST /projects/:id/packages/npm/guards
    PUT /projects/:id/packages/npm/guards/:pattern
    DELETE /projects/:id/packages/npm/guards/:pattern
    PUT /projects/:id/packages/npm/-/guard_settings
    POST /projects/:id/protected_environments
    PUT /projects/:id/protected_environments/:name
    DELETE /projects/:id/protected_environments/:name
    POST /projects/:id/environments
    POST /projects/:id/environments/stop_stale
    DELETE /projects/:id/environments/review_apps
    PUT /projects/:id/environments/:environment_id
    POST /projects/:id/environments/:environment_id/stop
    DELETE /projects/:id/environments/:environment_id
    POST /projects/:id/members
    PUT /projects/:id/members/:user_id
    DELETE /projects/:id/members/:user_id
    POST /projects/:id/share
    DELETE /projects/:id/share/:group_id
    PUT /projects/:id
    DELETE /projects/:id
    POST /projects
    POST /projects/user/:user_id
    POST /groups/:id/protected_environments
    PUT /groups/:id/protected_environments/:name
    DELETE /groups/:id/protected_environments/:name
    POST /groups/:id/members
    PUT /groups/:id/members/:user_id
    DELETE /groups/:id/members/:user_id
    POST /groups/:id/share
    DELETE /groups/:id/share/:group_id
    PUT /groups/:id
    DELETE /groups/:id
    POST /groups
    POST /users
    PUT /users/:id
    DELETE /users/:id
    POST /users/:id/block
    POST /users/:id/unblock
    POST /users/:user_id/personal_access_tokens
    POST /user/personal_access_tokens
    DELETE /personal_access_tokens/:id
    POST /personal_access_tokens/:id/rotate`,
};

/** Every call of npm's API below a prefix. */
export const npmScopes: Readonly<Partial<Record<Kind, string>>> = {
  anyone: `
    GET /
    GET /-/ping
    GET /-/npm/v1/keys
    POST /-/npm/v1/oidc/token/exchange/package/:name
    POST /-/v1/login
    GET /-/v1/login/page
    POST /-/v1/login/page
    GET /-/v1/done
    DELETE /-/user/token/:token
    PUT /-/user/:key
    PUT /-/user/:key/-rev/:revision`,
  identify: `
    GET /-/whoami
    GET /-/npm/v1/hooks
    POST /-/npm/v1/hooks
    POST /-/npm/v1/hooks/hook
    GET /-/npm/v1/hooks/hook/:hook
    PUT /-/npm/v1/hooks/hook/:hook
    DELETE /-/npm/v1/hooks/hook/:hook
    PUT /-/org/:org/user
    DELETE /-/org/:org/user
    PUT /-/org/:org/team
    DELETE /-/team/:org/:team
    PUT /-/team/:org/:team/user
    DELETE /-/team/:org/:team/user
    PUT /-/team/:org/:team/package
    DELETE /-/team/:org/:team/package`,
  readPackages: `
    POST /-/npm/v1/security/advisories/bulk
    POST /-/npm/v1/security/audits/quick
    POST /-/npm/v1/security/audits
    GET /-/npm/v1/attestations/:spec
    GET /-/v1/search
    GET /-/all
    GET /-/all/since
    GET /-/user/v1/star
    GET /-/user/:user/stars
    GET /-/util/user/:user/stars
    GET /-/_view/starredByUser
    GET /-/_view/starredByPackage
    GET /-/package/:name/visibility
    GET /-/package/:name/access
    GET /-/package/:name/owners
    GET /-/package/:name/trust
    POST /-/package/:name/trust
    GET /-/package/:name/trust/:trust
    DELETE /-/package/:name/trust/:trust
    GET /-/user/:user/package
    GET /-/-/package
    GET /-/package/:name/dist-tags
    GET /:name
    GET /:name/-rev/:revision
    GET /:name/:selector
    GET /:name/-/:file
    GET /:name/-/:file/-rev/:revision
    GET /:name/-/:folder/:file
    GET /:name/-/:folder/:file/-rev/:revision`,
  writePackages: `
    GET /-/stage
    POST /-/stage/package/:name
    GET /-/stage/:stage
    DELETE /-/stage/:stage
    GET /-/stage/:stage/tarball
    POST /-/stage/:stage/approve
    GET /-/requests
    GET /-/requests/:release
    POST /-/requests/:release/approval
    PUT /-/user/v1/star
    DELETE /-/user/v1/star
    PUT /-/user/package/:name/star
    DELETE /-/user/package/:name/star
    POST /-/package/:name/access
    PUT /-/package/:name/owners
    DELETE /-/package/:name/owners/:user
    PUT /-/package/:name/dist-tags/:tag
    DELETE /-/package/:name/dist-tags/:tag
    PUT /:name
    DELETE /:name
    PUT /:name/-rev/:revision
    DELETE /:name/-rev/:revision
    DELETE /:name/-/:file
    DELETE /:name/-/:file/-rev/:revision
    DELETE /:name/-/:folder/:file
    DELETE /:name/-/:folder/:file/-rev/:revision`,
  read: `
    GET /-/npm/v1/tokens
    GET /-/org/:org/package
    GET /-/org/:org/user
    GET /-/org/:org/team
    GET /-/team/:org/:team/user
    GET /-/team/:org/:team/package
    GET /-/package/:name/collaborators`,
  readUsers: `
    GET /-/npm/v1/user
    GET /-/user/:key`,
  write: `
    POST /-/npm/v1/user
    POST /-/npm/v1/tokens
    DELETE /-/npm/v1/tokens/token/:key`,
};

/** The calls of a table, each with its kind. */
export function callsOfTable(table: Readonly<Partial<Record<Kind, string>>>): [route: string, kind: Kind][] {
  return Object.entries(table).flatMap(([kind, routes]) =>
    routes
      .trim()
      .split(/\n\s*/)
      .map((route): [string, Kind] => [route, kind as Kind]),
  );
}
