import type { IncomingMessage } from 'node:http';
import { anonymous, type Principal } from '../accounts/access/principal.ts';
import { queryOf } from './respond.ts';
import type { TokenGuard } from './token-guard.ts';

type IncomingCall = IncomingMessage & { readonly body?: unknown };

export interface CredentialOptions {
  /** Whether the headers of CI jobs and deployments count, as they do for packages alone. */
  readonly jobTokens: boolean;
}

/**
 * The access token that a request carries, in the order in which GitLab looks (api/environments.md 3.1, api/npm.md 2.1): the parameter
 * `private_token` (query or form), the headers PRIVATE-TOKEN and, where they count, JOB-TOKEN and Deploy-Token, `Authorization` as Bearer
 * or as Basic with the token for password, the query parameter `access_token`. An empty one counts as none.
 */
function credentialsOf(req: IncomingCall, { jobTokens }: CredentialOptions): string | undefined {
  return (
    text(query(req)['private_token']) ??
    text(bodyParameter(req, 'private_token')) ??
    text(req.headers['private-token']) ??
    (jobTokens ? (text(req.headers['job-token']) ?? text(req.headers['deploy-token'])) : undefined) ??
    fromAuthorization(req.headers.authorization) ??
    text(query(req)['access_token'])
  );
}

/**
 * Who makes a request; `anonymous` if it carries no token.
 * @throws GatehouseError `unauthenticated`, `token_expired`, `token_revoked` or `account_blocked` for a token that is not accepted,
 * even where no token would have been needed; `rate_limited` for an address that guesses.
 */
export type PrincipalOf = (req: IncomingCall, options: CredentialOptions) => Principal;

export function createPrincipalOf(guard: TokenGuard, addressOf: (req: IncomingMessage) => string | null): PrincipalOf {
  return (req, options) => {
    const token = credentialsOf(req, options);
    return token === undefined ? anonymous : guard.authenticate(token, addressOf(req));
  };
}

function fromAuthorization(header: string | undefined): string | undefined {
  const [scheme, value] = header?.split(/ +/, 2) ?? [];
  if (!scheme || !value) return undefined;
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return text(value);
    case 'basic': {
      const decoded = Buffer.from(value, 'base64').toString('utf8');
      return text(decoded.slice(decoded.indexOf(':') + 1));
    }
    default:
      return undefined;
  }
}

function query(req: IncomingMessage): Readonly<Record<string, unknown>> {
  return req.url?.includes('_token=') ? Object.fromEntries(queryOf(req)) : {};
}

function bodyParameter(req: IncomingCall, name: string): unknown {
  const { body } = req;
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const trimmed = value.trim();
  return trimmed === '' ? undefined : trimmed;
}
