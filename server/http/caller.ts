import { hostname } from 'node:os';
import { isIP } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../accounts/access/principal.ts';
import { GatehouseError } from '../contract/errors.ts';
import { ownText } from '../lib/own-copy.ts';
import type { Registry } from '../services.ts';
import { headerOf } from './respond.ts';

/** A request whose caller is known. */
export interface Call {
  readonly registry: Registry;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly principal: Principal;
  /** Scheme, host and port that the client used. */
  readonly origin: string;
  /** Network address of the client. */
  readonly address: string | null;
}

export interface HostPolicy {
  /** Host names beyond loopback that clients may use, in lower case. */
  readonly allowedHosts: readonly string[];
  /** Whether X-Forwarded-* headers come from a proxy that is trusted. */
  readonly trustProxy: boolean;
  /** Address for URLs in answers instead of the one that the client used; without a trailing slash. */
  readonly externalUrl: string | null;
}

/**
 * The origin that a client used, for the URLs in its answer. Names that are not ours are refused, since a
 * page elsewhere could make its own name point here (DNS rebinding); an IP address can't be rebound.
 * @throws GatehouseError `forbidden`.
 */
export function originOf(req: IncomingMessage, policy: HostPolicy): string {
  const direct = headerOf(req, 'host') ?? '';
  if (policy.externalUrl !== null) {
    requireKnownHost(direct, policy, new URL(policy.externalUrl).hostname);
    return policy.externalUrl;
  }
  const forwarded = policy.trustProxy ? itemOf(headerOf(req, 'x-forwarded-host'), 0) : undefined;
  const host = forwarded ?? direct;
  requireKnownHost(host, policy);
  const scheme = policy.trustProxy && itemOf(headerOf(req, 'x-forwarded-proto'), 0) === 'https' ? 'https' : 'http';
  return `${scheme}://${host.toLowerCase()}`;
}

/** Whether a request has more than one Host header: which of them counts, two servers could see in two ways (RFC 9112, 3.2). */
export function namesTwoHosts(req: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const name = req.rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/**
 * Refuses a write that a page of another origin makes. npm clients send no Origin.
 * @throws GatehouseError `forbidden`.
 */
export function refuseForeignOrigin(req: IncomingMessage, ownOrigin: string): void {
  const origin = headerOf(req, 'origin');
  if (origin === undefined || origin.toLowerCase() === ownOrigin) return;
  throw new GatehouseError('forbidden', 'Pages of other origins may not change anything here.');
}

/**
 * Network address of the caller, for the audit trail, the request log and the limits. Of X-Forwarded-For it is the last, which the trusted
 * proxy has added itself; those before it are whatever the client cared to send.
 */
export function addressOf(req: IncomingMessage, policy: HostPolicy): string | null {
  const forwarded = policy.trustProxy ? itemOf(headerOf(req, 'x-forwarded-for'), -1) : undefined;
  return (forwarded && ownText(forwarded)) ?? req.socket.remoteAddress ?? null;
}

const ownName = hostname().toLowerCase();
const hostShape = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::\d{1,5})?$/i;

function requireKnownHost(host: string, policy: HostPolicy, external?: string): void {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  const known =
    hostShape.test(host) &&
    (name === 'localhost' ||
      name.endsWith('.localhost') ||
      name === ownName ||
      isIP(name.replace(/^\[|\]$/g, '')) !== 0 ||
      name === external ||
      policy.allowedHosts.includes(name));
  if (known) return;
  throw new GatehouseError(
    'forbidden',
    `The host name "${host.slice(0, 80)}" is not known here. Use localhost or an IP address, or start with --allow-host NAME.`,
  );
}

/** The first or last item of a header that is a list; undefined if it is missing or blank. */
function itemOf(header: string | undefined, index: 0 | -1): string | undefined {
  const item = header?.split(',').at(index)?.trim();
  return item === '' ? undefined : item;
}
