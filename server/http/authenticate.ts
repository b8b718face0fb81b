import type { IncomingMessage } from 'node:http';
import { anonymous, type Principal } from '../accounts/access/principal.ts';
import { queryOf } from './respond.ts';
import type { TokenGuard } from './token-guard.ts';

export interface CredentialOptions {
  /** Network address that counts as the one who guesses. */
  readonly address: string | null;
  /** Whether the headers of CI jobs and deployments count, as they do for packages only. */
  readonly jobTokens: boolean;
  /** Parameters of a body, which may hold the token. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * The caller of a request; `anonymous` if it carries no token.
 * @throws GatehouseError `unauthenticated`, `token_expired`, `token_revoked` or `account_blocked` for a token that is not accepted,
 * even where none would have been needed; `rate_limited` for an address that guesses.
 */
export function authenticate(guard: TokenGuard, req: IncomingMessage, options: CredentialOptions): Principal {
  const token = tokenOf(req, options);
  return token === undefined ? anonymous : guard.authenticate(token, options.address);
}

/** Whether a request sends a token outside its body. */
export function carriesToken(req: IncomingMessage, options: Pick<CredentialOptions, 'jobTokens'>): boolean {
  return tokenOf(req, options) !== undefined;
}

/** The access token of a request, in the order in which GitLab looks. An empty one counts as none. */
function tokenOf(
  req: IncomingMessage,
  { jobTokens, body }: Pick<CredentialOptions, 'jobTokens' | 'body'>,
): string | undefined {
  const query = req.url?.includes('_token=') ? queryOf(req) : undefined;
  return (
    text(query?.getAll('private_token').at(-1)) ??
    text(body?.['private_token']) ??
    text(req.headers['private-token']) ??
    (jobTokens ? (text(req.headers['job-token']) ?? text(req.headers['deploy-token'])) : undefined) ??
    fromAuthorization(req.headers.authorization) ??
    text(query?.getAll('access_token').at(-1))
  );
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

function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const trimmed = value.trim();
  return trimmed === '' ? undefined : trimmed;
}
