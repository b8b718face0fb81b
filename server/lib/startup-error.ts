import type { StartFailure } from '../contract/errors.ts';

/** A cause that keeps the server from starting and that a person can act upon; the message says how. */
export class StartupError extends Error {
  readonly failure: StartFailure;

  constructor(failure: StartFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
    this.failure = failure;
  }
}
