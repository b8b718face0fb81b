import type { UnitOfWork } from './directory/change.ts';
import type { DirectoryServices } from './directory/directory-services.ts';
import type { EventBus } from './event-bus.ts';
import { Advisories } from './packages/advisories.ts';
import type { AdvisoryStore } from './packages/advisory.ts';
import { LoginSessions } from './packages/login-sessions.ts';
import { PasswordLogin } from './packages/password-login.ts';
import type { PublishAges } from './packages/publish-age.ts';
import { Staging } from './packages/staging.ts';
import type { StageStore } from './packages/staging.ts';
import type { PackageServices } from './packages/package-services.ts';
import { WhenNeeded } from './when-needed.ts';

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
  events.subscribe(({ topic }) => {
    if (topic === 'registry.rewound') publishAges.reload();
  });
  const advisories = new WhenNeeded(() => new Advisories(options.advisoryStore, unitOfWork));
  return {
    get advisories() {
      return advisories.value;
    },
    logins: new LoginSessions({ announce: (change) => events.publish('login.changed', { change }) }),
    passwords: new PasswordLogin(people),
    publishAges,
    staging: new Staging({
      store: options.stageStore,
      packages: packages.store,
      publisher: packages.publisher,
      keeper: packages.keeper,
      unitOfWork,
    }),
  };
}
