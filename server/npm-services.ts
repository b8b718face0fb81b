import type { DirectoryServices } from './directory/directory-services.ts';
import type { EventBus } from './event-bus.ts';
import { LoginSessions } from './packages/login-sessions.ts';
import { PasswordLogin } from './packages/password-login.ts';

/** What npm clients ask beside packages themselves. */
export interface NpmServices {
  readonly logins: LoginSessions;
  readonly passwords: PasswordLogin;
}

export interface NpmServicesOptions {
  readonly people: DirectoryServices;
  readonly events: EventBus;
}

/** Puts them together. */
export function createNpmServices({ people, events }: NpmServicesOptions): NpmServices {
  return {
    logins: new LoginSessions({ announce: (change) => events.publish('login.changed', { change }) }),
    passwords: new PasswordLogin(people),
  };
}
