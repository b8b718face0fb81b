import { createHash } from 'node:crypto';
import type { Tier } from '../contract/constants.ts';
import { printable } from '../contract/printable.ts';

const longestName = 255;

/** GitLab's guess of a tier from the name of an environment; `other` if nothing in it says more. */
export function guessTier(name: string): Tier {
  if (/dev|review|trunk/i.test(name)) return 'development';
  if (/test|tst|int|ac(ce)?pt|qa|qc|control|quality/i.test(name)) return 'testing';
  if (/sta?g|mode?l|pre|demo|non/i.test(name)) return 'staging';
  if (/pro?d|live/i.test(name)) return 'production';
  return 'other';
}

/**
 * The slug of an environment as GitLab makes it: lower case letters, digits and single dashes, a letter first, at most 24 characters,
 * with a suffix derived from the name wherever something of it was lost, so that two names never share a slug.
 */
export function slugOf(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '-');
  const slug = (/^[a-z]/.test(plain) ? plain : `env-${plain}`).replace(/-+/g, '-');
  if (slug.length <= 24 && slug === name) return slug;
  const digest = BigInt(`0x${createHash('sha256').update(name).digest('hex')}`).toString(36);
  const short = slug.slice(0, 17);
  return `${short}${short.endsWith('-') ? '' : '-'}${digest.slice(-6)}`;
}

/** GitLab's complaints about the name of an environment. Names of protections have fewer rules. */
export function environmentNameComplaints(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  if (name.length > longestName) return [`is too long (maximum is ${longestName} characters)`];
  if (!/^[A-Za-z0-9_\-/${}. ]+$/.test(name) || name.startsWith('/') || name.endsWith('/')) {
    return [
      "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
    ];
  }
  return [];
}

/** Complaints about the name of a protection: any text of 1 to 255 characters without control characters. */
export function protectionNameComplaints(name: string): string[] {
  if (name.trim() === '') return ["Name can't be blank"];
  const complaints: string[] = [];
  if (Array.from(name).length > longestName) complaints.push(`Name is too long (maximum is ${longestName} characters)`);
  // Those that change the direction of text or have no width too. Halves of a character would come back as another name.
  if (printable(name) !== name || !name.isWellFormed()) complaints.push('Name contains control characters');
  return complaints;
}
