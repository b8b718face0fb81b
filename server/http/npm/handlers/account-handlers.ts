import { hash } from 'node:crypto';
import { z } from 'zod';
import { GatehouseError } from '../../../contract/errors.ts';
import { expiryFor, isReadOnly, keyOfToken, newTokenDocument, scopesFor } from '../../../accounts/login/npm-tokens.ts';
import type { TokenRecord, UserRecord } from '../../../accounts/records.ts';
import type { UserChanges } from '../../../accounts/users.ts';
import type { AnswerOf } from '../../openapi/schemas.ts';
import { type Answer, headerOf, noContent, noStore, ok } from '../../respond.ts';
import { matchesEtag } from '../../preconditions.ts';
import { readDocument, readJson } from '../../request-body.ts';
import type { PathParameters } from '../../route-matcher.ts';
import { actorOf, type NpmCall, type NpmOperation, type NpmRoute, refused, requireUser } from '../npm-call.ts';

/** An operation about hooks, which do not exist here. */
function refusedHooks(summary: string): NpmOperation {
  const text =
    'There are no hooks here. To hear of changes, read the audit events (GET /api/v4/projects/:id/audit_events) or watch the Gatehouse window.';
  return refused(summary, text);
}

const profileChanges = z.object({
  name: z.string().optional(),
  fullname: z.string().max(255).nullish(),
  email: z.string().max(255).optional(),
  password: z.object({ old: z.string().max(1000).nullish(), new: z.string().max(1000) }).optional(),
  tfa: z.unknown().optional(),
  homepage: z.string().nullish(),
  freenode: z.string().nullish(),
  twitter: z.string().nullish(),
  github: z.string().nullish(),
  cidr_whitelist: z.array(z.string()).nullish(),
});

/** `npm profile` and `npm token`. Users see and revoke only their own tokens. */
export const accountRoutes: readonly NpmRoute[] = [
  {
    pattern: '/-/npm/v1/user',
    GET: { handle: getProfile, summary: 'Show the profile', access: 'read_users', answers: { 200: 'Profile' } },
    POST: {
      handle: setProfile,
      summary: 'Change the profile',
      description: 'Full name, e-mail address or password; anything else that cannot be stored is refused.',
      access: 'write',
      body: profileChanges,
      answers: { 200: 'Profile' },
      errors: [409, 422],
    },
  },
  {
    pattern: '/-/npm/v1/tokens',
    GET: {
      handle: listTokens,
      summary: 'List one’s tokens',
      access: 'read',
      answers: { 200: 'NpmTokens', 304: 'nothing' },
    },
    POST: {
      handle: createToken,
      summary: 'Create a token',
      description:
        'With the password of a user who has one. Without one the token in use is enough, and the new one ends no later.',
      access: 'write',
      body: newTokenDocument,
      answers: { 200: 'NpmToken' },
    },
  },
  {
    pattern: '/-/npm/v1/tokens/token/:key',
    DELETE: {
      handle: revokeToken,
      summary: 'Revoke one of one’s tokens',
      description: 'By its key, by the first letters of one, or by the secret. Every token can revoke itself.',
      access: 'write',
      answers: { 204: 'nothing' },
    },
  },
  {
    pattern: '/-/npm/v1/hooks',
    GET: refusedHooks('List hooks'),
    POST: refusedHooks('Create a hook'),
  },
  { pattern: '/-/npm/v1/hooks/hook', POST: refusedHooks('Create a hook the old way') },
  {
    pattern: '/-/npm/v1/hooks/hook/:hook',
    GET: refusedHooks('Show a hook'),
    PUT: refusedHooks('Change a hook'),
    DELETE: refusedHooks('Delete a hook'),
  },
];

const noCache = 'private, no-cache';

function getProfile(call: NpmCall): Answer {
  const { user } = requireUser(call, 'read_users');
  return ok(presentProfile(call.registry.people.users.get(user.id)), { 'Cache-Control': noCache });
}

