/**
 * Who may do what: one row for each route of GitLab's API that is about a project or a group, and for each call of npm's. The test beside
 * this file walks every row with every role in every visibility; a route without a row fails it. Where a row differs from a page of
 * the API it says so.
 */

/** Least that lets somebody in. `anyone` needs no token, `signed-in` any account that may see the project or group. */
export type Level = 'anyone' | 'signed-in' | 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner' | 'admin';

export interface Row {
  /** By visibility: private, internal, public. */
  readonly levels: readonly [Level, Level, Level];
  /** How a caller without a token is refused: with 401 always, or by what he may know (404, in public ones 403). */
  readonly anonymous: 'sign-in' | 'by-visibility';
  /** Body of the call; authorisation comes before its validation, so most send what is refused with 400 when allowed in. */
  readonly body?: unknown;
  /** Whether each call needs a project or group of its own, since it destroys what it is allowed to. */
  readonly destroys?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

function members(level: Level, more: Partial<Row> = {}): Row {
  return { levels: [level, level, level], anonymous: 'sign-in', ...more };
}

/** What everybody can see who can see the project or group at all. */
function readable(more: Partial<Row> = {}): Row {
  return { levels: ['guest', 'signed-in', 'anyone'], anonymous: 'sign-in', ...more };
}

/** As `readable`, but never without a token. */
const readableSignedIn: Row = { levels: ['guest', 'signed-in', 'signed-in'], anonymous: 'sign-in' };

const maintainersRules = { anonymous: 'by-visibility' } as const;

/** Calls of GitLab's API; `:name`, ids and paths are filled in by the test. */
export const projectRows: Readonly<Record<string, Row>> = {
  'GET /projects/:id/protected_environments': members('maintainer', maintainersRules),
  'POST /projects/:id/protected_environments': members('maintainer', { ...maintainersRules, body: {} }),
  'GET /projects/:id/protected_environments/:name': members('maintainer', maintainersRules),
  'PUT /projects/:id/protected_environments/:name': members('maintainer', {
    ...maintainersRules,
    body: { deploy_access_levels: 'x' },
  }),
  'DELETE /projects/:id/protected_environments/:name': members('maintainer', { ...maintainersRules, destroys: true }),
  'GET /projects/:id/protected_environments/:name/access': members('maintainer'),
  'GET /projects/:id/environments/access': members('maintainer'),
  'GET /projects/:id/environments': { levels: ['reporter', 'signed-in', 'signed-in'], anonymous: 'sign-in' },
  'POST /projects/:id/environments': members('developer', { body: {} }),
  'POST /projects/:id/environments/stop_stale': members('maintainer', { body: {} }),
  'DELETE /projects/:id/environments/review_apps': members('developer'),
  'GET /projects/:id/environments/:environment_id': {
    levels: ['reporter', 'signed-in', 'signed-in'],
    anonymous: 'sign-in',
  },
  'PUT /projects/:id/environments/:environment_id': members('developer', { body: { tier: 'nonsense' } }),
  'POST /projects/:id/environments/:environment_id/stop': members('developer', { body: {}, destroys: true }),
  'DELETE /projects/:id/environments/:environment_id': members('developer', { destroys: true }),
  'GET /projects/:id/packages/npm/guards': {
    levels: ['reporter', 'signed-in', 'signed-in'],
    anonymous: 'sign-in',
  },
  'POST /projects/:id/packages/npm/guards': members('maintainer', { body: {} }),
  'GET /projects/:id/packages/npm/guards/:pattern': {
    levels: ['reporter', 'signed-in', 'signed-in'],
    anonymous: 'sign-in',
  },
  'PUT /projects/:id/packages/npm/guards/:pattern': members('maintainer', { body: {} }),
  'DELETE /projects/:id/packages/npm/guards/:pattern': members('maintainer', { destroys: true }),
  'GET /projects/:id/packages/npm/-/guard_settings': {
    levels: ['reporter', 'signed-in', 'signed-in'],
    anonymous: 'sign-in',
  },
  'PUT /projects/:id/packages/npm/-/guard_settings': members('maintainer', { body: { on_refusal: 'nonsense' } }),
  'GET /projects/:id/packages/npm/access': members('maintainer'),
  'GET /projects/:id/members': readableSignedIn,
  'GET /projects/:id/members/all': readableSignedIn,
  'GET /projects/:id/members/all/:user_id': readableSignedIn,
  'GET /projects/:id/members/:user_id': readableSignedIn,
  'POST /projects/:id/members': members('maintainer', { body: {} }),
  'PUT /projects/:id/members/:user_id': members('maintainer', { body: {} }),
  'DELETE /projects/:id/members/:user_id': members('maintainer', { destroys: true }),
  'POST /projects/:id/share': members('maintainer', { body: {} }),
  'DELETE /projects/:id/share/:group_id': members('maintainer', { destroys: true }),
  'GET /projects/:id/audit_events': members('maintainer'),
  'GET /projects/:id/audit_events/:audit_event_id': members('maintainer'),
  'GET /projects/:id': readable(),
  'PUT /projects/:id': members('maintainer', { body: { visibility: 'nonsense' } }),
  'DELETE /projects/:id': members('owner', { destroys: true }),
  'GET /projects/:id/users': readableSignedIn,
  'GET /projects/:id/groups': readableSignedIn,
  'GET /projects/:id/invited_groups': readableSignedIn,
  'GET /projects/:id/packages': readable(),
  'GET /projects/:id/packages/:package_id': readable(),
  'DELETE /projects/:id/packages/:package_id': members('maintainer', { destroys: true }),
  'GET /projects/:id/packages/:package_id/package_files': readable(),
  'DELETE /projects/:id/packages/:package_id/package_files/:package_file_id': members('maintainer', { destroys: true }),
  'GET /projects/:id/packages/:package_id/pipelines': readable(),
};

export const groupRows: Readonly<Record<string, Row>> = {
  'GET /groups/:id/protected_environments': members('owner', maintainersRules),
  'POST /groups/:id/protected_environments': members('owner', { ...maintainersRules, body: {} }),
  'GET /groups/:id/protected_environments/:name': members('owner', maintainersRules),
  'PUT /groups/:id/protected_environments/:name': members('owner', {
    ...maintainersRules,
    body: { deploy_access_levels: 'x' },
  }),
  'DELETE /groups/:id/protected_environments/:name': members('owner', { ...maintainersRules, destroys: true }),
  'GET /groups/:id/members': readableSignedIn,
  'GET /groups/:id/members/all': readableSignedIn,
  'GET /groups/:id/members/all/:user_id': readableSignedIn,
  'GET /groups/:id/members/:user_id': readableSignedIn,
  'POST /groups/:id/members': members('owner', { body: {} }),
  'PUT /groups/:id/members/:user_id': members('owner', { body: {} }),
  'DELETE /groups/:id/members/:user_id': members('owner', { destroys: true }),
  'POST /groups/:id/share': members('owner', { body: {} }),
  'DELETE /groups/:id/share/:group_id': members('owner', { destroys: true }),
  'GET /groups/:id/audit_events': members('owner'),
  'GET /groups/:id/audit_events/:audit_event_id': members('owner'),
  'GET /groups/:id': readable(),
  'PUT /groups/:id': members('owner', { body: { visibility: 'nonsense' } }),
  'DELETE /groups/:id': members('owner', { destroys: true }),
  'GET /groups/:id/subgroups': readable(),
  'GET /groups/:id/descendant_groups': readable(),
  'GET /groups/:id/projects': readable(),
  'GET /groups/:id/projects/shared': readable(),
  'GET /groups/:id/packages': readable(),
};

/** Calls of npm's API: whoever has no token is told to sign in. Paths below `/projects/:id/packages/npm`. */
export const npmRows: Readonly<Record<string, Row>> = {
  'GET /pkg': readable(),
  'HEAD /pkg': readable(),
  'GET /pkg/1.0.0': readable(),
  'GET /pkg/latest': readable(),
  'GET /pkg/-/pkg-1.0.0.tgz': readable(),
  'GET /-/package/pkg/dist-tags': readable(),
  'PUT /new': members('developer', { body: { versions: {}, _attachments: { 'new-1.0.0.tgz': {} } } }),
  'PUT /pkg': members('maintainer', {
    body: { name: 'pkg', versions: { '1.0.0': { deprecated: 'old' } } },
    headers: { 'npm-command': 'deprecate' },
    destroys: true,
  }),
  'PUT /-/package/pkg/dist-tags/beta': members('developer', {
    body: '"1.0.0"',
    headers: { 'content-type': 'application/json' },
  }),
  'DELETE /-/package/pkg/dist-tags/beta': members('maintainer', { destroys: true }),
  'DELETE /pkg/-rev/1-0': members('maintainer'),
  'DELETE /pkg': members('maintainer', { destroys: true }),
  'DELETE /pkg/-/pkg-1.0.0.tgz': members('maintainer', { destroys: true }),
  'PUT /pkg/-rev/1-0': members('maintainer', { body: { versions: {} } }),
};
