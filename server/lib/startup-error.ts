import type { StartFailure } from '../contract/errors.ts';

interface StartupErrorOptions extends ErrorOptions {
  /** What to do, for the command line; the window has buttons and words of its own. */
  readonly advice?: string;
}

/** A cause that keeps the server from starting and that a person can act upon; the message is the cause with the advice. */
export class StartupError extends Error {
  readonly failure: StartFailure;
  /** What is wrong, without the advice. */
  readonly fault: string;

  constructor(failure: StartFailure, fault: string, { advice, ...options }: StartupErrorOptions = {}) {
    super(advice === undefined ? fault : `${fault} ${advice}`, options);
    this.name = 'StartupError';
    this.failure = failure;
    this.fault = fault;
  }
}
