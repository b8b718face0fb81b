import { lookup as lookUpNow } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

const inside = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  inside.addSubnet(network, prefix, 'ipv6');
}

/**
 * Whether a host name leads to this machine or its private network. A public registry must not be able to make this server fetch what
 * only this server can reach. A name that can't be looked up leads nowhere.
 */
export async function leadsInside(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const family = isIP(host);
  if (family !== 0) return isInside(host, family);
  try {
    const found = await lookup(host, { all: true });
    return found.some(({ address, family: kind }) => isInside(address, kind));
  } catch {
    return false;
  }
}

/**
 * Looks a name up for a connection and refuses what leads inside. The check is made on the very addresses that are connected to, so a name
 * that answers differently a moment later gains nothing.
 */
export const lookupOutside: LookupFunction = (hostname, options, callback) => {
  lookUpNow(hostname, { ...options, all: true }, (error, addresses) => {
    const inward = error ? undefined : addresses.find(({ address, family }) => isInside(address, family));
    const failure = error ?? (inward ? new Error(`${hostname} leads into the private network`) : null);
    const [first] = addresses ?? [];
    if (failure || !first) callback(failure ?? new Error(`${hostname} has no address`), '', 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function isInside(address: string, family: number): boolean {
  return inside.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
