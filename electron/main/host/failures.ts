import type { AppFailure } from '../../../server/contract/bridge.ts';
import { exitCodes, type StartFailure } from '../../../server/contract/errors.ts';

const unexplained = {
  cause: 'The cause is not known.',
  remedy: 'Try again, or check and repair the data. The log below may say why.',
} as const;

/** The failure screen's texts: the cause where the server did not name it more precisely, and what the person can do. */
export const failureTexts: Readonly<Record<AppFailure, { readonly cause: string; readonly remedy: string }>> = {
  failed: unexplained,
  portTaken: {
    cause: 'Another program uses the port of the registry.',
    remedy: 'Free the port and try again, or use another one.',
  },
  dataFolderUnwritable: {
    cause: 'The data folder cannot be written.',
    remedy: 'Check its permissions and the free space on its disk and try again, or use another folder.',
  },
  dataFolderRefused: {
    cause: 'The folder cannot hold the data of a registry.',
    remedy: 'Correct that and try again, or use another folder.',
  },
  dataFolderLocked: {
    cause: 'Another Gatehouse uses the data folder.',
    remedy: 'Stop the other one and try again, or use another folder.',
  },
  databaseDamaged: {
    cause: 'The database is damaged.',
    remedy: 'Nothing was changed. Restore a snapshot or a backup, or use another folder.',
  },
  schemaTooNew: {
    cause: 'The data folder was written by a newer Gatehouse.',
    remedy: 'Install that version or a later one, or use another folder. Nothing was changed.',
  },
  migrationFailed: {
    cause: 'The database could not be brought up to date.',
    remedy: 'Nothing was changed. The log below says which step failed; report it.',
  },
  hostUnavailable: {
    cause: 'The address to listen on does not belong to this computer.',
    remedy: 'Correct GATEHOUSE_HOST or leave it out, then start Gatehouse again.',
  },
  crashed: unexplained,
  notStarted: {
    cause: 'The cause is not known.',
    remedy: 'Correct that, then start Gatehouse again.',
  },
};

const startFailures = [
  'portTaken',
  'dataFolderUnwritable',
  'dataFolderRefused',
  'dataFolderLocked',
  'databaseDamaged',
  'schemaTooNew',
  'migrationFailed',
  'hostUnavailable',
] as const satisfies readonly Exclude<StartFailure, 'failed'>[];

/** The start failure that an exit code stands for; null for success and for codes that say no more than "failed". */
export function failureOfExitCode(code: number | null): AppFailure | null {
  return startFailures.find((failure) => exitCodes[failure] === code) ?? null;
}

/** The start failure of that name; null for an unknown one. */
export function failureNamed(name: string): AppFailure | null {
  return startFailures.find((failure) => failure === name) ?? null;
}
