import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatehouseError } from '../../server/contract/errors.ts';
import type { UpstreamRow } from '../../server/upstream/upstream-store.ts';
import type { TestRegistry } from '../support/registry.ts';
import { rootToken } from '../support/registry.ts';
import { FakeUpstream } from './support/fake-upstream.ts';
import { addUpstream, noise, rootActor, startWithClock } from './support/upstream-registry.ts';
import type { ManualClock } from './support/upstream-registry.ts';

let upstream: FakeUpstream;
let registry: TestRegistry;
let clock: ManualClock;
let row: UpstreamRow;

beforeEach(async () => {
  upstream = await FakeUpstream.start();
  ({ registry, clock } = await startWithClock());
  row = await addUpstream(registry, upstream.url);
  await upstream.publish('left-pad', '1.0.0');
});
afterEach(async () => {
  await registry.stop();
  await upstream.goAway();
});

const path = (rest: string): string => `${registry.projectPath()}/${rest}`;
const tarball = (name: string, version: string): string => path(`${name}/-/${name}-${version}.tgz`);

describe('a tarball with other bytes than the packument says', () => {
  it('is never passed on whole and never stored', async () => {
    const bytes = await upstream.publish('left-pad', '1.0.0', { files: { data: noise(300_000) } });
    const wrong = Buffer.from(bytes);
    wrong[wrong.length - 1] = (wrong[wrong.length - 1] ?? 0) ^ 0xff;
    upstream.answerTarballs((_req, res) => res.end(wrong));
    const received = await readUntilCut(tarball('left-pad', '1.0.0'));
    expect(received.length).toBeLessThan(wrong.length);
    expect(await registry.storedTarballs()).toEqual([]);
    expect(await registry.temporaryFiles()).toEqual([]);
    upstream.override = undefined;
    expect((await registry.get(tarball('left-pad', '1.0.0'))).bytes.equals(bytes)).toBe(true);
  });

  it('is reported in the response when nothing was sent yet', async () => {
    upstream.answerTarballs((_req, res) => res.end('short'));
    const answer = await registry.get(tarball('left-pad', '1.0.0'));
    expect(answer.status).toBe(502);
    expect(answer.text).toContain('sent wrong bytes for left-pad@1.0.0');
  });

  it('is refused if the packument has no checksum at all', async () => {
    const dist = { tarball: `${upstream.url}/left-pad/-/left-pad-1.0.0.tgz` };
    const versions = { '1.0.0': { name: 'left-pad', version: '1.0.0', dist } };
    upstream.answerAll((_req, res) => res.end(JSON.stringify({ name: 'left-pad', versions })));
    const answer = await registry.get(tarball('left-pad', '1.0.0'));
    expect(answer.status).toBe(502);
    expect(answer.text).toContain('gives no checksum');
  });

  it('is accepted by its shasum where there is no integrity, as with GitLab', async () => {
    const bytes = await upstream.publish('left-pad', '1.0.0');
    upstream.onlyShasum = true;
    expect((await registry.get(tarball('left-pad', '1.0.0'))).bytes.equals(bytes)).toBe(true);
  });
});

it('a version from the last days that there are is held back like any other young one', async () => {
  await registry.registry.upstream.upstreams.update(row.id, { minimumAgeDays: 3 }, rootActor);
  await upstream.publish('dated', '1.0.0', { at: 8_640_000_000_000_000 });
  for (const wanted of [path('dated'), path('dated/1.0.0'), tarball('dated', '1.0.0')]) {
    const answer = await registry.get(wanted);
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('held back until +275760');
  }
});

