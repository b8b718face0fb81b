import type * as Dns from 'node:dns';
import type * as DnsPromises from 'node:dns/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Outbound } from './outbound.ts';

// Names that lead elsewhere when they are connected to than when they are checked, or to two places.
const checked: Record<string, string[]> = {
  'rebound.test': ['192.0.2.1'],
  'mixed.test': ['192.0.2.1', '127.0.0.1'],
  'once-inside.test': ['127.0.0.1'],
};
vi.mock('node:dns', async (original) => ({
  ...(await original<typeof Dns>()),
  lookup: (host: string, _options: unknown, callback: (error: null, found: Dns.LookupAddress[]) => void) =>
    callback(null, [{ address: host === 'once-inside.test' ? '192.0.2.1' : '127.0.0.1', family: 4 }]),
}));
vi.mock('node:dns/promises', async (original) => ({
  ...(await original<typeof DnsPromises>()),
  lookup: async (host: string) => (checked[host] ?? []).map((address) => ({ address, family: 4 })),
}));

// A public registry that a proxy of the environment stands in for; the address is of a network for documentation.
const base = 'http://192.0.2.1';
let seen: string[];
let location: string;
let outbound: Outbound;
const proxy = createServer((request, response) => {
  seen.push(request.url ?? '');
  if (location !== '') response.writeHead(302, { location });
  response.end('hello');
});

beforeEach(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('http_proxy', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  vi.stubEnv('no_proxy', '');
  [seen, location, outbound] = [[], '', new Outbound(() => true)];
});
afterEach(async () => {
  outbound.close();
  vi.unstubAllEnvs();
  await new Promise((resolve) => proxy.close(resolve));
});

const send = (path: string, method?: 'PUT') =>
  outbound.send({ url: `${base}${path}`, base, token: null, timeout: 5_000, ...(method ? { method } : {}) });

it('goes through the proxy of the environment', async () => {
  const { status, body } = await send('/a');
  expect(status).toBe(200);
  expect(await body.toArray()).toEqual([Buffer.from('hello')]);
  expect(seen).toEqual([`${base}/a`]);
});

it.each(['http://127.0.0.1/', 'http://[::1]/', 'http://localhost/', 'http://169.254.169.254/'])(
  'does not follow a public registry to %s',
  async (target) => {
    location = target;
    await expect(send('/a')).rejects.toMatchObject({
      failure: 'invalid',
      message: expect.stringContaining('points into the private network'),
    });
    expect(seen).toEqual([`${base}/a`]);
  },
);

it.each(['rebound.test', 'mixed.test'])(
  'does not connect to %s inside, though it is the address that was set up',
  async (host) => {
    vi.stubEnv('no_proxy', '*');
    const own = `http://${host}:${(proxy.address() as AddressInfo).port}`;
    await expect(outbound.send({ url: `${own}/a`, base: own, token: null, timeout: 5_000 })).rejects.toMatchObject({
      failure: 'invalid',
      message: expect.stringContaining('private network'),
    });
    expect(seen).toEqual([]);
  },
);

it('does not follow a redirect of a write', async () => {
  location = `${base}/b`;
  await expect(send('/a', 'PUT')).rejects.toMatchObject({ failure: 'invalid' });
  expect(seen).toEqual([`${base}/a`]);
});

it('does not ask a registry that was inside for the check and is public for the connection', async () => {
  vi.stubEnv('no_proxy', '*');
  const turned = `http://once-inside.test:${(proxy.address() as AddressInfo).port}`;
  await expect(outbound.send({ url: `${turned}/a`, base: turned, token: null, timeout: 5_000 })).rejects.toMatchObject({
    message: expect.stringContaining('once-inside.test is no longer in the private network') as string,
  });
});
