import { lookup as lookupWithCallback } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { dottedIpv4, ipv6Groups } from '../../lib/network-of.ts';
import { OutboundError } from './outbound-error.ts';

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  // Multicast, reserved and broadcast.
  ['224.0.0.0', 3],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  // Unspecified, loopback and the IPv4-compatible addresses, which nobody assigns any more.
  ['::', 96],
  // A translation prefix of the local network (RFC 8215): what it leads to, only that network knows.
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv6');
}

/**
 * Whether a host is inside: on this machine or in its private network with every address that it has. One that has public addresses too,
 * or can't be looked up, is not.
 */
export async function isInside(hostname: string): Promise<boolean> {
  const found = await addressesOf(hostname);
  return found.length > 0 && found.every((address) => isPrivateAddress(address));
}

/** Whether any address of a host leads inside. One that can't be looked up leads nowhere. */
export async function leadsInside(hostname: string): Promise<boolean> {
  return (await addressesOf(hostname)).some((address) => isPrivateAddress(address));
}

/**
 * Looks a name up for a connection and refuses private addresses. It checks the very addresses that are connected to, so a name that
 * resolves differently a moment later gains nothing.
 */
export const lookupPublic: LookupFunction = lookupWhere(
  (addresses) => !addresses.some((address) => isPrivateAddress(address)),
  privateNetworkError,
);

/** Looks a name up for a connection to a registry inside, and refuses it once it has a public address. */
export const lookupInside: LookupFunction = lookupWhere(
  (addresses) => addresses.every((address) => isPrivateAddress(address)),
  (host) => new OutboundError('invalid', `${host} is no longer in the private network, which is refused. Try again`),
);

function lookupWhere(
  isAllowed: (addresses: readonly string[]) => boolean,
  errorFor: (host: string) => Error,
): LookupFunction {
  return (hostname, options, callback) => {
    lookupWithCallback(hostname, { ...options, all: true }, (error, addresses) => {
      const isRefused = !error && !isAllowed(addresses.map(({ address }) => address));
      const failure = error ?? (isRefused ? errorFor(hostname) : null);
      const [first] = addresses ?? [];
      if (failure || !first) callback(failure ?? new Error(`${hostname} has no address`), '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** The error for a public registry that leads inside. */
export function privateNetworkError(host: string): OutboundError {
  return new OutboundError('invalid', `${host} leads into the private network, which is refused`);
}

/** Whether an IP address is of this machine, of a private or special network, or holds an IPv4 address that is. */
export function isPrivateAddress(text: string): boolean {
  const address = text.replace(/%.*$/, '');
  if (isIP(address) === 4) return privateNetworks.check(address, 'ipv4');
  return privateNetworks.check(address, 'ipv6') || embeddedAddresses(address).some((v4) => isPrivateAddress(v4));
}

/** The IPv4 addresses that packets to an IPv6 address may end at. */
function embeddedAddresses(address: string): string[] {
  const groups = ipv6Groups(address);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const start = groups.slice(0, 4).every((group) => group === 0);
  // IPv4-mapped and IPv4-translated, NAT64, ISATAP.
  if (start && ((e === 0 && f === 0xffff) || (e === 0xffff && f === 0))) return [dottedIpv4(g, h)];
  if (a === 0x64 && b === 0xff9b && [c, d, e, f].every((group) => group === 0)) return [dottedIpv4(g, h)];
  if ((e === 0 || e === 0x200) && f === 0x5efe) return [dottedIpv4(g, h)];
  // 6to4, and Teredo: its server, and its client with every bit inverted.
  if (a === 0x2002) return [dottedIpv4(b, c)];
  if (a === 0x2001 && b === 0) return [dottedIpv4(c, d), dottedIpv4(g ^ 0xffff, h ^ 0xffff)];
  return [];
}

/** The addresses of a host as a URL names it; none if it can't be looked up. */
async function addressesOf(hostname: string): Promise<string[]> {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1'];
  if (isIP(host) !== 0) return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}
