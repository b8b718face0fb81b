import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatehouseError } from '../../server/contract/errors.ts';
import type { TestRegistry } from '../support/registry.ts';
import { rootToken } from '../support/registry.ts';
import { FakeUpstream } from './support/fake-upstream.ts';
import { addUpstream, rootActor, startWithClock } from './support/upstream-registry.ts';
import type { HandClock } from './support/upstream-registry.ts';

let upstream: FakeUpstream;
let registry: TestRegistry;
let clock: HandClock;

beforeEach(async () => {
  upstream = await FakeUpstream.start();
  ({ registry, clock } = await startWithClock());
});
afterEach(async () => {
  upstream.mischief = undefined;
  await registry.stop();
  await upstream.goAway().catch(() => undefined);
});

const path = (rest: string): string => `${registry.projectPath()}/${rest}`;
const tarball = (name: string, version: string): string => path(`${name}/-/${name}-${version}.tgz`);

describe('a tarball with other bytes than the packument says', () => {
  it('is never passed on whole and never kept', async () => {
    const bytes = await upstream.publish('left-pad', '1.0.0', { files: { data: noise(300_000) } });
    await addUpstream(registry, upstream.url);
    const wrong = Buffer.from(bytes);
    wrong[wrong.length - 1] = (wrong[wrong.length - 1] ?? 0) ^ 0xff;
    upstream.mischief = (req, res) => {
      if (!req.url?.endsWith('.tgz')) return false;
      res.end(wrong);
      return true;
    };
    const received = await readWhatComes(tarball('left-pad', '1.0.0'));
    expect(received.length).toBeLessThan(wrong.length);
    expect(await registry.storedTarballs()).toEqual([]);
    expect(await registry.temporaryFiles()).toEqual([]);
    upstream.mischief = undefined;
    expect((await registry.get(tarball('left-pad', '1.0.0'))).bytes.equals(bytes)).toBe(true);
  });

  it('is told in words when nothing was sent yet', async () => {
    await upstream.publish('left-pad', '1.0.0');
    await addUpstream(registry, upstream.url);
    upstream.mischief = (req, res) => {
      if (!req.url?.endsWith('.tgz')) return false;
      res.end('short');
      return true;
    };
    const answer = await registry.get(tarball('left-pad', '1.0.0'));
    expect(answer.status).toBe(502);
    expect(answer.text).toContain('sent wrong bytes for left-pad@1.0.0');
  });

  it('is refused if the packument has no checksum at all', async () => {
    await upstream.publish('left-pad', '1.0.0');
    await addUpstream(registry, upstream.url);
    upstream.mischief = (req, res) => {
      if (req.url?.endsWith('.tgz') === true) return false;
      const dist = { tarball: `${upstream.url}/left-pad/-/left-pad-1.0.0.tgz` };
      res.end(
        JSON.stringify({ name: 'left-pad', versions: { '1.0.0': { name: 'left-pad', version: '1.0.0', dist } } }),
      );
      return true;
    };
    const answer = await registry.get(tarball('left-pad', '1.0.0'));
    expect(answer.status).toBe(502);
    expect(answer.text).toContain('gives no checksum');
  });

  it('is accepted by its shasum where there is no integrity, as with GitLab', async () => {
    const bytes = await upstream.publish('left-pad', '1.0.0');
    upstream.onlyShasum = true;
    await addUpstream(registry, upstream.url);
    expect((await registry.get(tarball('left-pad', '1.0.0'))).bytes.equals(bytes)).toBe(true);
  });
});

