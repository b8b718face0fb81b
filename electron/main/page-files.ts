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
 * leave the folder, or end in something that the page does not consist of.
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
