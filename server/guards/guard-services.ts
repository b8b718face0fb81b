import type { Directory } from '../accounts/directory.ts';
import type { DeployAccess } from '../environments/deploy-access.ts';
import type { Guards } from './guards.ts';
import { PublishPreviews } from './publish-preview.ts';
import { TagGate } from './tag-gate.ts';

/** Guarded dist-tags. */
export interface GuardServices {
  readonly guards: Guards;
  /** What each write to a package asks. */
  readonly gate: TagGate;
  readonly previews: PublishPreviews;
}

export interface GuardServicesOptions {
  readonly guards: Guards;
  readonly directory: Directory;
  readonly access: DeployAccess;
}

/** Creates them. */
export function createGuardServices({ guards, directory, access }: GuardServicesOptions): GuardServices {
  return {
    guards,
    gate: new TagGate(guards, access, directory),
    previews: new PublishPreviews(guards, access, directory),
  };
}
