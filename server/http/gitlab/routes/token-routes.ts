import { GatehouseError } from '../../../contract/errors.ts';
import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import { type Principal, tokenScopes, type TokenScope } from '../../../accounts/access/principal.ts';
import { restOn } from '../../../accounts/access/standing.ts';
import type { IssuedToken } from '../../../accounts/login/tokens.ts';
import type { TokenRecord } from '../../../accounts/records.ts';
import { created, noContent, ok } from '../../respond.ts';
import { ParameterError } from '../../errors.ts';
import { requireUnmodified } from '../../preconditions.ts';
import { type GitlabCall, type GitlabRoute, type Handler, idOf, pageOf, read } from '../call.ts';
import { matchesText } from '../lists.ts';
import { boolean, choice, date, type Declaration, integer, moment, text, texts } from '../params.ts';
import { presentToken } from '../present-directory.ts';

const newToken = {
  name: text({ required: true }),
  description: text(),
  expires_at: date(),
  scopes: texts({ required: true, values: tokenScopes }),
} satisfies Declaration;

const ownNewToken = { ...newToken, scopes: texts({ required: true, values: ['k8s_proxy'] }) } satisfies Declaration;

const listing = {
  user_id: integer(),
  state: choice(['active', 'inactive']),
  revoked: boolean(),
  search: text(),
  created_after: moment(),
  created_before: moment(),
  last_used_after: moment(),
  last_used_before: moment(),
  expires_after: date(),
  expires_before: date(),
} satisfies Declaration;

const rotation = { expires_at: date() } satisfies Declaration;

function withSecret(call: GitlabCall, { token, secret }: IssuedToken) {
  return { ...presentToken(call, token), token: secret };
}

/** The caller's own token. @throws GatehouseError `unauthenticated`. */
function ownToken(call: GitlabCall): TokenRecord {
  const { principal, registry } = call;
  const id = principal.kind === 'user' ? principal.token?.id : undefined;
  const token = id === undefined ? undefined : registry.people.tokens.find(id);
  if (!token) throw new GatehouseError('unauthenticated');
  return token;
}

/**
 * The token that the path names, or the caller's own for `self`, which every scope may read and revoke.
 * @throws GatehouseError `unauthenticated` for tokens of others, unless the caller is an administrator.
 */
function tokenOf(call: GitlabCall, access: 'read' | 'write'): TokenRecord {
  if (call.path['id'] === 'self') return ownToken(call);
  authorizeInstance(call.principal, access);
  const token = call.registry.people.tokens.find(idOf(call, 'id'));
  // Decided again inside the write: an administrator may be none any more.
  const decide = (principal: Principal): TokenRecord => {
    const user = principal.kind === 'user' ? principal.user : undefined;
    if (token && (user?.isAdmin || token.userId === user?.id)) return token;
    throw user?.isAdmin
      ? new GatehouseError('not_found', undefined, { gitlabMessage: '404 Not Found' })
      : new GatehouseError('unauthenticated');
  };
  restOn(decide);
  return decide(call.principal);
}

const listTokens: Handler = (call) => {
  const { user } = authorizeInstance(call.principal, 'read');
  const filter = read(call, listing);
  const { directory, tokens } = call.registry.people;
  if (typeof filter.user_id === 'number' && filter.user_id !== user.id) {
    if (!user.isAdmin) throw new GatehouseError('unauthenticated');
    if (!directory.index.users.has(filter.user_id)) {
      throw new GatehouseError('not_found', undefined, { gitlabMessage: '404 Not Found' });
    }
  }
  const owner = filter.user_id ?? (user.isAdmin ? undefined : user.id);
  const isWithin = (time: number | null, after: number | null | undefined, before: number | null | undefined) =>
    (typeof after !== 'number' || (time !== null && time >= after)) &&
    (typeof before !== 'number' || (time !== null && time <= before));
  const found = tokens
    .list(owner)
    .filter((token) => !filter.state || (tokens.stateOf(token) === 'active') === (filter.state === 'active'))
    .filter((token) => typeof filter.revoked !== 'boolean' || (token.revokedAt !== null) === filter.revoked)
    .filter((token) => matchesText(filter.search, token.name))
    .filter((token) => isWithin(token.createdAt, filter.created_after, filter.created_before))
    .filter((token) => isWithin(token.lastUsedAt, filter.last_used_after, filter.last_used_before))
    .filter((token) => !filter.expires_after || (token.expiresOn ?? '9999') >= filter.expires_after)
    .filter((token) => !filter.expires_before || (token.expiresOn ?? '9999') <= filter.expires_before);
  return pageOf(call, found, (token) => presentToken(call, token));
};

