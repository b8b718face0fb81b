import type { AppFailure } from '../../../server/contract/bridge.ts';
import { failureOfExitCode } from './failures.ts';

export interface Exit {
  /** Null when a signal ended the server. */
  readonly code: number | null;
  /** Whether it had been ready. */
  readonly wasReady: boolean;
  /** The failure that the server itself named; null without a known one. */
  readonly named: AppFailure | null;
  /** Milliseconds from ready to exit; 0 if it was never ready. */
  readonly uptime: number;
  /** Restarts in a row before this exit. */
  readonly restarts: number;
}

export type Verdict =
  | { readonly kind: 'give-up'; readonly failure: AppFailure }
  | { readonly kind: 'restart'; readonly attempt: number; readonly delay: number };

const delays = [250, 1_000, 2_000, 5_000, 10_000] as const;
/** After this many milliseconds a crash counts as the first. */
const stableAfter = 60_000;

/**
 * Whether a server that ended by itself is started again. A start that failed for a known cause would fail again, and so would one that
 * died before it was ready; a server that ran is restarted a few times, with growing delays.
 */
export function judgeExit(exit: Exit): Verdict {
  const failure = exit.named ?? failureOfExitCode(exit.code);
  if (failure !== null) return { kind: 'give-up', failure };
  if (!exit.wasReady) return { kind: 'give-up', failure: 'failed' };
  const restarts = exit.uptime >= stableAfter ? 0 : exit.restarts;
  const delay = delays[restarts];
  return delay === undefined
    ? { kind: 'give-up', failure: 'crashed' }
    : { kind: 'restart', attempt: restarts + 1, delay };
}