/** POST: npm sends the whole profile back with one field changed, or the password alone. */
async function setProfile(call: NpmCall): Promise<Answer> {
  const { user, token: used } = requireUser(call, 'write');
  const { registry } = call;
  const { users } = registry.people;
  const parsed = profileChanges.safeParse(await readJson(call.req));
  if (!parsed.success) {
    throw new GatehouseError('invalid_request', `The profile cannot be read: ${z.prettifyError(parsed.error)}`);
  }
  const wanted = parsed.data;
  refuseUnsupported(wanted, user.username);
  const before = users.get(user.id);
  const changes: UserChanges = {
    ...(wanted.fullname != null && wanted.fullname !== before.name ? { name: wanted.fullname } : {}),
    ...(wanted.email !== undefined && wanted.email !== before.email ? { email: wanted.email } : {}),
    ...(wanted.password === undefined ? {} : { password: wanted.password.new }),
  };
  // A user without a password is known by the token, which a password must not outlive.
  if (wanted.password && hasPassword(call, user.id)) {
    await checkPassword(call, before, wanted.password.old, 'The old password is not right. Nothing was changed.');
  } else if (wanted.password && used && (registry.people.tokens.find(used.id)?.expiresOn ?? null) !== null) {
    const text = `A token that expires sets no first password. Use one that does not, or "gatehouse user password ${user.username}" on the machine of the registry.`;
    throw new GatehouseError('forbidden', text);
  }
  const after = Object.keys(changes).length === 0 ? before : await users.update(actorOf(call), user.id, changes);
  return ok(presentProfile(after));
}

/** What cannot be stored is refused rather than dropped. */
function refuseUnsupported(wanted: z.infer<typeof profileChanges>, username: string): void {
  const refuse = (text: string): never => {
    throw new GatehouseError('invalid_request', text);
  };
  if (wanted.tfa != null && wanted.tfa !== false)
    refuse('There is no two-factor authentication here. Nothing was changed.');
  if (wanted.name !== undefined && wanted.name !== username)
    refuse('A user name is changed by an administrator, in the Gatehouse window or with PUT /api/v4/users/:id.');
  for (const field of ['homepage', 'freenode', 'twitter', 'github'] as const) {
    if (wanted[field] != null && wanted[field] !== '')
      refuse(`Profiles hold no ${field} here. What can be set: fullname, email and password.`);
  }
  if (wanted.cidr_whitelist != null && wanted.cidr_whitelist.length > 0)
    refuse('Users cannot be tied to IP addresses here.');
}

function presentProfile(user: UserRecord): AnswerOf<'Profile'> {
  return {
    tfa: false,
    name: user.username,
    email: user.email,
    email_verified: true,
    created: new Date(user.createdAt).toISOString(),
    updated: new Date(user.updatedAt).toISOString(),
    cidr_whitelist: null,
    fullname: user.name,
    homepage: '',
    freenode: '',
    twitter: '',
    github: '',
  };
}

/** Characters of a key that npm shows; fewer name too many tokens. */
const shortestKey = 6;

function listTokens(call: NpmCall): Answer {
  const { user } = requireUser(call, 'read');
  const objects = activeTokens(call, user.id).map((token) => presentToken(token));
  const changes = objects.map(({ key, updated }) => `${key.slice(0, 12)}-${Date.parse(updated).toString(36)}`);
  // Clients take no headers of more than 16 KiB, which is as much as a few hundred tokens would need.
  const etag = `W/"${hash('sha256', changes.join('.')).slice(0, 32)}"`;
  const headers = { ETag: etag, 'Cache-Control': noCache };
  if (matchesEtag(headerOf(call.req, 'if-none-match'), headers.ETag)) return { status: 304, headers };
  // No "next" in "urls": some clients follow even an empty one without end.
  return ok({ objects, total: objects.length, urls: {} }, headers);
}

