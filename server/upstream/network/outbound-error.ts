export type OutboundFailure =
  /** The switch is on: nothing was sent. */
  | 'offline'
  /** No connection, or it was cut. */
  | 'network'
  | 'timeout'
  /** An answer that is neither the thing nor "not there". */
  | 'status'
  /** The answer makes no sense or leads somewhere that is not allowed. */
  | 'invalid';

/** A request to another registry that did not bring what it was for. The message is for people and never holds a token. */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;
  readonly status: number | null;
  /** Seconds after which the other side wants to be asked again. */
  readonly retryAfterSeconds: number | null;

  constructor(
    failure: OutboundFailure,
    message: string,
    more: { status?: number; retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.name = 'OutboundError';
    this.failure = failure;
    this.status = more.status ?? null;
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }

  /** Whether the other registry, and not our request, is the reason: then it makes sense to wait and ask again. */
  get isTheirs(): boolean {
    if (this.failure === 'network' || this.failure === 'timeout') return true;
    return this.failure === 'status' && (this.status === 429 || (this.status !== null && this.status >= 500));
  }
}
