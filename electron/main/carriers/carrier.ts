import type { MessageToServer } from '../../../server/contract/link.ts';

/**
 * A server child and the pipe to it. One interface over a utility process and a forked Node, so that the supervisor knows neither.
 * Listeners are called in the order of arrival; `onExit` fires exactly once, also when the child could not be started.
 */
export interface Carrier {
  readonly pid: number | undefined;
  /** Sends a message, or drops it if the child is gone: the exit then says so. */
  send(message: MessageToServer): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Text that the child wrote to stdout or stderr, in pieces of any length. */
  onOutput(listener: (text: string) => void): void;
  /** `code` is null when a signal ended the child or it never started. */
  onExit(listener: (code: number | null) => void): void;
  /** Ends the child at once, without asking. */
  kill(): void;
}

/** How a server child is started. */
export interface LaunchPlan {
  /** The server's built file. */
  readonly entry: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
