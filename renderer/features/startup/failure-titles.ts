import type { AppFailure } from '../../../server/contract/bridge.ts';

/** What can be done about a failure beside trying again. */
export type Remedy = 'otherPort' | 'otherFolder' | 'showFolder' | 'snapshot' | 'backup' | 'repair';

const remedies: Record<AppFailure, readonly Remedy[]> = {
  failed: ['repair', 'backup', 'otherFolder', 'showFolder'],
  portTaken: ['otherPort'],
  dataFolderUnwritable: ['otherFolder', 'showFolder'],
  dataFolderRefused: ['otherFolder', 'showFolder'],
  dataFolderLocked: ['otherFolder', 'showFolder'],
  databaseDamaged: ['snapshot', 'backup', 'otherFolder', 'showFolder'],
  schemaTooNew: ['otherFolder', 'showFolder'],
  migrationFailed: ['backup', 'otherFolder', 'showFolder'],
  hostUnavailable: [],
  crashed: ['repair', 'backup', 'otherFolder', 'showFolder'],
  notStarted: [],
};

/** The title of the screen for a server that does not start; the cause stands below it. */
export function failureTitle(failure: AppFailure): string {
  return failure === 'crashed' ? 'The registry keeps stopping' : 'The registry could not start';
}

/** Whether the screen offers this. */
export function offers(failure: AppFailure, remedy: Remedy): boolean {
  return remedies[failure].includes(remedy);
}
