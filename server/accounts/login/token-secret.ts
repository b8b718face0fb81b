import { hash, randomBytes } from 'node:crypto';

/** A new secret as GitLab writes them: a prefix that scanners know and 160 random bits. */
export function newTokenSecret(): string {
  return `glpat-${randomBytes(20).toString('base64url')}`;
}

/** What is stored of a secret, and the key for finding its token. */
export function sha256Of(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The last characters of a secret, to tell one's tokens apart. */
export function hintOf(secret: string): string {
  return secret.slice(-4);
}
