import { GatehouseError } from '../../../contract/errors.ts';
import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import { newTokenSecret } from '../../../accounts/login/token-secret.ts';
import type { UserRecord } from '../../../accounts/records.ts';
import type { UserChanges } from '../../../accounts/users.ts';
import { created, noContent, ok } from '../../respond.ts';
import { requireUnmodified } from '../../preconditions.ts';
import { type GitlabCall, type GitlabRoute, type Handler, idOf, pageOf, read } from '../call.ts';
import { matchesText, sorted } from '../lists.ts';
import { atLeastOneOf, boolean, choice, type Declaration, given, moment, text } from '../params.ts';
import { basicUser, fullUser, timeText } from '../present-directory.ts';

const listing = {
  username: text(),
  search: text(),
  active: boolean(),
  blocked: boolean(),
  external: boolean(),
  admins: boolean(),
  created_after: moment(),
  created_before: moment(),
  order_by: choice(['id', 'name', 'username', 'created_at', 'updated_at']),
  sort: choice(['asc', 'desc']),
} satisfies Declaration;

const options = { admin: boolean(), external: boolean(), skip_confirmation: boolean() } satisfies Declaration;

const newUser = {
  email: text({ required: true }),
  secret: atLeastOneOf('password', 'reset_password', 'force_random_password'),
  password: text(),
  reset_password: boolean(),
  force_random_password: boolean(),
  name: text({ required: true }),
  username: text({ required: true }),
  ...options,
} satisfies Declaration;

const changes = { email: text(), password: text(), name: text(), username: text(), ...options } satisfies Declaration;

function isAdmin(call: GitlabCall): boolean {
  return call.principal.kind === 'user' && call.principal.user.isAdmin;
}

function present(call: GitlabCall, user: UserRecord) {
  return isAdmin(call) ? fullUser(call, user, true) : basicUser(call, user);
}

/** The user whose id is in the path. @throws GatehouseError `user_not_found`, ParameterError. */
function userOf(call: GitlabCall): UserRecord {
  return call.registry.people.users.get(idOf(call, 'id'));
}

/** @throws GatehouseError `forbidden` with GitLab's reason for callers without a token. */
function refuseAnonymous(call: GitlabCall, reason: string): void {
  if (call.principal.kind === 'anonymous') {
    throw new GatehouseError('forbidden', undefined, { gitlabMessage: `403 Forbidden - ${reason}` });
  }
  authorizeInstance(call.principal, 'read_users');
}

const listUsers: Handler = (call) => {
  if (call.principal.kind === 'user') authorizeInstance(call.principal, 'read_users');
  const filter = read(call, listing);
  if (!filter.username) refuseAnonymous(call, 'Not authorized to access /api/v4/users');
  const wanted = filter.username?.toLowerCase();
  const users = call.registry.people.users
    .all()
    .filter((user) => !wanted || user.username.toLowerCase() === wanted)
    .filter((user) => matchesText(filter.search, user.username, user.name, isAdmin(call) ? user.email : ''))
    .filter((user) => filter.active !== true || user.state === 'active')
    .filter((user) => filter.blocked !== true || user.state === 'blocked')
    .filter((user) => filter.external !== true || user.external)
    .filter((user) => filter.admins !== true || !isAdmin(call) || user.isAdmin)
    .filter((user) => typeof filter.created_after !== 'number' || user.createdAt >= filter.created_after)
    .filter((user) => typeof filter.created_before !== 'number' || user.createdAt <= filter.created_before);
  const rows = sorted(users, filter.order_by ?? 'id', filter.sort ?? 'desc');
  return pageOf(call, rows, (user) => present(call, user));
};

const createUser: Handler = async (call) => {
  authorizeInstance(call.principal, 'administrate');
  const input = read(call, newUser);
  const user = await call.registry.people.users.create(call.actor, {
    email: input.email ?? '',
    name: input.name ?? '',
    username: input.username ?? '',
    password: input.password ?? (input.force_random_password ? newTokenSecret() : null),
    isAdmin: input.admin ?? false,
    external: input.external ?? false,
  });
  return created(present(call, user));
};

const updateUser: Handler = async (call) => {
  authorizeInstance(call.principal, 'administrate');
  const input = read(call, changes);
  const { id } = userOf(call);
  const { email, name, username, password, admin: isAdministrator, external } = input;
  const wanted: UserChanges = given({ email, name, username, password, isAdmin: isAdministrator, external });
  return ok(present(call, await call.registry.people.users.update(call.actor, id, wanted)));
};

function setBlocked(blocked: boolean): Handler {
  return async (call) => {
    authorizeInstance(call.principal, 'administrate');
    await call.registry.people.users.setBlocked(call.actor, userOf(call).id, blocked);
    return created(true);
  };
}

const getSelf: Handler = (call) => {
  const { user } = authorizeInstance(call.principal, 'read_users');
  const record = call.registry.people.users.get(user.id);
  return ok(fullUser(call, record, record.isAdmin));
};

const getUser: Handler = (call) => {
  refuseAnonymous(call, 'Not authorized!');
  const user = userOf(call);
  return ok(
    isAdmin(call) ? fullUser(call, user, true) : { ...basicUser(call, user), created_at: timeText(user.createdAt) },
  );
};

const deleteUser: Handler = async (call) => {
  authorizeInstance(call.principal, 'administrate');
  const user = userOf(call);
  requireUnmodified(call.req, user.updatedAt);
  await call.registry.people.users.delete(call.actor, user.id);
  return noContent;
};

/** Users. */
export const userRoutes: readonly GitlabRoute[] = [
  {
    pattern: '/user',
    GET: {
      handle: getSelf,
      summary: 'Show the user of the token',
      access: 'read_users',
      answers: { 200: 'FullUser' },
    },
  },
  {
    pattern: '/users',
    GET: {
      handle: listUsers,
      summary: 'List users',
      description: 'Administrators get the full shape. Without a token only a search by `username` is answered.',
      access: 'read_users',
      parameters: listing,
      paged: true,
      answers: { 200: 'User[]' },
    },
    POST: {
      handle: createUser,
      summary: 'Create a user',
      access: 'administrate',
      parameters: newUser,
      answers: { 201: 'User' },
      errors: [409],
    },
  },
  {
    pattern: '/users/:id',
    GET: {
      handle: getUser,
      summary: 'Show a user',
      access: 'read_users',
      answers: { 200: 'UserDetail' },
    },
    PUT: {
      handle: updateUser,
      summary: 'Change a user',
      access: 'administrate',
      parameters: changes,
      answers: { 200: 'User' },
      errors: [409],
    },
    DELETE: {
      handle: deleteUser,
      summary: 'Delete a user',
      access: 'administrate',
      answers: { 204: 'nothing' },
      errors: [409, 412],
    },
  },
  {
    pattern: '/users/:id/block',
    POST: {
      handle: setBlocked(true),
      summary: 'Block a user',
      access: 'administrate',
      answers: { 201: 'Done' },
    },
  },
  {
    pattern: '/users/:id/unblock',
    POST: {
      handle: setBlocked(false),
      summary: 'Unblock a user',
      access: 'administrate',
      answers: { 201: 'Done' },
    },
  },
];
