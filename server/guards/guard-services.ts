import type { UnitOfWork } from '../accounts/change.ts';
import type { Directory } from '../accounts/directory.ts';
import type { DeployAccess } from '../environments/deploy-access.ts';
import type { GuardStore } from './guard-store.ts';
import { Guards } from './guards.ts';
import { TagGate } from './tag-gate.ts';

/** Guarded dist-tags. */
export interface GuardServices {
  readonly guards: Guards;
  /** What each write to a package asks. */
  readonly gate: TagGate;
}

export interface GuardServicesOptions {
  readonly store: GuardStore;
  readonly unitOfWork: UnitOfWork;
  readonly directory: Directory;
  readonly access: DeployAccess;
}

/** Creates them. */
export function createGuardServices({ store, unitOfWork, directory, access }: GuardServicesOptions): GuardServices {
  const guards = new Guards(store, unitOfWork);
  return { guards, gate: new TagGate(guards, access, directory) };
}
