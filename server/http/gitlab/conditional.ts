import { GatehouseError } from '../../contract/errors.ts';
import { headerOf } from '../respond.ts';
import type { GitlabCall } from './call.ts';

/** The moment of an If-Unmodified-Since header; undefined if it is missing or no date. */
export function unmodifiedSince(call: GitlabCall): number | undefined {
  const header = headerOf(call.req, 'if-unmodified-since');
  const time = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Refuses to delete what changed after the client read it; the header counts in whole seconds.
 * @throws GatehouseError `precondition_failed`.
 */
export function requireUnmodified(call: GitlabCall, updatedAt: number): void {
  const since = unmodifiedSince(call);
  if (since !== undefined && Math.floor(updatedAt / 1000) * 1000 > since)
    throw new GatehouseError('precondition_failed');
}
