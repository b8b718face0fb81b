import type { AppFailure } from '../../../server/contract/bridge.ts';

const titles: Record<AppFailure, string> = {
  failed: 'The registry could not start',
  portTaken: 'The port is taken',
  dataFolderUnwritable: 'The data folder cannot be written to',
  dataFolderRefused: 'Gatehouse may not use this folder',
  dataFolderLocked: 'Another Gatehouse uses this data folder',
  databaseDamaged: 'The database is damaged',
  schemaTooNew: 'The data is from a newer Gatehouse',
  migrationFailed: 'The data could not be brought up to date',
  hostUnavailable: 'This address is not on this computer',
  crashed: 'The registry keeps stopping',
  notStarted: 'The registry could not be launched',
};

/** The title of the screen for a server that does not start. */
export function failureTitle(failure: AppFailure): string {
  return titles[failure];
}

/** Whether the cause is in the data folder. */
export function isAboutFolder(failure: AppFailure): boolean {
  return failure.startsWith('data') || failure === 'schemaTooNew' || failure === 'migrationFailed';
}
