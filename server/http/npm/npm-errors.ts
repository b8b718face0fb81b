import { errorTable } from '../../contract/errors.ts';
import type { GatehouseError } from '../../contract/errors.ts';

export interface NpmErrorAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An error as npm clients and GitLab's clients both read it (api/npm.md 0.4): `message` is GitLab's own text, `error`, which npm prints
 * first, is written for the person at the terminal.
 */
export function npmErrorAnswer(error: GatehouseError): NpmErrorAnswer {
  const { code, status, message, details } = error;
  switch (code) {
    case 'unauthenticated':
      return answer(status, '401 Unauthorized', `401 Unauthorized - ${message}`, {
        'WWW-Authenticate': 'Bearer realm="Gatehouse"',
      });
    case 'token_expired':
    case 'token_revoked':
      return {
        status,
        body: { error: 'invalid_token', error_description: message },
        headers: {
          'WWW-Authenticate': `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${message}"`,
          ...notice(message),
        },
      };
    case 'insufficient_scope':
      return {
        status,
        body: { error: code, error_description: message, scope: (details.requiredScopes ?? ['api']).join(' ') },
        headers: notice(message),
      };
    case 'method_not_allowed':
      return answer(status, message, message, { Allow: 'GET, HEAD' });
    case 'account_blocked':
      return answer(status, `403 Forbidden - ${message}`);
    case 'forbidden':
      return answer(status, '403 Forbidden', `403 Forbidden - ${message}`);
    case 'not_found':
      // No such route, in GitLab's words, unless somebody has more to say.
      return message === errorTable.not_found.text
        ? { status, body: { error: '404 Not Found' }, headers: {} }
        : answer(status, '404 Not Found', message);
    case 'project_not_found':
    case 'group_not_found':
    case 'user_not_found':
    case 'package_not_found':
    case 'tag_not_found':
      return answer(status, `404 ${titleCase(details.gitlabMessage ?? message)}`, message);
    case 'offline_not_cached':
    case 'held_back':
      return answer(status, '404 Packages Not Found', message);
    case 'upstream_unavailable':
    case 'rate_limited':
    case 'shutting_down':
    case 'storage_full':
    case 'request_timeout':
      return answer(status, message, message, retryAfter(error));
    default:
      return answer(status, details.gitlabMessage ?? message, message);
  }
}

function answer(
  status: number,
  message: string,
  error: string = message,
  headers: Readonly<Record<string, string>> = {},
): NpmErrorAnswer {
  return { status, body: { message, error }, headers };
}

/** GitLab has the sentence in a field that npm does not look at; this is one that it prints on any answer (api/clients.md 1). */
function notice(message: string): Record<string, string> {
  // A header holds no other characters.
  return /^[\x20-\x7e]*$/.test(message) ? { 'npm-notice': message } : {};
}

function retryAfter(error: GatehouseError): Record<string, string> {
  const seconds = error.details.retryAfterSeconds;
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

function titleCase(text: string): string {
  return text.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