describe('a connection that is cut', () => {
  it('is taken up again where it broke, and clients get the whole', async () => {
    const bytes = await upstream.publish('big', '1.0.0', { files: { data: noise(300_000) } });
    let cuts = 0;
    upstream.answerTarballs((req, res) => {
      const from = Number(/bytes=(\d+)-/.exec(req.headers.range ?? '')?.[1] ?? 0);
      res.writeHead(from > 0 ? 206 : 200, {
        'content-length': String(bytes.length - from),
        ...(from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
      });
      if (cuts === 2) return res.end(bytes.subarray(from));
      cuts += 1;
      return res.write(bytes.subarray(from, from + 70_000), () => res.destroy());
    });
    const answer = await registry.get(tarball('big', '1.0.0'));
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(cuts).toBe(2);
  });

  it('cuts the client too when it stays broken, and leaves nothing behind', async () => {
    const bytes = await upstream.publish('big', '1.0.0', { files: { data: noise(300_000) } });
    upstream.answerTarballs((_req, res) => {
      // Ignores ranges.
      res.writeHead(200, { 'content-length': bytes.length });
      res.write(bytes.subarray(0, 70_000), () => res.destroy());
    });
    const received = await readUntilCut(tarball('big', '1.0.0'));
    expect(received.length).toBeLessThan(bytes.length);
    expect(await registry.storedTarballs()).toEqual([]);
    expect(await registry.temporaryFiles()).toEqual([]);
  });

  it('leaves the download of other clients alone when one of them goes away', async () => {
    const bytes = await upstream.publish('big', '1.0.0', { files: { data: noise(400_000) } });
    const finish = upstream.sendInParts(bytes, 200_000);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${rootToken}` };
    const first = await fetch(`${registry.origin}${tarball('big', '1.0.0')}`, { headers, signal: leaving.signal });
    const staying = fetch(`${registry.origin}${tarball('big', '1.0.0')}`, { headers });
    await first.body?.getReader().read();
    leaving.abort();
    finish();
    expect(Buffer.from(await (await staying).arrayBuffer()).equals(bytes)).toBe(true);
    expect(upstream.requestsFor('/big/-/big-1.0.0.tgz')).toBe(1);
  });
});

describe('an upstream that is away or slow', () => {
  it('is stood in for by the copy, which says so', async () => {
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
    await registry.get(path('left-pad'));
    upstream.answerAll((_req, res) => res.destroy());
    clock.pass(61);
    for (let i = 0; i < 3; i += 1) await registry.get(path('left-pad'));
    const asked = upstream.requests.length;
    for (let i = 0; i < 5; i += 1) {
      expect((await registry.get(path('left-pad'))).headers['cache-status']).toContain('stale: cut');
      const missing = await registry.get(path('right-pad'));
      expect(missing.status).toBe(503);
      expect(missing.text).toContain('cut the connection');
    }
    expect(upstream.requests.length).toBe(asked);
    upstream.override = undefined;
    await registry.registry.upstream.connectivity.probe(row.id);
    expect(registry.registry.upstream.connectivity.stateOf(row.id).status).toBe('reachable');
    expect((await registry.get(path('left-pad'))).headers['cache-status']).toContain('304');
  });

  it('is not taken to be away because a package names a tarball at a host that is', async () => {
    const elsewhere = await FakeUpstream.start();
    await elsewhere.goAway();
    const dist = { tarball: `${elsewhere.url}/lost-1.0.0.tgz`, shasum: 'a'.repeat(40) };
    upstream.override = (req, res) => {
      if (!req.url?.startsWith('/lost')) return false;
      res.end(JSON.stringify({ name: 'lost', versions: { '1.0.0': { name: 'lost', version: '1.0.0', dist } } }));
      return true;
    };
    expect((await registry.get(tarball('lost', '1.0.0'))).status).toBe(424);
    expect(registry.registry.upstream.connectivity.stateOf(row.id).status).toBe('reachable');
    expect((await registry.get(tarball('left-pad', '1.0.0'))).status).toBe(200);
  });

  it('does not keep clients waiting longer than its budget when a copy is here', async () => {
    await registry.registry.upstream.updateUpstream(row.id, { budgetMilliseconds: 100 }, rootActor);
    await registry.get(path('left-pad'));
    await upstream.publish('left-pad', '1.1.0');
    clock.pass(61);
    const proceed = upstream.hold();
    const answer = await registry.get(path('left-pad'));
    expect(answer.headers['cache-status']).toContain('stale: slow');
    proceed();
    // The request that was too slow still brings its news.
    await expect.poll(async () => (await registry.get(path('left-pad'))).text).toContain('1.1.0');
  });

  it('answering 5xx is asked a few times, then left alone; answering 429 is left alone as long as it wants', async () => {
    upstream.answerAll((_req, res) => res.writeHead(500).end());
    for (let i = 0; i < 6; i += 1) expect((await registry.get(path('left-pad'))).status).not.toBe(200);
    expect(upstream.requestsFor('/left-pad')).toBe(3);
    clock.pass(3);
    upstream.answerAll((_req, res) => res.writeHead(429, { 'retry-after': '120' }).end());
    const paused = await registry.get(path('left-pad'));
    expect(paused.status).toBe(503);
    expect(paused.headers['retry-after']).toBe('120');
    upstream.override = undefined;
    const asked = upstream.requestsFor('/left-pad');
    clock.pass(110);
    await registry.get(path('left-pad'));
    expect(upstream.requestsFor('/left-pad')).toBe(asked);
    clock.pass(11);
    expect((await registry.get(path('left-pad'))).status).toBe(200);
    expect(registry.registry.upstream.connectivity.stateOf(row.id).status).toBe('reachable');
  });

  it.each<[string, (res: ServerResponse) => void, number, RegExp]>([
    ['answers 500', (res) => res.writeHead(500).end(), 503, /answers with an error \(500\)/],
    ['answers 503 for a while', (res) => res.writeHead(503, { 'retry-after': '7' }).end(), 503, /\(503\)/],
    ['answers 429', (res) => res.writeHead(429).end(), 503, /requests a pause \(429\)/],
    ['cuts the connection', (res) => res.destroy(), 503, /cut the connection/],
    ['cuts the document', (res) => void res.write('{"name":', () => res.destroy()), 503, /cut the connection/],
    [
      'sends no gzip',
      (res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
      503,
      /damaged response/,
    ],
    [
      'sends half of a gzip',
      (res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}').subarray(0, 12)),
      503,
      /damaged response/,
    ],
    ['sends half of a document', (res) => res.end('{"name":"left-pad","versions":{'), 502, /no packument/],
  ])('that %s does not say that a package is missing: clients try again', async (_what, answer, status, sentence) => {
    upstream.answerAll((_req, res) => answer(res));
    // Also once it is left alone.
    for (let i = 0; i < 5; i += 1) {
      for (const wanted of [path('left-pad'), tarball('left-pad', '1.0.0')]) {
        const refused = await registry.get(wanted);
        expect(refused.status).toBe(status);
        expect(refused.json()['error']).toMatch(sentence);
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      }
    }
  });

  it('that sends nothing is given up after its timeout, five seconds if nothing else is set', async () => {
    const proceed = upstream.hold();
    const answer = await registry.get(path('left-pad'));
    expect(answer.status).toBe(503);
    expect(answer.json()['error']).toContain('did not answer within 5 seconds');
    // A second try would take as long again.
    expect(upstream.requests).toHaveLength(1);
    await registry.registry.upstream.updateUpstream(row.id, { timeoutMilliseconds: 500 }, rootActor);
    expect((await registry.get(path('left-pad'))).json()['error']).toContain('within 0.5 seconds');
    proceed();
  });

  it('that lost a package does not make it disappear here', async () => {
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
  expect((await registry.get(tarball('left-pad', '1.0.0'))).bytes.equals(before)).toBe(true);
  const after = await upstream.publish('left-pad', '1.0.0', { files: { 'index.js': 'second' } });
  clock.pass(61);
  await registry.get(path('left-pad'));
  expect(await registry.storedTarballs()).toEqual([]);
  expect((await registry.get(tarball('left-pad', '1.0.0'))).bytes.equals(after)).toBe(true);
});

describe('answers that make no sense', () => {
  it('redirects in a circle, reported without advice for programmers', async () => {
    upstream.answerAll((_req, res) => res.writeHead(302, { location: '/left-pad' }).end());
    const answer = await registry.get(path('left-pad'));
    expect(answer.status).toBe(502);
    expect(answer.json()['error']).toMatch(/redirects in a circle, too often or to no address\.$/);
  });

  it.each([
    ['redirects in a longer circle', { location: '/left-pad?next' }, 302],
    ['redirects to another scheme', { location: 'file:///etc/passwd' }, 302],
    ['a redirect without an address', {}, 301],
  ])('%s', async (_what, headers, status) => {
    upstream.answerAll((_req, res) => res.writeHead(status, headers as Record<string, string>).end());
    expect((await registry.get(path('left-pad'))).status).toBe(502);
    expect(upstream.requests.length).toBeLessThan(8);
  });

  it.each(['not json', '[]', '{"name":"other","versions":{}}', '{"name":"left-pad"}', 'null'])(
    'a body like %s',
    async (body) => {
      upstream.answerAll((_req, res) => res.end(body));
      expect((await registry.get(path('left-pad'))).status).toBe(502);
    },
  );
});

describe('the offline switch', () => {
  it('lets no request leave, serves what is here, and names what is not', async () => {
    const bytes = await upstream.publish('left-pad', '1.0.0');
    await upstream.publish('right-pad', '1.0.0');
    await registry.get(tarball('left-pad', '1.0.0'));
    await registry.registry.upstream.setOfflineMode('on', rootActor);
    const asked = upstream.requests.length;
    clock.pass(61);
    expect((await registry.get(path('left-pad'))).status).toBe(200);
    expect((await registry.get(tarball('left-pad', '1.0.0'))).bytes.equals(bytes)).toBe(true);
    for (const wanted of [path('right-pad'), tarball('right-pad', '1.0.0'), path('right-pad/latest')]) {
      const answer = await registry.get(wanted);
      expect(answer.status).toBe(424);
      expect(answer.text).toContain('offline, not cached: right-pad');
    }
    expect(upstream.requests.length).toBe(asked);
    await registry.restart();
    expect((await registry.get(path('right-pad'))).status).toBe(424);
    expect(upstream.requests.length).toBe(asked);
    await registry.registry.upstream.setOfflineMode('auto', rootActor);
    expect((await registry.get(path('right-pad'))).status).toBe(200);
  });

  it('cuts what is under way', async () => {
    const bytes = await upstream.publish('big', '1.0.0', { files: { data: noise(300_000) } });
    upstream.sendInParts(bytes, 100_000);
    const answer = await fetch(`${registry.origin}${tarball('big', '1.0.0')}`, {
      headers: { authorization: `Bearer ${rootToken}` },
    });
    await registry.registry.upstream.setOfflineMode('on', rootActor);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect(await registry.temporaryFiles()).toEqual([]);
  });
});

it('an upstream whose sealed token was made with another key is reported as such', async () => {
  const sealed = await addUpstream(registry, upstream.url, { name: 'sealed', token: 'something' });
  const { client } = registry.registry.upstream;
  const tampered = { ...sealed, token: `${sealed.token?.slice(0, -4)}AAAA` };
  await expect(client.send(tampered, { url: upstream.url })).rejects.toThrow(GatehouseError);
});

async function readUntilCut(from: string): Promise<Buffer> {
  const answer = await fetch(`${registry.origin}${from}`, { headers: { authorization: `Bearer ${rootToken}` } });
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of answer.body!) chunks.push(chunk);
  } catch {
    return Buffer.concat(chunks);
  }
  throw new Error(`The whole answer came, ${Buffer.concat(chunks).length} bytes with status ${answer.status}`);
}
