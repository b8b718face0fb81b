import type { IncomingMessage } from 'node:http';
import { headerOf } from '../respond.ts';

const packageManager = /^(?:npm|pnpm|yarn|bun|deno|got)\b/i;

/** Whether a package manager asks, by its User-Agent. Yarn 4 calls itself `got` (api/clients.md 7). */
export function isPackageManager(req: IncomingMessage): boolean {
  return packageManager.test(headerOf(req, 'user-agent') ?? '');
}

/** Whether Yarn 1 asks. */
export function isYarnClassic(req: IncomingMessage): boolean {
  return /^yarn\/[01]\./.test(headerOf(req, 'user-agent') ?? '');
}
