import { readAll } from '../network/outbound.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import { isObject } from './foreign-packument.ts';
import { packageUrl, parseJson } from './upstream-client.ts';
import type { UpstreamClient } from './upstream-client.ts';

const bodyLimit = 1024 * 1024;

/**
 * Tests a registry and its token: requests the token's user, or, where the registry does not say (GitLab), a package that hardly exists.
 * Any answer but a refusal is good.
 */
export async function probeUpstream(
  client: Pick<UpstreamClient, 'sendAnyway'>,
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
  try {
    const whoami = await client.sendAnyway(upstream, {
      url: `${upstream.url}/-/whoami`,
      headers: { accept: 'application/json' },
    });
    const bytes = await readAll(whoami, bodyLimit, upstream.name);
    const user = whoami.status === 200 ? userIn(bytes) : null;
    if (user !== null) return result(true, `${upstream.name} answers. The token is that of ${user}.`, user);
    const probe = await client.sendAnyway(upstream, {
      url: packageUrl(upstream.url, 'gatehouse-connection-test'),
    });
    probe.body.destroy();
    if (probe.status === 401 || probe.status === 403) {
      const what = upstream.token === null ? 'wants a token' : 'refuses the token';
      return result(false, `${upstream.name} answers, but ${what} (${probe.status}).`);
    }
    return result(true, `${upstream.name} answers.`);
  } catch (error) {
    return result(false, error instanceof Error ? error.message : String(error));
  }
}

function userIn(bytes: Buffer): string | null {
  const value = parseJson(bytes);
  const username = isObject(value) ? value['username'] : undefined;
  return typeof username === 'string' && username !== '' ? username : null;
}
