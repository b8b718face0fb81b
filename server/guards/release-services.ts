import type { ReleaseDecisionsOptions } from './release-decisions.ts';
import { ReleaseDecisions } from './release-decisions.ts';
import type { ReleaseRequestsOptions } from './release-requests.ts';
import { ReleaseRequests } from './release-requests.ts';
import type { ReleasesOptions } from './releases.ts';
import { Releases } from './releases.ts';

/** What waits for approval. */
export interface ReleaseServices {
  readonly releases: Releases;
  readonly releaseRequests: ReleaseRequests;
  readonly releaseDecisions: ReleaseDecisions;
}

export type ReleaseServicesOptions = ReleasesOptions &
  Omit<ReleaseRequestsOptions, 'releases'> &
  Omit<ReleaseDecisionsOptions, 'releases'>;

/** Creates them. */
export function createReleaseServices(options: ReleaseServicesOptions): ReleaseServices {
  const releases = new Releases(options);
  return {
    releases,
    releaseRequests: new ReleaseRequests({ ...options, releases }),
    releaseDecisions: new ReleaseDecisions({ ...options, releases }),
  };
}
