import { isIPv4, isIPv6 } from 'node:net';

/**
 * What is counted as one client: an IPv4 address, also one that is written as IPv6; the /64 network of an IPv6 address; or this machine.
 * @param address as a socket or a proxy writes it, which may append a zone or a port
 */
export function networkOf(address: string | null): string {
  const text = withoutPort(address ?? '').replace(/%.*$/, '');
  const groups = isIPv6(text) ? ipv6Groups(text) : [];
  const [g = 0, h = 0] = groups.slice(6);
  const isMapped = groups.length > 0 && groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const v4 = isMapped ? dottedIpv4(g, h) : text;
  if (isIPv4(v4)) return v4.startsWith('127.') ? 'loopback' : v4;
  if (groups.length === 0) return 'unknown';
  if (groups.every((group, index) => group === (index === 7 ? 1 : 0))) return 'loopback';
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/**
 * The site that a network belongs to, as `networkOf` names it: the /56 of an IPv6 network, of which one customer has all 256; any other
 * network itself.
 */
export function siteOf(network: string): string {
  const groups = network.split(':');
  if (groups.length !== 4) return network;
  const last = Number.parseInt(groups[3] ?? '', 16) & 0xff00;
  return `${groups.slice(0, 3).join(':')}:${last.toString(16)}/56`;
}

/** The eight groups of a valid IPv6 address without a zone. */
export function ipv6Groups(address: string): number[] {
  // A URL writes addresses in one form, without dots.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16));
}

/** Two groups of an IPv6 address as an IPv4 address. */
export function dottedIpv4(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function withoutPort(address: string): string {
  const { v6, v4 } = /^(?:\[(?<v6>[^\]]*)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/.exec(address)?.groups ?? {};
  return v6 ?? v4 ?? address;
}
