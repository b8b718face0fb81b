import type { IncomingMessage } from 'node:http';
import { GatehouseError } from '../contract/errors.ts';
import { headerOf } from './respond.ts';

/** Whether an If-None-Match header names this entity tag; weak comparison, as it is meant for GET (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  const wanted = etag.replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === wanted);
}

/** What a client can compare with the copy that it has. */
export interface Validators {
  readonly etag: string;
  /** In milliseconds; counts in whole seconds. */
  readonly lastModified: number;
}

/**
 * What the conditional headers of a GET or HEAD come to, in the order of RFC 9110, 13.2.2: go on, the client has it already, or it is
 * not the one that the client wants.
 */
export function judgePreconditions(req: IncomingMessage, current: Validators): 'go_on' | 'not_modified' | 'failed' {
  const modified = Math.floor(current.lastModified / 1000) * 1000;
  const match = headerOf(req, 'if-match');
  if (match !== undefined) {
    if (!matchesStrongly(match, current.etag)) return 'failed';
  } else {
    const since = dateOf(req, 'if-unmodified-since');
    if (since !== undefined && modified > since) return 'failed';
  }
  const noneMatch = headerOf(req, 'if-none-match');
  if (noneMatch !== undefined) return matchesEtag(noneMatch, current.etag) ? 'not_modified' : 'go_on';
  const since = dateOf(req, 'if-modified-since');
  return since !== undefined && modified <= since ? 'not_modified' : 'go_on';
}

/** Whether a range may be sent: there is no If-Range, or it names this very content by its strong tag or by its date (RFC 9110, 13.1.5). */
export function holdsIfRange(req: IncomingMessage, current: Validators): boolean {
  const header = headerOf(req, 'if-range')?.trim();
  if (header === undefined || header === current.etag) return true;
  return !header.includes('"') && Date.parse(header) === Math.floor(current.lastModified / 1000) * 1000;
}

function matchesStrongly(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  return !etag.startsWith('W/') && header.split(',').some((tag) => tag.trim() === etag);
}

/**
 * Refuses a change of what was changed after the client read it (If-Unmodified-Since, in whole seconds).
 * @throws GatehouseError `precondition_failed`.
 */
export function requireUnmodified(req: IncomingMessage, updatedAt: number): void {
  const since = dateOf(req, 'if-unmodified-since');
  if (since !== undefined && Math.floor(updatedAt / 1000) * 1000 > since)
    throw new GatehouseError('precondition_failed');
}

/** The moment that a header names; undefined if it is missing or no date. */
export function dateOf(req: IncomingMessage, name: string): number | undefined {
  const header = headerOf(req, name);
  const time = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(time) ? undefined : time;
}
