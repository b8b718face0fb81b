import { printable } from './printable.ts';

/**
 * Every error that Gatehouse reports on purpose: code, HTTP status and default text. HTTP, the control link and the command line each
 * translate this table once.
 */
export const errorTable = {
  // Authentication and permission
  unauthenticated: { status: 401, text: 'Authentication is required. Send a personal access token.' },
  token_expired: {
    status: 401,
    text: 'Token is expired. You can either do re-authorization or token refresh.',
  },
  token_revoked: { status: 401, text: 'Token was revoked. You have to re-authorize from the user.' },
  insufficient_scope: {
    status: 403,
    text: 'The request requires higher privileges than provided by the access token.',
  },
  account_blocked: { status: 403, text: 'Your account has been blocked.' },
  forbidden: { status: 403, text: 'You are not allowed to do this.' },
  tag_guarded: { status: 403, text: 'This dist-tag is guarded, and you may not change it.' },
  rate_limited: { status: 429, text: 'Too many requests. Wait a little and try again.' },

  // Missing resources
  not_found: { status: 404, text: 'Not found.' },
  project_not_found: { status: 404, text: 'Project not found' },
  group_not_found: { status: 404, text: 'Group not found' },
  user_not_found: { status: 404, text: 'User not found' },
  package_not_found: { status: 404, text: 'Package not found' },
  tag_not_found: { status: 404, text: 'Package tag not found' },
  method_not_allowed: { status: 405, text: 'This method is not allowed here.' },

  // Other registries. Most are 404, since npm retries anything else for a minute.
  offline_not_cached: { status: 424, text: 'offline, not cached' },
  upstream_unavailable: { status: 503, text: 'The registry that has this package does not answer. Try again later.' },
  upstream_invalid: { status: 502, text: 'The registry that has this package sent something that cannot be trusted.' },
  held_back: { status: 404, text: 'This version is too young to be let through.' },

  // Invalid requests and conflicts
  invalid_request: { status: 400, text: 'The request is not valid.' },
  unprocessable: { status: 422, text: 'The request cannot be carried out.' },
  package_exists: { status: 403, text: 'Package already exists.' },
  conflict: { status: 409, text: 'This conflicts with what is stored.' },
  precondition_failed: { status: 412, text: 'The resource was changed since you read it.' },
  payload_too_large: { status: 413, text: 'The upload is too large.' },
  unsupported_media_type: { status: 415, text: 'This content type is not supported.' },
  request_timeout: { status: 408, text: 'The upload stalled and was dropped. Nothing was stored.' },
  range_not_satisfiable: { status: 416, text: 'The requested range is outside the file.' },

  // Failures of this server
  storage_full: {
    status: 507,
    text: 'The disk that holds the data folder is full. Free some space and try again.',
  },
  storage_unavailable: {
    status: 503,
    text: 'The server cannot use a file of its data. The log of the server names it.',
  },
  data_damaged: { status: 503, text: 'Stored data is damaged. Run "gatehouse doctor" to see what is wrong.' },
  busy: { status: 503, text: 'The server is reading as much as it can at once. Try again in a moment.' },
  shutting_down: { status: 503, text: 'The server is shutting down.' },
  internal: { status: 500, text: 'Something went wrong in the server. Its log says more.' },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof errorTable;

/** Whether `value` is a code of the error table (for values that crossed a process boundary). */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorTable, value);
}

/**
 * The one error class that domain code throws. `message` is written for the person who reads it in a terminal or a window:
 * what is wrong and what to do. `details` carries the parts of it that a program may need (names, ids, lists of messages).
 */
export class GatehouseError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string = errorTable[code].text, details: ErrorDetails = {}) {
    // Terminals, logs and windows show it as it is, and much of it comes from outside.
    super(printable(message));
    this.name = 'GatehouseError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

export interface ErrorDetails {
  /** Several complaints at once, each a sentence (GitLab's model errors). */
  messages?: readonly string[];
  /** Complaints by field, as GitLab renders them for directory models. */
  fields?: Readonly<Record<string, readonly string[]>>;
  /** Scopes that would have been enough, for `insufficient_scope`. */
  requiredScopes?: readonly string[];
  /** Seconds after which a retry makes sense, for `rate_limited`, `shutting_down` and failures of other registries. */
  retryAfterSeconds?: number;
  /** The exact text of GitLab's body where it differs from the message for people. */
  gitlabMessage?: string;
}

/** Exit codes of the command line and of the server child, one per cause that a person can act upon (docs/guide/errors.md). */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  portTaken: 10,
  dataFolderUnwritable: 11,
  dataFolderLocked: 12,
  databaseDamaged: 13,
  schemaTooNew: 14,
  migrationFailed: 15,
  hostUnavailable: 16,
  dataFolderRefused: 17,
} as const;

export type StartFailure = Exclude<keyof typeof exitCodes, 'ok' | 'usage'>;
