import type { UnitOfWork } from '../accounts/change.ts';
import type { GuardStore } from './guard-store.ts';
import { Guards } from './guards.ts';

/** Guarded dist-tags. */
export interface GuardServices {
  readonly guards: Guards;
}

/** Creates them. */
export function createGuardServices(store: GuardStore, unitOfWork: UnitOfWork): GuardServices {
  return { guards: new Guards(store, unitOfWork) };
}
