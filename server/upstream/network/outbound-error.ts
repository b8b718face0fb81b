import { GatehouseError } from '../../contract/errors.ts';

export type OutboundFailure =
  /** The switch is on: nothing was sent. */
  | 'offline'
  /** No connection came about. */
  | 'network'
  /** The connection was cut, or what came over it is damaged. */
  | 'cut'
  | 'timeout'
  /** A status that means neither the document nor "not found". */
  | 'status'
  /** The response makes no sense or leads to an address that is not allowed. */
  | 'invalid';

/** A request to another registry that failed. The message is for people and never holds a token. */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;
  readonly status: number | null;
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

  /** Whether the other registry, and not the request, is the cause: then a retry makes sense. */
  get isTheirs(): boolean {
    if (this.failure === 'network' || this.failure === 'cut' || this.failure === 'timeout') return true;
    return this.failure === 'status' && (this.status === 429 || (this.status !== null && this.status >= 500));
  }
}

const untrusted = 'its certificate is not trusted; set NODE_EXTRA_CA_CERTS for a private authority';
/** By the codes of a connection that did not come about. */
const networkReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known; is there a network?',
  EAI_AGAIN: 'its name cannot be looked up; is there a network?',
  ECONNREFUSED: 'nothing listens there',
  ENETUNREACH: 'there is no network',
  ENETDOWN: 'there is no network',
  EADDRNOTAVAIL: 'there is no network',
  EHOSTUNREACH: 'there is no route to it',
  ETIMEDOUT: 'it does not answer',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

/** The failure behind an error of the HTTP client or of a connection. */
export function toOutboundError(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : String(error);
  const more = { cause: error };
  switch (code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
      return new OutboundError('timeout', `${host} did not answer in time`, more);
    case 'UND_ERR_BODY_TIMEOUT':
      return new OutboundError('timeout', `${host} stopped sending in the middle of a response`, more);
    case 'UND_ERR_REDIRECT_MAX':
    case 'UND_ERR_INVALID_ARG':
    case 'ERR_INVALID_URL':
      return new OutboundError('invalid', `${host} redirects in a circle, too often or to no address`, more);
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return new OutboundError('cut', `${host} cut the connection`, more);
    default: {
      const reason = networkReasons[code];
      return reason === undefined
        ? new OutboundError('cut', `${host} sent a damaged response: ${message}`, more)
        : new OutboundError('network', `${host} cannot be reached: ${reason}`, more);
    }
  }
}

/** The error that an npm client gets when a request for `label` failed; its cause is `error`. */
export function toClientError(error: OutboundError, upstream: string, label: string): GatehouseError {
  const failed = describe(error, upstream, label);
  failed.cause = error;
  return failed;
}

/** Why `label` could not be fetched: a sentence for a place that names it already. */
export function fetchFailure(error: unknown, label: string): string {
  const { cause } = error instanceof GatehouseError ? error : { cause: undefined };
  if (cause instanceof OutboundError) {
    const { failure, message } = cause.cause instanceof OutboundError ? cause.cause : cause;
    return failure === 'offline' ? 'The offline switch is on.' : `${message}.`;
  }
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith(`${label} is `) ? `It ${message.slice(label.length + 1)}` : message;
}

function describe(error: OutboundError, upstream: string, label: string): GatehouseError {
  const retryAfterSeconds = error.retryAfterSeconds ?? 10;
  if (error.failure === 'offline') {
    return new GatehouseError(
      'offline_not_cached',
      `offline, not cached: ${label}. The offline switch is on; "gatehouse offline auto" turns it off.`,
    );
  }
  if (error.failure === 'network') {
    return new GatehouseError(
      'offline_not_cached',
      `offline, not cached: ${label}. ${error.message.startsWith(`${upstream} `) ? '' : `${upstream}: `}${error.message}.`,
    );
  }
  if (error.failure === 'invalid') {
    return new GatehouseError('upstream_invalid', `${label} cannot be fetched from ${upstream}: ${error.message}.`, {
      retryAfterSeconds,
    });
  }
  return new GatehouseError(
    'upstream_unavailable',
    `${label} cannot be fetched from ${upstream} now: ${error.message}. Try again later.`,
    { retryAfterSeconds },
  );
}
