import type { UnitOfWork } from './directory/change.ts';
import type { DirectoryServices } from './directory/directory-services.ts';
import type { EventBus } from './event-bus.ts';
import { Advisories } from './packages/advisories.ts';
import type { AdvisoryStore } from './packages/advisory.ts';
import { LoginSessions } from './packages/login-sessions.ts';
import { PasswordLogin } from './packages/password-login.ts';

/** What npm clients ask beside packages themselves. */
export interface NpmServices {
  readonly advisories: Advisories;
  readonly logins: LoginSessions;
  readonly passwords: PasswordLogin;
}

export interface NpmServicesOptions {
  readonly people: DirectoryServices;
  readonly events: EventBus;
  readonly unitOfWork: UnitOfWork;
  readonly advisoryStore: AdvisoryStore;
}

/** Puts them together. */
export function createNpmServices({ people, events, unitOfWork, advisoryStore }: NpmServicesOptions): NpmServices {
  return {
    advisories: new Advisories(advisoryStore, unitOfWork),
    logins: new LoginSessions({ announce: (change) => events.publish('login.changed', { change }) }),
    passwords: new PasswordLogin(people),
  };
}
