import path from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.json': 'application/json',
};

export interface PageFile {
  readonly file: string;
  readonly type: string;
}

/**
 * The file below `folder` that the path of an app URL names, or null if it names none: paths that do not decode, hold a NUL or a backslash,
 * leave the folder, or have an extension that the page does not use.
 */
export function pageFile(folder: string, urlPath: string): PageFile | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null;
  const file = path.join(folder, decoded === '/' ? 'index.html' : decoded);
  if (!file.startsWith(folder + path.sep)) return null;
  const type = types[path.extname(file)];
  return type === undefined ? null : { file, type };
}

/**
 * The policy of the page: its own files only, and no fetches, so that an injected script reaches neither the registry's port nor any other
 * host. Styles take a nonce, new at every load, because the component kit writes `<style>` elements.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'none'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
