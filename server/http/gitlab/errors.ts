import type { ServerResponse } from 'node:http';
import type { GatehouseError } from '../../contract/errors.ts';
import { asGatehouseError } from '../../lib/as-gatehouse-error.ts';
import { sendJson } from '../respond.ts';
import { ParameterError } from './parameter-error.ts';

/** What a GitLab client is told about an error: status, JSON body and headers. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An error as GitLab words it (api/environments.md 2, api/npm.md 0.4): `error` for what the parameter layer, the router and OAuth say,
 * `message` for what helpers and models say.
 */
export function toGitlabError(error: GatehouseError): ErrorAnswer {
  const { status, details } = error;
  const retry: Record<string, string> =
    details.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(details.retryAfterSeconds) };
  const answer = (body: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = retry) => ({
    status,
    body,
    headers,
  });
  const message = (text: unknown) => answer({ message: text });
  const own = details.gitlabMessage;

  if (error instanceof ParameterError) return answer({ error: error.message });
  switch (error.code) {
    case 'unauthenticated':
      return message(own ?? '401 Unauthorized');
    case 'token_expired':
    case 'token_revoked': {
      const text = error.message;
      const challenge = `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${text}"`;
      return answer({ error: 'invalid_token', error_description: text }, { 'WWW-Authenticate': challenge });
    }
    case 'insufficient_scope':
      return answer({
        error: 'insufficient_scope',
        error_description: error.message,
        scope: scopeText(details.requiredScopes ?? []),
      });
    case 'account_blocked':
      return message('403 Forbidden - Your account has been blocked.');
    case 'forbidden':
      return message(own ?? (isDefaultText(error) ? '403 Forbidden' : `403 Forbidden - ${error.message}`));
    case 'not_found':
      return message(own ?? '404 Not found');
    case 'project_not_found':
      return message(own ?? '404 Project Not Found');
    case 'group_not_found':
      return message(own ?? '404 Group Not Found');
    case 'user_not_found':
      return message(own ?? '404 User Not Found');
    case 'package_not_found':
      return message(own ?? '404 Package Not Found');
    case 'offline_not_cached':
    case 'held_back':
    case 'upstream_unavailable':
    case 'upstream_invalid':
      return message(`${status} ${error.message}`);
    case 'tag_not_found':
      return message(own ?? '404 Package Tag Not Found');
    case 'method_not_allowed':
      return own === undefined ? answer({ error: '405 Not Allowed' }) : message(own);
    case 'precondition_failed':
      return message('412 Precondition Failed');
    case 'unprocessable':
      return message(own ?? details.messages ?? error.message);
    case 'invalid_request':
      return message(own ?? details.fields ?? error.message);
    case 'unsupported_media_type':
      return answer({ error: error.message });
    case 'conflict':
    case 'package_exists':
    case 'payload_too_large':
    case 'request_timeout':
    case 'range_not_satisfiable':
    case 'rate_limited':
    case 'storage_full':
    case 'data_damaged':
    case 'shutting_down':
      return message(own ?? error.message);
    case 'internal':
      return message('500 Internal Server Error');
  }
}

/** Answers with whatever was thrown; what is not one of ours becomes a 500 that `report` hears of. */
export function sendGitlabError(res: ServerResponse, thrown: unknown, report: (error: unknown) => void): void {
  const error = asGatehouseError(thrown);
  if (error.status >= 500) report(thrown);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { status, body, headers } = toGitlabError(error);
  sendJson(res, status, body, headers);
}

/** GitLab names every scope that its API knows for a resource, so `api` never comes without `read_api`. */
function scopeText(scopes: readonly string[]): string {
  return scopes.join(' ') === 'api' ? 'api read_api' : scopes.join(' ');
}

function isDefaultText(error: GatehouseError): boolean {
  return error.message === 'You are not allowed to do this.';
}
