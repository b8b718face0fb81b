import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import { contentSecurityPolicy, pageFile } from './page-files.ts';
import { appHost, appScheme } from './trusted-sender.ts';

/** What renderer/index.html holds in place of the nonce. */
const noncePlaceholder = '__CSP_NONCE__';

/** Gives the `app:` scheme origins, like https. Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, codeCache: true } },
  ]);
}

/**
 * Serves the built page from `folder` under `app://gatehouse/`, and nothing else. Without an opener policy: it would cost a second process,
 * and no other page can be opened.
 */
export function serveAppPage(folder: string): void {
  protocol.handle(appScheme, async (request) => {
    const url = new URL(request.url);
    if (url.host !== appHost || request.method !== 'GET') return refusal(403);
    const found = pageFile(folder, url.pathname);
    if (found === null) return refusal(404);
    const content = await readFile(found.file).catch(() => null);
    if (content === null) return refusal(404);
    const headers = new Headers({
      'content-type': found.type,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    });
    if (!found.file.endsWith('.html')) return new Response(content, { headers });
    const nonce = randomBytes(18).toString('base64');
    headers.set('content-security-policy', contentSecurityPolicy(nonce));
    return new Response(content.toString('utf8').replaceAll(noncePlaceholder, nonce), { headers });
  });
}

function refusal(status: number): Response {
  return new Response(null, { status, headers: { 'content-security-policy': `default-src 'none'` } });
}
