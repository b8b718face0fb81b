import type { AppFailure } from '../../../server/contract/bridge.ts';

/** What can be done about a failure beside trying again. */
export type Remedy = 'otherPort' | 'otherFolder' | 'showFolder' | 'snapshot' | 'backup' | 'repair';

interface FailureScreenText {
  readonly title: string;
  readonly remedies: readonly Remedy[];
}

const screens: Record<AppFailure, FailureScreenText> = {
  failed: { title: 'The registry could not start', remedies: ['repair', 'otherFolder', 'showFolder'] },
  portTaken: { title: 'The port is taken', remedies: ['otherPort'] },
  dataFolderUnwritable: {
    title: 'The data folder cannot be written to',
    remedies: ['otherFolder', 'showFolder'],
  },
  dataFolderRefused: { title: 'Gatehouse cannot use this folder', remedies: ['otherFolder', 'showFolder'] },
  dataFolderLocked: {
    title: 'Another Gatehouse uses this data folder',
    remedies: ['otherFolder', 'showFolder'],
  },
  databaseDamaged: {
    title: 'The database is damaged',
    remedies: ['snapshot', 'backup', 'otherFolder', 'showFolder'],
  },
  schemaTooNew: { title: 'The data is from a newer Gatehouse', remedies: ['otherFolder', 'showFolder'] },
  migrationFailed: {
    title: 'The data could not be brought up to date',
    remedies: ['backup', 'otherFolder', 'showFolder'],
  },
  hostUnavailable: { title: 'This address is not on this computer', remedies: [] },
  crashed: { title: 'The registry keeps stopping', remedies: ['repair', 'backup', 'otherFolder', 'showFolder'] },
  notStarted: { title: 'The registry could not be launched', remedies: [] },
};

/** The title of the screen for a server that does not start. */
export function failureTitle(failure: AppFailure): string {
  return screens[failure].title;
}

/** Whether the screen offers this. */
export function offers(failure: AppFailure, remedy: Remedy): boolean {
  return screens[failure].remedies.includes(remedy);
}
