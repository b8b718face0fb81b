import type { IncomingMessage } from 'node:http';
import type { PackumentEncoding } from '../registry/packuments/packument-library.ts';
import type { PackumentForm } from '../registry/packuments/packument-text.ts';
import { headerOf } from './respond.ts';

export const abbreviatedType = 'application/vnd.npm.install-v1+json';

const packageManager = /^(?:npm|pnpm|yarn|bun|deno|got)\b/i;

/** Whether the client is a package manager, by its User-Agent. Yarn 4 calls itself `got`. */
export function isPackageManager(req: IncomingMessage): boolean {
  return packageManager.test(headerOf(req, 'user-agent') ?? '');
}

/** Whether only a client for npm registries sends such headers; other programs call themselves `got`, `Deno` or `Bun`, too. */
export function sendsNpmHeaders(req: IncomingMessage): boolean {
  return (
    /^(?:npm|pnpm|yarn)\//i.test(headerOf(req, 'user-agent') ?? '') ||
    headerOf(req, 'npm-command') !== undefined ||
    headerOf(req, 'accept')?.includes(abbreviatedType) === true
  );
}

/** Whether the client is npm, which prints a sentence of its own for a 401 with `WWW-Authenticate`, and ours for one without. */
export function printsOwnText(req: IncomingMessage): boolean {
  return /^npm\//i.test(headerOf(req, 'user-agent') ?? '');
}

/** Whether the client says of every success what it likes, whatever `npm-notice` says: pnpm and Yarn print only errors. */
export function printsNoNotice(req: IncomingMessage): boolean {
  return /^(?:pnpm|yarn|got)\b/i.test(headerOf(req, 'user-agent') ?? '');
}

/** Whether the client is Yarn 1. */
export function isYarnClassic(req: IncomingMessage): boolean {
  return /^yarn\/[01]\./.test(headerOf(req, 'user-agent') ?? '');
}

/** The form of a packument that the client prefers, by its Accept header; the abbreviated one if equally. */
export function formOf(req: IncomingMessage): PackumentForm {
  const accept = headerOf(req, 'accept');
  return accept === undefined ? 'full' : formIn(accept);
}

const formIn = remembered((accept): PackumentForm => {
  const weights = weightsOf(accept);
  const abbreviated = weights.get(abbreviatedType) ?? 0;
  return abbreviated > 0 && abbreviated >= (weights.get('application/json') ?? 0) ? 'abbreviated' : 'full';
});

/** The encoding that the client prefers, the smaller one if equally. */
export function encodingOf(req: IncomingMessage): PackumentEncoding {
  const accept = headerOf(req, 'accept-encoding');
  return accept === undefined ? 'identity' : encodingIn(accept);
}

const encodingIn = remembered((accept): PackumentEncoding => {
  const weights = weightsOf(accept);
  const br = weights.get('br') ?? 0;
  const gzip = weights.get('gzip') ?? 0;
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
});

/** Texts of headers whose meaning is remembered; clients send a few, which are shorter. */
const mostRemembered = 100;
const longestRemembered = 200;

/** Reads a text of a header once. */
function remembered<T>(read: (header: string) => T): (header: string) => T {
  const known = new Map<string, T>();
  return (header) => {
    const found = known.get(header);
    if (found !== undefined) return found;
    const value = read(header);
    if (known.size >= mostRemembered) known.clear();
    if (header.length <= longestRemembered) known.set(header, value);
    return value;
  };
}

/** Weights of what a header such as Accept names, by names in lower case; 0 refuses one. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name === '') continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number.parseFloat(weight) || 0);
  }
  return weights;
}
