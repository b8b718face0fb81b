import { lookup as lookupWithCallback } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv6');
}

/**
 * Whether a host name leads to this machine or its private network. A public registry must not be able to make this server fetch what
 * only this server can reach. A name that can't be looked up is not private.
 */
export async function isPrivateHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const family = isIP(host);
  if (family !== 0) return isPrivate(host, family);
  try {
    const found = await lookup(host, { all: true });
    return found.some(({ address, family: kind }) => isPrivate(address, kind));
  } catch {
    return false;
  }
}

/**
 * Looks a name up for a connection and refuses private addresses. It checks the very addresses that are connected to, so a name that
 * resolves differently a moment later gains nothing.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookupWithCallback(hostname, { ...options, all: true }, (error, addresses) => {
    const found = error ? undefined : addresses.find(({ address, family }) => isPrivate(address, family));
    const failure = error ?? (found ? new Error(`${hostname} leads into the private network`) : null);
    const [first] = addresses ?? [];
    if (failure || !first) callback(failure ?? new Error(`${hostname} has no address`), '', 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function isPrivate(address: string, family: number): boolean {
  return privateNetworks.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
