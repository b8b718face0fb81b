import type * as Dns from 'node:dns';
import type * as DnsPromises from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { describe, expect, it, vi } from 'vitest';
import { isInside, leadsInside, lookupPublic } from './private-address.ts';

const zone: Readonly<Record<string, readonly LookupAddress[]>> = {
  'public.test': [{ address: '192.0.2.1', family: 4 }],
  'mixed.test': [
    { address: '192.0.2.1', family: 4 },
    { address: '::ffff:10.0.0.1', family: 6 },
  ],
  'inside.test': [
    { address: '10.0.0.1', family: 4 },
    { address: 'fe80::1%eth0', family: 6 },
  ],
};
vi.mock('node:dns', async (original) => ({
  ...(await original<typeof Dns>()),
  lookup: (
    host: string,
    _options: unknown,
    callback: (error: Error | null, found?: readonly LookupAddress[]) => void,
  ) => (zone[host] ? callback(null, zone[host]) : callback(new Error('ENOTFOUND'))),
}));
vi.mock('node:dns/promises', async (original) => ({
  ...(await original<typeof DnsPromises>()),
  lookup: (host: string) => (zone[host] ? Promise.resolve(zone[host]) : Promise.reject(new Error('ENOTFOUND'))),
}));

/** As the code that asks has it: from a URL. */
const hostOf = (host: string): string => new URL(`http://${host}/`).hostname;

describe('the private network', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '127.1',
    '127.0.0.1.',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    'localhost',
    'LOCALHOST.',
    'x.localhost',
    'ｌocalhost',
    '①②⑦.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::127.0.0.1]',
    '[fd00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:10.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2002:a00:1:0:1::1]',
    '[2001::f5ff:fffe]',
    '[2001:0:7f00:1::]',
    '[2606:4700::5efe:10.0.0.1]',
  ])('has %s', async (host) => {
    expect(await isInside(hostOf(host))).toBe(true);
    expect(await leadsInside(hostOf(host))).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '172.32.0.1',
    '192.169.0.1',
    '100.128.0.1',
    '[2606:4700::1111]',
    '[64:ff9b::1.1.1.1]',
    '[::ffff:1.1.1.1]',
    '[2002:101:101::1]',
    '[2001:0:101:101::fefe:fefe]',
    'public.test',
    'unknown.test',
  ])('does not have %s', async (host) => {
    expect(await isInside(hostOf(host))).toBe(false);
    expect(await leadsInside(hostOf(host))).toBe(false);
  });

  it('does not have a name with a public and a private address, which yet leads there', async () => {
    expect(await isInside('mixed.test')).toBe(false);
    expect(await leadsInside('mixed.test')).toBe(true);
    expect(await isInside('inside.test')).toBe(true);
  });

  it.each(['mixed.test', 'inside.test'])(
    'is refused by the very lookup that a connection to %s makes',
    async (host) => {
      const failure = await new Promise<Error | null>((resolve) => {
        lookupPublic(host, {}, (error) => resolve(error));
      });
      expect(failure?.message).toContain('private network');
    },
  );
});
