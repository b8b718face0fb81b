import { hash, randomBytes } from 'node:crypto';

/** A new secret as GitLab writes them: a prefix that scanners know and 160 random bits. */
export function newTokenSecret(): string {
  return `glpat-${randomBytes(20).toString('base64url')}`;
}

/** What is kept of a secret: the key by which it is found again. */
export function sha256Of(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The last characters of a secret, enough to tell one's own tokens apart and useless to anyone else. */
export function hintOf(secret: string): string {
  return secret.slice(-4);
}
