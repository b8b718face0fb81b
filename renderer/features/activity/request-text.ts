import { tokenLabel } from '../../../server/contract/constants.ts';
import { isLoopback } from '../../../server/contract/loopback.ts';
import type { LoggedRequestEntry } from '../../../server/contract/server.ts';
import { clientName } from '../../ui/text/client-name.ts';
import { formatCount } from '../../ui/text/format.ts';

export type StatusFilter = 'all' | 'failed';

/**
 * Requests whose method, path, version, client, user, token, address, status or error hold every word.
 * @param userId of the user whose requests alone are wanted.
 */
export function filterRequests(
  requests: readonly LoggedRequestEntry[],
  search: string,
  status: StatusFilter,
  userId?: number,
): LoggedRequestEntry[] {
  const typed = search.toLowerCase();
  // As a phrase: a part of it, as in "put", is looked for in what was requested.
  const isFromHere = typed.includes(thisComputer.toLowerCase());
  const words = typed.replace(thisComputer.toLowerCase(), ' ').split(/\s+/).filter(Boolean);
  return requests.filter((request) => {
    if (status === 'failed' && request.status < 400) return false;
    if (userId !== undefined && request.userId !== userId) return false;
    if (isFromHere && addressText(request.address) !== thisComputer) return false;
    if (words.length === 0) return true;
    const { method, path, version, client, username, token, address, error } = request;
    const text = [
      method,
      path,
      version,
      request.status,
      client,
      clientName(client),
      username,
      token && tokenLabel(token),
      address,
      error,
    ]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const thisComputer = 'This computer';

/** Who sent a request and with which client, in a few words: of a refused token, for which no user is known, the token. */
export function senderText({
  username,
  token,
  client,
}: Pick<LoggedRequestEntry, 'username' | 'token' | 'client'>): string {
  const who = username ?? (token === null ? '' : `token ${token.name}`);
  // Without the version of Node, for which there is no room beside a name.
  return [who, clientName(client).replace(/ on Node .*/, '')].filter(Boolean).join(', ');
}

/** Where a request came from, for people: its network address, or that it was this computer. */
export function addressText(address: string | null): string {
  if (address === null) return '';
  // An IPv4 address may be written as IPv6.
  return isLoopback(address.replace(/^::ffff:/i, '')) ? thisComputer : address;
}

/**
 * How many characters at the start of a path only say which API of which project it is: they are left out first where there is no
 * room. Of another path, all but its last part.
 */
export function knownStart(path: string): number {
  const known = /^\/api\/v4(\/(projects|groups)\/[^/]+)?((\/-)?\/packages\/npm(\/-\/package)?)?(?=\/)/.exec(path)?.[0]
    .length;
  return known ?? Math.max(0, path.lastIndexOf('/'));
}

/** The request as a command for a shell. The token is a variable: the log never had it. */
export function asCurl(request: LoggedRequestEntry, origin: string): string {
  // With -X, curl would wait for the body that the response to a HEAD does not have.
  const method = request.method === 'GET' ? '' : request.method === 'HEAD' ? '--head ' : `-X ${request.method} `;
  const auth = request.token === null ? '' : ' -H "Authorization: Bearer $GATEHOUSE_TOKEN"';
  return `curl ${method}'${origin}${request.path.replaceAll("'", "'\\''")}'${auth}`;
}

/** One JSON object for each request and line, oldest first, as log tools like it. */
export function asJsonLines(requests: readonly LoggedRequestEntry[]): string {
  return requests
    .toReversed()
    .map((request) => `${JSON.stringify({ ...request, at: new Date(request.at).toISOString() })}\n`)
    .join('');
}

/** How long a response took; of less than 10 ms with a decimal. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 0.05) return '< 0.1 ms';
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 10_000
    ? `${formatCount(Math.round(milliseconds))} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}
