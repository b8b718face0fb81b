import type { AppFailure } from '../../server/contract/bridge.ts';
import { exitCodes, type StartFailure } from '../../server/contract/errors.ts';

export interface Exit {
  /** Null when a signal ended the server. */
  readonly code: number | null;
  /** Whether the server had answered requests before it went. */
  readonly wasReady: boolean;
  /** The failure that the server named before it went; null if it named none that is known. */
  readonly named: AppFailure | null;
  /** Milliseconds from ready to exit; 0 if it never was ready. */
  readonly uptime: number;
  /** Restarts in a row before this exit. */
  readonly restarts: number;
}

export type Verdict =
  | { readonly kind: 'give-up'; readonly failure: AppFailure }
  | { readonly kind: 'restart'; readonly attempt: number; readonly delay: number };

const delays = [250, 1_000, 2_000, 5_000, 10_000] as const;
/** A server that ran this long was well: its next crash counts as the first. */
const wellAfter = 60_000;

/**
 * Whether a server that went by itself is started again. A start failure with a known cause would fail again, and so would a server
 * that died before it answered anything; one that ran is restarted a few times, more slowly each time.
 */
export function judgeExit(exit: Exit): Verdict {
  const failure = exit.named ?? knownFailure(exit.code);
  if (failure !== null) return { kind: 'give-up', failure };
  if (!exit.wasReady) return { kind: 'give-up', failure: 'crashed' };
  const restarts = exit.uptime >= wellAfter ? 0 : exit.restarts;
  const delay = delays[restarts];
  return delay === undefined
    ? { kind: 'give-up', failure: 'crashed' }
    : { kind: 'restart', attempt: restarts + 1, delay };
}

/** The start failure that an exit code stands for; null for success and for codes that say no more than "failed". */
export function knownFailure(code: number | null): AppFailure | null {
  return startFailures.find((failure) => exitCodes[failure] === code) ?? null;
}

/** The start failure of that name; null for a name that this app does not know. */
export function failureNamed(name: string): AppFailure | null {
  return startFailures.find((failure) => failure === name) ?? null;
}

const startFailures = [
  'portTaken',
  'dataFolderUnwritable',
  'dataFolderLocked',
  'databaseDamaged',
  'schemaTooNew',
  'migrationFailed',
  'hostUnavailable',
] as const satisfies readonly Exclude<StartFailure, 'failed'>[];
