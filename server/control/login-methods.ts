import { GatehouseError } from '../contract/errors.ts';
import type { Actor } from '../accounts/change.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './method-types.ts';

/** What the window can do about an `npm login` that waits. */
export function createLoginMethods(registry: Registry, actor: Actor): MethodsOf<'login'> {
  const { logins } = registry.npm;
  return {
    'login.pending': () => logins.pending(),
    'login.approve': ({ id, userId = actor.userId ?? 0 }) => {
      const user = registry.people.users.get(userId);
      if (user.state === 'blocked') throw new GatehouseError('account_blocked', `${user.username} is blocked.`);
      logins.approve(id, user.id);
      return null;
    },
    'login.deny': ({ id }) => {
      logins.deny(id);
      return null;
    },
  };
}
