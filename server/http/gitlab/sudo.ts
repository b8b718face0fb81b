import type { IncomingMessage } from 'node:http';
import { GatehouseError } from '../../contract/errors.ts';
import type { DirectoryServices } from '../../accounts/directory-services.ts';
import type { Principal } from '../../accounts/access/principal.ts';
import { headerOf, queryOf } from '../respond.ts';
import type { Parameters } from './request-parameters.ts';

/**
 * The user that an administrator acts as, named by the header or parameter `sudo`; the caller if none is.
 * @throws GatehouseError `unauthenticated`, `insufficient_scope`, `forbidden`, `user_not_found` or `account_blocked`.
 */
export function actAsAnother(
  services: DirectoryServices,
  caller: Principal,
  req: IncomingMessage,
  body: Parameters,
): Principal {
  const wanted = headerOf(req, 'sudo') ?? queryOf(req).get('sudo') ?? body['sudo'];
  if (typeof wanted !== 'string' && typeof wanted !== 'number') return caller;
  const reference = String(wanted);
  if (reference === '') return caller;
  if (caller.kind === 'anonymous') throw new GatehouseError('unauthenticated');
  if (!caller.user.isAdmin) throw new GatehouseError('forbidden', 'Must be admin to use sudo');
  if (caller.token && !caller.token.scopes.includes('sudo')) {
    throw new GatehouseError('insufficient_scope', undefined, { requiredScopes: ['sudo'] });
  }
  const { store } = services.directory;
  const user =
    (/^\d+$/.test(reference) && store.users.find(Number(reference))) || store.users.findByUsername(reference);
  if (!user) {
    const text = `404 User with ID or username '${reference}' Not Found`;
    throw new GatehouseError('user_not_found', text, { gitlabMessage: text });
  }
  if (user.state === 'blocked') throw new GatehouseError('account_blocked');
  return { ...caller, user };
}
