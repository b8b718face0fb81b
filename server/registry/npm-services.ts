import type { UnitOfWork } from '../accounts/change.ts';
import type { DirectoryServices } from '../accounts/directory-services.ts';
import type { EventBus } from '../lib/event-bus.ts';
import { Advisories } from './advisories/advisories.ts';
import type { AdvisoryStore } from './advisories/advisory.ts';
import { LoginSessions } from '../accounts/login/login-sessions.ts';
import { PasswordLogin } from '../accounts/login/password-login.ts';
import type { PublishAges } from './packuments/publish-age.ts';
import { Staging } from './staging.ts';
import type { StageStore } from './staging.ts';
import type { PackageServices } from './package-services.ts';

/** What npm clients ask beside packages themselves. */
export interface NpmServices {
  readonly advisories: Advisories;
  readonly logins: LoginSessions;
  readonly passwords: PasswordLogin;
  readonly publishAges: PublishAges;
  readonly staging: Staging;
}

export interface NpmServicesOptions {
  readonly people: DirectoryServices;
  readonly events: EventBus;
  readonly unitOfWork: UnitOfWork;
  readonly packages: PackageServices;
  readonly publishAges: PublishAges;
  readonly advisoryStore: AdvisoryStore;
  readonly stageStore: StageStore;
}

/** Puts them together. */
export function createNpmServices(options: NpmServicesOptions): NpmServices {
  const { people, events, unitOfWork, packages, publishAges } = options;
  return {
    advisories: new Advisories(options.advisoryStore, unitOfWork),
    logins: new LoginSessions({ announce: (change) => events.publish('login.changed', { change }) }),
    passwords: new PasswordLogin(people),
    publishAges,
    staging: new Staging({
      store: options.stageStore,
      packages: packages.store,
      publisher: packages.publisher,
      collector: packages.collector,
      unitOfWork,
    }),
  };
}