/** POST: npm asks for the password each time. Without one the token in use is enough, which the new one then may not outlive. */
async function createToken(call: NpmCall): Promise<Answer> {
  const { registry, address, req } = call;
  const { user, token: used } = requireUser(call, 'write');
  const document = await readDocument(req, newTokenDocument, 'The body must be a JSON object that npm token sends.');
  const scopes = scopesFor(document);
  const knowsPassword = hasPassword(call, user.id);
  if (knowsPassword) {
    const complaint = `The password of ${user.username} is not right. No token was made.`;
    await checkPassword(call, user, document.password, complaint);
  }
  const ownExpiry = used && !knowsPassword ? (registry.people.tokens.find(used.id)?.expiresOn ?? null) : null;
  const { token, secret } = await registry.people.tokens.create(actorOf(call), {
    userId: user.id,
    name: document.name?.trim() || 'npm token',
    description: document.description ?? `Made with npm token from ${address ?? 'here'}`,
    scopes,
    expiresOn: expiryFor(document, registry.directory.now(), ownExpiry),
  });
  return ok({ ...presentToken(token), token: secret, cidr_whitelist: [] }, noStore);
}

/** DELETE: by key, by the start of one, or by the secret itself. Every token may revoke itself, as in GitLab. */
async function revokeToken(call: NpmCall, { key = '' }: PathParameters): Promise<Answer> {
  const { user, token: used } = requireUser(call, 'identify');
  const { tokens } = call.registry.people;
  const isNamed = (token: TokenRecord) => key.length >= shortestKey && keyOfToken(token).startsWith(key.toLowerCase());
  const named = activeTokens(call, user.id).filter((token) => isNamed(token));
  const bySecret = () => {
    const found = tokens.findBySecret(key);
    if (found?.userId === user.id) return found;
    requireUser(call, 'write');
    throw new GatehouseError('not_found', 'You have no such token. "npm token list" shows the ids of those you have.');
  };
  const [token = call.guard.lookUp(key, call.address, bySecret), another] = named;
  if (token.id !== used?.id || another) requireUser(call, 'write');
  if (another) {
    throw new GatehouseError('invalid_request', `The id ${key} fits ${named.length} tokens. Give more letters of it.`);
  }
  await tokens.revoke(actorOf(call), token.id);
  return noContent;
}

function activeTokens({ registry }: NpmCall, userId: number): TokenRecord[] {
  const { tokens } = registry.people;
  return tokens.list(userId).filter((token) => tokens.stateOf(token) === 'active');
}

function presentToken(token: TokenRecord): AnswerOf<'NpmToken'> {
  const created = new Date(token.createdAt).toISOString();
  const lastUsed = token.lastUsedAt === null ? null : new Date(token.lastUsedAt).toISOString();
  return {
    key: keyOfToken(token),
    /** npm puts an ellipsis behind it. */
    token: `…${token.hint}`,
    name: token.name,
    description: token.description,
    created,
    updated: lastUsed ?? created,
    last_used: lastUsed,
    readonly: isReadOnly(token),
    automation: false,
    scopes: [...token.scopes],
    cidr_whitelist: null,
    ...(token.expiresOn === null ? {} : { expires: `${token.expiresOn}T00:00:00.000Z` }),
  };
}

function hasPassword({ registry }: NpmCall, userId: number): boolean {
  return registry.directory.store.users.passwordHashOf(userId) !== null;
}

/** @throws GatehouseError `forbidden` with `complaint`: npm would take 401 for a token that is not accepted. */
async function checkPassword(
  { registry, address }: NpmCall,
  { username }: { readonly username: string },
  password: string | null | undefined,
  complaint: string,
): Promise<void> {
  try {
    await registry.npm.passwords.check(username, password ?? '', address);
  } catch (error) {
    if (!(error instanceof GatehouseError) || error.code !== 'unauthenticated') throw error;
    throw new GatehouseError('forbidden', complaint);
  }
}