describe('a connection that is cut', () => {
  it('is taken up again where it broke, and clients get the whole', async () => {
    const bytes = await upstream.publish('big', '1.0.0', { files: { data: noise(300_000) } });
    await addUpstream(registry, upstream.url);
    let cuts = 0;
    upstream.mischief = (req, res) => {
      if (!req.url?.endsWith('.tgz')) return false;
      const from = Number(/bytes=(\d+)-/.exec(req.headers.range ?? '')?.[1] ?? 0);
      if (cuts < 2) {
        cuts += 1;
        res.writeHead(from > 0 ? 206 : 200, rangeHeaders(from, bytes.length));
        res.write(bytes.subarray(from, from + 70_000), () => res.destroy());
        return true;
      }
      res.writeHead(from > 0 ? 206 : 200, rangeHeaders(from, bytes.length));
      res.end(bytes.subarray(from));
      return true;
    };
    const answer = await registry.get(tarball('big', '1.0.0'));
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(cuts).toBe(2);
  });

  it('cuts the client too when it stays broken, and leaves nothing behind', async () => {
    const bytes = await upstream.publish('big', '1.0.0', { files: { data: noise(300_000) } });
    await addUpstream(registry, upstream.url);
    upstream.mischief = (req, res) => {
      if (!req.url?.endsWith('.tgz')) return false;
      res.writeHead(200, { 'content-length': bytes.length });
      res.write(bytes.subarray(0, 70_000), () => res.destroy());
      return true;
    };
    const received = await readWhatComes(tarball('big', '1.0.0'));
    expect(received.length).toBeLessThan(bytes.length);
    expect(await registry.storedTarballs()).toEqual([]);
    expect(await registry.temporaryFiles()).toEqual([]);
  });

  it('leaves the download of other clients alone when one of them goes away', async () => {
    const bytes = await upstream.publish('big', '1.0.0', { files: { data: noise(400_000) } });
    await addUpstream(registry, upstream.url);
    let finish = (): void => undefined;
    upstream.mischief = (req, res) => {
      if (!req.url?.endsWith('.tgz')) return false;
      res.writeHead(200, { 'content-length': bytes.length });
      res.write(bytes.subarray(0, 200_000));
      finish = () => res.end(bytes.subarray(200_000));
      return true;
    };
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${rootToken}` };
    const first = await fetch(`${registry.origin}${tarball('big', '1.0.0')}`, { headers, signal: leaving.signal });
    const staying = fetch(`${registry.origin}${tarball('big', '1.0.0')}`, { headers });
    await first.body?.getReader().read();
    leaving.abort();
    finish();
    expect(Buffer.from(await (await staying).arrayBuffer()).equals(bytes)).toBe(true);
    expect(upstream.asked('/big/-/big-1.0.0.tgz')).toBe(1);
  });
});

describe('an upstream that is away or slow', () => {
  it('is stood in for by the copy, which says so', async () => {
    await upstream.publish('left-pad', '1.0.0');
    const row = await addUpstream(registry, upstream.url);
    await registry.get(path('left-pad'));
    await upstream.goAway();
    clock.pass(61);
    const answer = await registry.get(path('left-pad'));
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-status']).toContain('stale: network');
    expect(answer.headers['warning']).toContain('110');
    expect(registry.registry.upstream.connectivity.stateOf(row.id).status).toBe('away');
  });

  it('is left alone while it is away, and asked again once it is back', async () => {
    await upstream.publish('left-pad', '1.0.0');
    const row = await addUpstream(registry, upstream.url);
    await registry.get(path('left-pad'));
    upstream.mischief = (_req, res) => {
      res.destroy();
      return true;
    };
    clock.pass(61);
    await registry.get(path('left-pad'));
    const asked = upstream.requests.length;
    for (let i = 0; i < 5; i += 1) {
      expect((await registry.get(path('left-pad'))).headers['cache-status']).toContain('stale');
      const missing = await registry.get(path('right-pad'));
      expect(missing.status).toBe(404);
      expect(missing.text).toContain('offline, not cached: right-pad');
    }
    expect(upstream.requests.length).toBe(asked);
    upstream.mischief = undefined;
    await registry.registry.upstream.connectivity.probe(row.id);
    expect(registry.registry.upstream.connectivity.stateOf(row.id).status).toBe('reachable');
    expect((await registry.get(path('left-pad'))).headers['cache-status']).toContain('304');
  });

  it('does not keep clients waiting longer than its budget when a copy is here', async () => {
    await upstream.publish('left-pad', '1.0.0');
    await addUpstream(registry, upstream.url, { budgetMilliseconds: 100 });
    await registry.get(path('left-pad'));
    await upstream.publish('left-pad', '1.1.0');
    clock.pass(61);
    let proceed = (): void => undefined;
    const held = new Promise<void>((resolve) => (proceed = resolve));
    upstream.mischief = async () => {
      await held;
      return false;
    };
    const answer = await registry.get(path('left-pad'));
    expect(answer.headers['cache-status']).toContain('stale: slow');
    proceed();
    // The request that was too slow still brings its news.
    await expect.poll(async () => (await registry.get(path('left-pad'))).text).toContain('1.1.0');
  });

  it('answering 5xx is asked a few times, then left alone; answering 429 is left alone as long as it wants', async () => {
    await upstream.publish('left-pad', '1.0.0');
    const row = await addUpstream(registry, upstream.url);
    upstream.mischief = (_req, res) => {
      res.writeHead(500);
      res.end();
      return true;
    };
    for (let i = 0; i < 6; i += 1) expect((await registry.get(path('left-pad'))).status).not.toBe(200);
    expect(upstream.asked('/left-pad')).toBe(3);
    clock.pass(3);
    upstream.mischief = (_req, res) => {
      res.writeHead(429, { 'retry-after': '120' });
      res.end();
      return true;
    };
    const told = await registry.get(path('left-pad'));
    expect(told.status).toBe(503);
    expect(told.headers['retry-after']).toBe('120');
    upstream.mischief = undefined;
    const asked = upstream.asked('/left-pad');
    clock.pass(110);
    await registry.get(path('left-pad'));
    expect(upstream.asked('/left-pad')).toBe(asked);
    clock.pass(11);
    expect((await registry.get(path('left-pad'))).status).toBe(200);
    expect(registry.registry.upstream.connectivity.stateOf(row.id).status).toBe('reachable');
  });

  it('that lost a package does not make it disappear here', async () => {
    await upstream.publish('left-pad', '1.0.0');
    await addUpstream(registry, upstream.url);
    await registry.get(path('left-pad'));
    upstream.remove('left-pad');
    clock.pass(61);
    const answer = await registry.get(path('left-pad'));
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-status']).toContain('stale: gone');
  });
});

it('a version whose bytes change upstream is not the one that was kept', async () => {
  const before = await upstream.publish('left-pad', '1.0.0', { files: { 'index.js': 'first' } });
  await addUpstream(registry, upstream.url);
  expect((await registry.get(tarball('left-pad', '1.0.0'))).bytes.equals(before)).toBe(true);
  const after = await upstream.publish('left-pad', '1.0.0', { files: { 'index.js': 'second' } });
  clock.pass(61);
  await registry.get(path('left-pad'));
  expect(await registry.storedTarballs()).toEqual([]);
  expect((await registry.get(tarball('left-pad', '1.0.0'))).bytes.equals(after)).toBe(true);
});

describe('answers that make no sense', () => {
  it.each([
    ['redirects in a circle', { location: '/left-pad' }, 302],
    ['redirects to another scheme', { location: 'file:///etc/passwd' }, 302],
    ['a redirect without an address', {}, 301],
  ])('%s', async (_what, headers, status) => {
    await addUpstream(registry, upstream.url);
    upstream.mischief = (_req, res) => {
      res.writeHead(status, headers as Record<string, string>);
      res.end();
      return true;
    };
    expect((await registry.get(path('left-pad'))).status).toBe(502);
    expect(upstream.requests.length).toBeLessThan(8);
  });

  it.each(['not json', '[]', '{"name":"other","versions":{}}', '{"name":"left-pad"}', 'null'])(
    'a body like %s',
    async (body) => {
      await addUpstream(registry, upstream.url);
      upstream.mischief = (_req, res) => {
        res.end(body);
        return true;
      };
      expect((await registry.get(path('left-pad'))).status).toBe(502);
    },
  );
});

describe('the offline switch', () => {
  it('lets no request leave, serves what is here, and names what is not', async () => {
    const bytes = await upstream.publish('left-pad', '1.0.0');
    await upstream.publish('right-pad', '1.0.0');
    await addUpstream(registry, upstream.url);
    await registry.get(tarball('left-pad', '1.0.0'));
    await registry.registry.upstream.setOfflineMode('on', rootActor);
    const asked = upstream.requests.length;
    clock.pass(61);
    expect((await registry.get(path('left-pad'))).status).toBe(200);
    expect((await registry.get(tarball('left-pad', '1.0.0'))).bytes.equals(bytes)).toBe(true);
    for (const wanted of [path('right-pad'), tarball('right-pad', '1.0.0'), path('right-pad/latest')]) {
      const answer = await registry.get(wanted);
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('offline, not cached: right-pad');
    }
    expect(upstream.requests.length).toBe(asked);
    await registry.restart();
    expect((await registry.get(path('right-pad'))).status).toBe(404);
    expect(upstream.requests.length).toBe(asked);
    await registry.registry.upstream.setOfflineMode('auto', rootActor);
    expect((await registry.get(path('right-pad'))).status).toBe(200);
  });

  it('cuts what is under way', async () => {
    const bytes = await upstream.publish('big', '1.0.0', { files: { data: noise(300_000) } });
    await addUpstream(registry, upstream.url);
    upstream.mischief = (req, res) => {
      if (!req.url?.endsWith('.tgz')) return false;
      res.writeHead(200, { 'content-length': bytes.length });
      res.write(bytes.subarray(0, 100_000));
      return true;
    };
    const answer = await fetch(`${registry.origin}${tarball('big', '1.0.0')}`, {
      headers: { authorization: `Bearer ${rootToken}` },
    });
    await registry.registry.upstream.setOfflineMode('on', rootActor);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect(await registry.temporaryFiles()).toEqual([]);
  });
});

it('an upstream whose sealed token was made with another key is told as such', async () => {
  const row = await addUpstream(registry, upstream.url, { token: 'something' });
  const { client } = registry.registry.upstream;
  const tampered = { ...row, token: `${row.token?.slice(0, -4)}AAAA` };
  await expect(client.send(tampered, { url: upstream.url })).rejects.toThrow(GatehouseError);
});

async function readWhatComes(from: string): Promise<Buffer> {
  const answer = await fetch(`${registry.origin}${from}`, { headers: { authorization: `Bearer ${rootToken}` } });
  const chunks: Uint8Array[] = [];
  const reader = answer.body!.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
  } catch {
    return Buffer.concat(chunks);
  }
  throw new Error(`The whole answer came, ${Buffer.concat(chunks).length} bytes with status ${answer.status}`);
}

function rangeHeaders(from: number, size: number): Record<string, string> {
  return {
    'content-length': String(size - from),
    ...(from > 0 ? { 'content-range': `bytes ${from}-${size - 1}/${size}` } : {}),
  };
}

function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(Math.random() * 256)));
}
