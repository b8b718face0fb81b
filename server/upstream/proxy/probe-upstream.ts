import { publishTarget, takesProjects } from '../../contract/upstream.ts';
import type { UpstreamFinding } from '../../contract/upstream.ts';
import type { Connectivity } from '../network/connectivity.ts';
import { OutboundError } from '../network/outbound-error.ts';
import { readAll } from '../network/outbound.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import { isObject } from './foreign-packument.ts';
import { packageUrl, parseJson } from './upstream-client.ts';
import type { UpstreamClient } from './upstream-client.ts';

const bodyLimit = 1024 * 1024;
const missingPackage = 'gatehouse-connection-test';

/** An answer of the server: its status, and its body if that is JSON. Status 0 stands for an error of the server and for a body that is too long. */
interface Answer {
  readonly status: number;
  readonly value: unknown;
}

/**
 * Tests a registry and its token, and notes the finding for the state that people see. It requests the token's user, a package that hardly
 * exists, and a ping: no registry answers all three (GitLab has no user and no ping), and a web page answers none of them in JSON. Where
 * publishes go to a project, that one is requested, too.
 */
export async function probeUpstream(
  client: Pick<UpstreamClient, 'sendAnyway'>,
  connectivity: Pick<Connectivity, 'noteFinding'>,
  upstream: UpstreamRow,
): Promise<{ ok: boolean; message: string; user: string | null; milliseconds: number }> {
  const started = performance.now();
  const result = (ok: boolean, message: string, user: string | null = null) => ({
    ok,
    message,
    user,
    milliseconds: Math.round(performance.now() - started),
  });
  if (upstream.kind === 'archive')
    return result(true, 'It holds packages that were imported from bundles; there is no server to ask.');
  const conclude = (finding: UpstreamFinding | null, message: string, user: string | null = null) => {
    connectivity.noteFinding(upstream.id, finding);
    return result(finding === null, message, user);
  };
  let failure: OutboundError | undefined;
  const get = async (url: string, at = upstream): Promise<Answer> => {
    try {
      const response = await client.sendAnyway(at, { url, headers: { accept: 'application/json' } });
      return { status: response.status, value: parseJson(await readAll(response, bodyLimit, upstream.name)) };
    } catch (error) {
      if (!(error instanceof OutboundError) || (error.failure !== 'status' && error.failure !== 'invalid')) throw error;
      if (error.failure === 'status') failure = error;
      return { status: 0, value: undefined };
    }
  };
  const { url, pushUrl, token } = upstream;
  const accepted = async (message: string, user: string | null = null) => {
    const finding = conclude(null, message, user);
    if (pushUrl === null || !takesProjects(upstream.kind)) return finding;
    // As the outbox does: the token goes to the address for publishing.
    const publishing = { ...upstream, url: pushUrl };
    const { value } = await get(packageUrl(pushUrl, missingPackage), publishing);
    return lacksProject(value) ? result(false, noProject(publishing), user) : finding;
  };
  const refused = (status: number) =>
    token === null
      ? conclude('token_wanted', `Reachable, but it asks for a token (${status}).`)
      : conclude('token_refused', `Reachable, but it refuses the token (${status}).`);
  try {
    const user = userIn(await get(`${url}/-/whoami`));
    if (user !== null) return await accepted(`Reachable, signed in as ${user}.`, user);
    const found = await get(packageUrl(url, missingPackage));
    if (isRefusal(found)) return refused(found.status);
    if (isPackument(found) || isMissingPackage(found)) return await accepted('Reachable.');
    const ping = await get(`${url}/-/ping`);
    if (isRefusal(ping)) return refused(ping.status);
    if (ping.status === 200 && isObject(ping.value) && found.status !== 200) return await accepted('Reachable.');
    if (failure !== undefined) return result(false, failure.message);
    return conclude('no_registry', `Reachable, but not an npm registry. Check its URL${exampleFor(upstream)}.`);
  } catch (error) {
    return result(false, error instanceof Error ? error.message : String(error));
  }
}

/** Where GitLab and Gatehouse have their npm registry, for a URL that leads elsewhere on such a server. */
function exampleFor({ kind, url }: UpstreamRow): string {
  if (!takesProjects(kind) || url.endsWith('/packages/npm')) return '';
  return `, which ends in /packages/npm, as in ${new URL('/api/v4/packages/npm', url).href}`;
}

/** Whether an answer says that the project of the address is not there, or not for this token. */
export function lacksProject(value: unknown): boolean {
  return isObject(value) && value['message'] === '404 Project Not Found';
}

/** What is wrong with a project to publish to, whose address is the `url`. */
export function noProject({ name, kind, url }: UpstreamRow): string {
  return `${name} has no project ${publishTarget(kind, url, url)} that its token may see.`;
}

function userIn({ status, value }: Answer): string | null {
  const username = status === 200 && isObject(value) ? value['username'] : undefined;
  return typeof username === 'string' && username !== '' ? username : null;
}

/** Proxies in front of registries ask for a login in HTML; a page that is forbidden in HTML is a page. */
function isRefusal({ status, value }: Answer): boolean {
  return status === 401 || (status === 403 && value !== undefined);
}

function isPackument({ status, value }: Answer): boolean {
  return status === 200 && isObject(value) && isObject(value['versions']);
}

/** Whether a 404 speaks of a package, as registries do, and not of an address, as other programs do. */
function isMissingPackage({ status, value }: Answer): boolean {
  if (status !== 404 || !isObject(value)) return false;
  const texts = [value['error'], value['message'], value['reason']].filter((text) => typeof text === 'string');
  // npm and CouchDB.
  if (texts.includes('Not found') || texts.includes('not_found')) return true;
  const words = texts.flatMap((text) => text.slice(0, 1000).split(/[^\w./-]+/));
  return words.some((word) => /^package$/i.test(word) || word === missingPackage);
}
