import { readFileSync } from 'node:fs';
import { protocol, type ProtocolRequest, type ProtocolResponse } from 'electron';
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
 *
 * With the older way to answer: `protocol.handle` loads Node's fetch classes and sends each file through two kinds of streams, some
 * 40 ms of the main process while the window waits for its page.
 */
export function serveAppPage(folder: string): void {
  protocol.registerBufferProtocol(appScheme, (request, answer) => answer(response(folder, request)));
}

function response(folder: string, request: ProtocolRequest): ProtocolResponse {
  const url = new URL(request.url);
  if (url.host !== appHost || request.method !== 'GET') return refusal(403);
  const found = pageFile(folder, url.pathname);
  const content = found === null ? null : read(found.file);
  if (found === null || content === null) return refusal(404);
  const headers = {
    'content-type': found.type,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
  const mimeType = found.type.replace(/;.*/, '');
  if (!found.file.endsWith('.html')) return { mimeType, headers, data: content };
  // The global, as importing the module would load it before the window is made.
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64');
  return {
    mimeType,
    headers: { ...headers, 'content-security-policy': contentSecurityPolicy(nonce) },
    data: Buffer.from(content.toString('utf8').replaceAll(noncePlaceholder, nonce)),
  };
}

/** At once: the files are small and warm, and each turn of the event loop would cost more. */
function read(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

function refusal(statusCode: number): ProtocolResponse {
  return { statusCode, headers: { 'content-security-policy': `default-src 'none'` }, data: Buffer.alloc(0) };
}