const createToken: Handler = async (call) => {
  authorizeInstance(call.principal, 'administrate');
  const input = read(call, { user_id: integer({ required: true }), ...newToken });
  if (input.scopes?.length === 0) throw new ParameterError('scopes does not have a valid value');
  const { tokens, users } = call.registry.people;
  const user = users.get(input.user_id ?? 0);
  const issued = await tokens.create(call.actor, {
    userId: user.id,
    name: input.name ?? '',
    description: input.description ?? '',
    scopes: (input.scopes ?? []) as TokenScope[],
    expiresOn: input.expires_at ?? null,
  });
  return created(withSecret(call, issued));
};

const rotateToken: Handler = async (call) => {
  authorizeInstance(call.principal, 'write');
  const token = tokenOf(call, 'write');
  const { expires_at: expiresOn } = read(call, rotation);
  const { tokens } = call.registry.people;
  const atMost = latestDay(call, token);
  return ok(withSecret(call, await tokens.rotate(call.actor, token.id, expiresOn ?? null, atMost)));
};

/** What a token that expires makes of another one ends with it; an administrator may make any token anyway. */
function latestDay({ principal, registry }: GitlabCall, token: TokenRecord): string | null {
  if (principal.kind === 'anonymous' || principal.user.isAdmin || !principal.token) return null;
  const { id } = principal.token;
  return id === token.id ? null : (registry.people.tokens.find(id)?.expiresOn ?? null);
}

const revokeToken: Handler = async (call) => {
  const token = tokenOf(call, 'write');
  requireUnmodified(call.req, token.createdAt);
  await call.registry.people.tokens.revoke(call.actor, token.id);
  return noContent;
};

/** GitLab lets users create only tokens for Kubernetes themselves, which does not exist here. */
const createOwnToken: Handler = (call) => {
  authorizeInstance(call.principal, 'write');
  read(call, ownNewToken);
  throw new GatehouseError('invalid_request', 'Tokens are made by an administrator, or in the window.');
};

/** Personal access tokens. */
export const tokenRoutes: readonly GitlabRoute[] = [
  {
    pattern: '/users/:user_id/personal_access_tokens',
    POST: {
      handle: createToken,
      summary: 'Create a token for a user',
      description: 'The secret is in the answer and never shown again.',
      access: 'administrate',
      parameters: newToken,
      answers: { 201: 'NewToken' },
      errors: [422],
    },
  },
  {
    pattern: '/user/personal_access_tokens',
    POST: {
      handle: createOwnToken,
      summary: 'Create a token for oneself',
      description:
        'As in GitLab only for Kubernetes, which does not exist here: always refused, with a text that says who makes tokens.',
      access: 'write',
      parameters: ownNewToken,
      answers: {},
    },
  },
  {
    pattern: '/personal_access_tokens',
    GET: {
      handle: listTokens,
      summary: 'List tokens',
      description: 'One’s own; an administrator sees those of everybody.',
      access: 'read',
      parameters: listing,
      paged: true,
      answers: { 200: 'Token[]' },
    },
  },
  {
    pattern: '/personal_access_tokens/:id',
    GET: {
      handle: (call) => ok(presentToken(call, tokenOf(call, 'read'))),
      summary: 'Show a token',
      description: 'With `self` for its id every token may show itself.',
      access: 'read',
      answers: { 200: 'Token' },
    },
    DELETE: {
      handle: revokeToken,
      summary: 'Revoke a token',
      description: 'With `self` for its id every token may revoke itself.',
      access: 'write',
      answers: { 204: 'nothing' },
      errors: [412],
    },
  },
  {
    pattern: '/personal_access_tokens/:id/rotate',
    POST: {
      handle: rotateToken,
      summary: 'Replace a token by a new one',
      access: 'write',
      parameters: rotation,
      answers: { 200: 'NewToken' },
    },
  },
];
