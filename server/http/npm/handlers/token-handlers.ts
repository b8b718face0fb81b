import { GatehouseError } from '../../../contract/errors.ts';
import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import type { TokenRecord } from '../../../accounts/records.ts';
import { expiryFor, isReadOnly, keyOfToken, newTokenDocument, scopesFor } from '../../../accounts/login/npm-tokens.ts';
import { readJson } from '../../request-body.ts';
import { headerOf, matchesEtag, sendEmpty, sendJson } from '../../respond.ts';
import { actorOf, requireUser } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import type { PathParameters, Service } from '../service-paths.ts';

/** `npm token` (api/clients.md 4). Everybody sees and ends the own tokens only. */
export const tokenServices: readonly Service[] = [
  { path: 'npm/v1/tokens', methods: { GET: listTokens, POST: createToken } },
  { path: 'npm/v1/tokens/token/:key', methods: { DELETE: revokeToken } },
];

/** Letters of a key that npm shows; fewer name too many tokens. */
const shortestKey = 6;

function listTokens(context: NpmContext): void {
  const { user } = requireUser(context);
  const objects = activeTokens(context, user.id).map((token) => present(token));
  const etag = `W/"${keyOfList(objects)}"`;
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (matchesEtag(headerOf(context.req, 'if-none-match'), etag)) sendEmpty(context.res, 304, headers);
  // No "next" in "urls": some clients follow even an empty one for ever.
  else sendJson(context.res, 200, { objects, total: objects.length, urls: {} }, headers);
}

/**
 * POST: a new token. npm asks for the password each time; who has none is taken at the word of the token in use, which the new one
 * then may not outlive.
 */
async function createToken(context: NpmContext): Promise<void> {
  const { registry, principal, address } = context;
  const { user, token: used } = authorizeInstance(principal, 'write');
  const parsed = newTokenDocument.safeParse(await readJson(context.req));
  if (!parsed.success)
    throw new GatehouseError('invalid_request', 'The body must be a JSON object that npm token sends.');
  const document = parsed.data;
  const scopes = scopesFor(document);
  const hasPassword = registry.directory.store.users.passwordHashOf(user.id) !== null;
  if (hasPassword) await requirePassword(context, user.username, document.password ?? '');
  const ownExpiry = used && !hasPassword ? (registry.people.tokens.find(used.id)?.expiresOn ?? null) : null;
  const { token, secret } = await registry.people.tokens.create(actorOf(context), {
    userId: user.id,
    name: document.name?.trim() || 'npm token',
    description: document.description ?? `Made with npm token from ${address ?? 'here'}`,
    scopes,
    expiresOn: expiryFor(document, registry.directory.now(), ownExpiry),
  });
  sendJson(context.res, 200, { ...present(token), token: secret, cidr_whitelist: [] }, { 'Cache-Control': 'no-store' });
}

/** DELETE: by key, by the start of one, or by the secret itself. */
async function revokeToken(context: NpmContext, { key = '' }: PathParameters): Promise<void> {
  const { user } = requireUser(context);
  const own = activeTokens(context, user.id);
  const bySecret = context.registry.people.tokens.findBySecret(key);
  const found =
    bySecret?.userId === user.id
      ? [bySecret]
      : own.filter((token) => key.length >= shortestKey && keyOfToken(token).startsWith(key.toLowerCase()));
  const [token, another] = found;
  if (!token) {
    throw new GatehouseError('not_found', 'You have no such token. "npm token list" shows the ids of those you have.');
  }
  if (another) {
    throw new GatehouseError('invalid_request', `The id ${key} fits ${found.length} tokens. Give more letters of it.`);
  }
  await context.registry.people.tokens.revoke(actorOf(context), token.id);
  sendEmpty(context.res, 204);
}

async function requirePassword(context: NpmContext, username: string, password: string): Promise<void> {
  try {
    await context.registry.npm.passwords.check(username, password, context.address);
  } catch (error) {
    if (!(error instanceof GatehouseError) || error.code !== 'unauthenticated') throw error;
    // Not 401, which npm would take for a token that is not accepted.
    throw new GatehouseError('forbidden', `The password of ${username} is not right. No token was made.`);
  }
}

function activeTokens({ registry }: NpmContext, userId: number): TokenRecord[] {
  const { tokens } = registry.people;
  return tokens.list(userId).filter((token) => tokens.stateOf(token) === 'active');
}

function present(token: TokenRecord) {
  const created = new Date(token.createdAt).toISOString();
  return {
    key: keyOfToken(token),
    /** npm puts an ellipsis behind it. */
    token: `…${token.hint}`,
    name: token.name,
    description: token.description,
    created,
    updated: token.lastUsedAt === null ? created : new Date(token.lastUsedAt).toISOString(),
    last_used: token.lastUsedAt === null ? null : new Date(token.lastUsedAt).toISOString(),
    readonly: isReadOnly(token),
    automation: false,
    scopes: token.scopes,
    cidr_whitelist: null as readonly string[] | null,
    ...(token.expiresOn === null ? {} : { expires: `${token.expiresOn}T00:00:00.000Z` }),
  };
}

function keyOfList(objects: readonly ReturnType<typeof present>[]): string {
  return (
    objects.map(({ key, updated }) => `${key.slice(0, 12)}-${Date.parse(updated).toString(36)}`).join('.') || 'none'
  );
}
