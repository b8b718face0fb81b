import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Outbound } from './outbound.ts';

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

it('does not follow a redirect of a write', async () => {
  location = `${base}/b`;
  await expect(send('/a', 'PUT')).rejects.toMatchObject({ failure: 'invalid' });
  expect(seen).toEqual([`${base}/a`]);
});
