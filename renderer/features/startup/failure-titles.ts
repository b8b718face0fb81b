import type { AppFailure, AppState, RecoveryTask } from '../../../server/contract/bridge.ts';

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

function failureTitle(failure: AppFailure): string {
  return failure === 'crashed' ? 'The registry keeps stopping' : 'The registry could not start';
}

/** The title of the screen while this runs. */
export const taskTitles: Record<RecoveryTask['kind'], string> = {
  backup: 'Restoring a backup',
  snapshot: 'Restoring a snapshot',
  repair: 'Checking and repairing the data',
};

/** The title of the screen for a registry that stopped or failed: what runs, or else what went wrong. */
export function stoppedTitle(state: Extract<AppState, { phase: 'failed' | 'restarting' }>): string {
  if (state.phase === 'restarting') return 'The registry stopped';
  return state.recovery === undefined ? failureTitle(state.failure) : taskTitles[state.recovery.task.kind];
}

/** Whether the screen offers this. */
export function offers(failure: AppFailure, remedy: Remedy): boolean {
  return remedies[failure].includes(remedy);
}
