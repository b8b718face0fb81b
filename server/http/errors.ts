import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, errorTable, GatehouseError } from '../contract/errors.ts';
import { asGatehouseError } from '../lib/file-error.ts';
import type { Log } from '../lib/log.ts';
import { type Answer, wholePathOf, send } from './respond.ts';
import { printsOwnText } from './negotiate.ts';
import { drain } from './request-body.ts';
import { noteRefusal, withoutSecrets } from './request-log.ts';

/** A complaint of GitLab's parameter layer, which its API reports under the key `error` rather than `message`. */
export class ParameterError extends GatehouseError {
  constructor(message: string) {
    super('invalid_request', message);
    this.name = 'ParameterError';
  }
}

/**
 * Answers a request with an error in the words of one of the APIs, or cuts the connection if the answer has begun. Failures of the
 * server itself are logged.
 */
export function sendError(
  log: Log,
  { req, res, answerOf }: { req: IncomingMessage; res: ServerResponse; answerOf: (error: GatehouseError) => Answer },
  thrown: unknown,
): void {
  const error = asGatehouseError(thrown);
  if (error.status >= 500 && error.code !== 'shutting_down' && error.code !== 'busy')
    log.error({ err: thrown, url: withoutSecrets(wholePathOf(req)) }, 'request failed');
  noteRefusal(req, error);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const answer = answerOf(error);
  if (aboutUpstream.has(error.code) || (error.code === 'tag_guarded' && !printsOwnText(req)))
    res.statusMessage = reasonPhrase(error.message);
  if (error.code === 'request_timeout') {
    send(res, { ...answer, headers: { ...answer.headers, Connection: 'close' } });
    res.once('finish', () => req.destroy());
  } else {
    send(res, answer);
    drain(req);
  }
}

/** Errors whose cause is elsewhere. */
const aboutUpstream: ReadonlySet<ErrorCode> = new Set([
  'offline_not_cached',
  'upstream_unavailable',
  'upstream_invalid',
  'held_back',
]);

/** A text for the status line: npm and Yarn 1 print the body of an error, pnpm and Yarn 4 only this. */
function reasonPhrase(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 300);
}

const challenge = { 'WWW-Authenticate': 'Bearer realm="Gatehouse"' };

/**
 * An error for clients of npm's API: `message` is GitLab's own text, `error`, which npm prints first, is for the person
 * at the terminal.
 * @param isNpm whether the client is npm, which shows a 401 without a challenge in our words and one with a challenge in its own
 */
export function npmError(error: GatehouseError, isNpm = false): Answer {
  const { code, message, details } = error;
  const answer = (gitlabText: string, text = message, headers: Answer['headers'] = {}) => ({
    status: error.status,
    body: { message: gitlabText, error: text },
    headers,
  });
  switch (code) {
    case 'unauthenticated':
      return answer('401 Unauthorized', isNpm ? message : `401 Unauthorized - ${message}`, isNpm ? {} : challenge);
    case 'token_expired':
    case 'token_revoked': {
      if (isNpm) return answer('401 Unauthorized');
      const invalid = invalidToken(error);
      return { ...invalid, headers: { ...invalid.headers, ...notice(message) } };
    }
    case 'insufficient_scope': {
      const body = { error: code, error_description: message, scope: (details.requiredScopes ?? ['api']).join(' ') };
      return { status: error.status, body, headers: notice(message) };
    }
    case 'method_not_allowed':
      return answer(message, message, { Allow: 'GET, HEAD' });
    case 'account_blocked':
      return answer(`403 Forbidden - ${message}`, `403 Forbidden - ${message}`);
    case 'forbidden':
      return answer('403 Forbidden', `403 Forbidden - ${message}`);
    case 'tag_guarded':
      return answer('403 Forbidden');
    case 'not_found':
      // A path that does not exist gets GitLab's words alone.
      return message === errorTable.not_found.text
        ? { status: error.status, body: { error: '404 Not Found' } }
        : answer('404 Not Found');
    case 'project_not_found':
    case 'group_not_found':
    case 'user_not_found':
    case 'package_not_found':
    case 'tag_not_found':
      return answer(
        `404 ${(details.gitlabMessage ?? message).replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())}`,
      );
    case 'held_back':
      return answer('404 Packages Not Found');
    case 'upstream_unavailable':
    case 'upstream_invalid':
    case 'rate_limited':
    case 'busy':
    case 'shutting_down':
    case 'storage_full':
    case 'storage_unavailable':
    case 'request_timeout':
      return answer(message, message, retryAfter(error));
    default:
      return answer(details.gitlabMessage ?? message);
  }
}

/**
 * An error as GitLab words it: `error` for the parameter layer, the router and OAuth, `message`
 * for everything else.
 */
export function gitlabError(error: GatehouseError): Answer {
  const { status, details } = error;
  const message = (text: unknown) => ({ status, body: { message: text }, headers: retryAfter(error) });
  const known = gitlabTexts[error.code];
  const complaint = (body: Readonly<Record<string, string>>) => ({ ...message(''), body });
  if (error instanceof ParameterError) return complaint({ error: error.message });
  switch (error.code) {
    case 'token_expired':
    case 'token_revoked':
      return invalidToken(error);
    case 'insufficient_scope': {
      // GitLab names every scope that it knows for a resource, so `api` never comes without `read_api`.
      const scopes = (details.requiredScopes ?? []).join(' ');
      const body = { error: error.code, error_description: error.message };
      return complaint({ ...body, scope: scopes === 'api' ? 'api read_api' : scopes });
    }
    case 'forbidden':
      return message(
        details.gitlabMessage ?? (error.message === errorTable.forbidden.text ? known : `${known} - ${error.message}`),
      );
    case 'tag_guarded':
      return message(`403 Forbidden - ${error.message}`);
    case 'offline_not_cached':
    case 'held_back':
    case 'upstream_unavailable':
    case 'upstream_invalid':
      return message(`${status} ${error.message}`);
    case 'method_not_allowed':
      return details.gitlabMessage === undefined
        ? complaint({ error: '405 Not Allowed' })
        : message(details.gitlabMessage);
    case 'unsupported_media_type':
      return complaint({ error: error.message });
    case 'unprocessable':
      return message(details.gitlabMessage ?? details.messages ?? error.message);
    case 'invalid_request':
      return message(details.gitlabMessage ?? details.fields ?? error.message);
    default:
      return message(details.gitlabMessage ?? known ?? error.message);
  }
}

/** GitLab's own texts where they do not depend on the case. */
const gitlabTexts: Partial<Record<GatehouseError['code'], string>> = {
  unauthenticated: '401 Unauthorized',
  account_blocked: '403 Forbidden - Your account has been blocked.',
  forbidden: '403 Forbidden',
  not_found: '404 Not found',
  project_not_found: '404 Project Not Found',
  group_not_found: '404 Group Not Found',
  user_not_found: '404 User Not Found',
  package_not_found: '404 Package Not Found',
  tag_not_found: '404 Package Tag Not Found',
  precondition_failed: '412 Precondition Failed',
  internal: '500 Internal Server Error',
};

function invalidToken({ status, message }: GatehouseError): Answer {
  const challenge = `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${message}"`;
  return {
    status,
    body: { error: 'invalid_token', error_description: message },
    headers: { 'WWW-Authenticate': challenge },
  };
}

/** npm prints this header with any answer, but does not look at GitLab's field. */
function notice(message: string): Record<string, string> {
  return /^[\x20-\x7e]*$/.test(message) ? { 'npm-notice': message } : {};
}

function retryAfter({ details }: GatehouseError): Record<string, string> {
  return details.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(details.retryAfterSeconds) };
}
