import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../server/http/listen.ts';
import type { RunningServer } from '../../server/services.ts';
import { TestRegistry, rootToken } from '../support/registry.ts';

let gatehouse: TestRegistry;
/** The same registry behind clocks that are short enough to wait for. */
let impatient: RunningServer;
beforeAll(async () => {
  gatehouse = await TestRegistry.start();
  await gatehouse.publish({ name: 'pkg', version: '1.0.0', files: { 'data.bin': randomBytes(20_000_000) } });
  impatient = await listen({
    registry: gatehouse.registry,
    log: pino({ level: 'silent' }),
    host: '127.0.0.1',
    port: 0,
    hosts: { allowedHosts: [], trustProxy: false, externalUrl: null },
    timeouts: { headers: 300, idle: 300, keepAlive: 300 },
  });
});
afterAll(async () => {
  await impatient.stop(0);
  await gatehouse.stop();
});

const npm = '/api/v4/projects/1/packages/npm';
const auth = `Authorization: Bearer ${rootToken}`;

interface Conversation {
  /** Everything that the server said until it closed the connection. */
  readonly said: string;
  readonly statuses: number[];
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  return socket;
}

/** Sends bytes as they are, and listens until the connection is closed from the other side. */
function say(text: string | Buffer, options: { port?: number; end?: boolean } = {}): Promise<Conversation> {
  return new Promise((resolve) => {
    const socket = open(options.port ?? gatehouse.server.port);
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')));
    socket.on('close', () =>
      resolve({ said, statuses: [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1])) }),
    );
    socket.write(text);
    if (options.end !== false) socket.end();
  });
}

describe('a request that two servers could read in two ways', () => {
  const smuggled = `GET ${npm}/-/whoami HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n\r\n`;
  const head = (lines: string) =>
    `PUT ${npm}/-/package/pkg/dist-tags/x HTTP/1.1\r\nHost: localhost\r\n${auth}\r\nContent-Type: application/json\r\n${lines}\r\n\r\n`;
  const shapes: [string, string][] = [
    ['has two lengths', `${head('Content-Length: 0\r\nContent-Length: 5')}${smuggled}`],
    ['has two lengths in one', `${head('Content-Length: 0, 5')}${smuggled}`],
    ['has a length and chunks', `${head('Content-Length: 5\r\nTransfer-Encoding: chunked')}0\r\n\r\n${smuggled}`],
    ['has chunks and a length', `${head('Transfer-Encoding: chunked\r\nContent-Length: 5')}0\r\n\r\n${smuggled}`],
    ['has chunks by another name', `${head('Transfer-Encoding: xchunked')}0\r\n\r\n${smuggled}`],
    ['has chunks that are not last', `${head('Transfer-Encoding: chunked, identity')}0\r\n\r\n${smuggled}`],
    ['has chunks twice', `${head('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity')}0\r\n\r\n${smuggled}`],
    ['has a blank before a colon', `${head('Transfer-Encoding : chunked')}0\r\n\r\n${smuggled}`],
    ['has a folded header', `${head('X-A: b\r\n Transfer-Encoding: chunked')}0\r\n\r\n${smuggled}`],
    ['has a tab for a name', `${head('\tContent-Length: 0')}${smuggled}`],
    ['has a negative length', `${head('Content-Length: -1')}${smuggled}`],
    ['has a length with a sign', `${head('Content-Length: +5')}"1.0"${smuggled}`],
    ['has a length in hexadecimal', `${head('Content-Length: 0x5')}"1.0"${smuggled}`],
    ['has a length beyond all numbers', `${head(`Content-Length: ${'9'.repeat(40)}`)}${smuggled}`],
    ['has a chunk size that is none', `${head('Transfer-Encoding: chunked')}zz\r\n${smuggled}`],
    ['has a chunk size beyond all numbers', `${head('Transfer-Encoding: chunked')}${'f'.repeat(40)}\r\n${smuggled}`],
    ['has a NUL in a header', `${head('X-A: \0b')}${smuggled}`],
    ['has a line feed in a header', `${head('X-A: a\nTransfer-Encoding: chunked')}0\r\n\r\n${smuggled}`],
    ['has no host', `GET ${npm}/pkg HTTP/1.1\r\n${auth}\r\n\r\n`],
    ['has two hosts', `GET ${npm}/pkg HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n${auth}\r\n\r\n`],
    ['is of HTTP/0.9', `GET ${npm}/pkg\r\n\r\n`],
    ['is of HTTP/3.7', `GET ${npm}/pkg HTTP/3.7\r\nHost: localhost\r\n\r\n`],
    ['is the start of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['is TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
    ['is noise', '\u0000\u0001\u0002\u00ff\u00fe\r\n\r\n'],
  ];
  test.each(shapes)('because it %s is refused, and nothing after it is read', async (_what, text) => {
    const { statuses, said } = await say(Buffer.from(text, 'latin1'));
    expect(statuses.length, said).toBeLessThanOrEqual(1);
    for (const status of statuses) expect(status, said).toBeGreaterThanOrEqual(400);
    for (const status of statuses) expect(status, said).toBeLessThan(500);
    expect(said).not.toContain('"username"');
  });

  test.each([
    ['an address in its first line', `GET http://evil.example${npm}/pkg HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    ['a tunnel', 'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an upgrade', `GET ${npm}/pkg HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an expectation', `PUT ${npm}/pkg HTTP/1.1\r\nHost: localhost\r\nExpect: 200-maybe\r\nContent-Length: 0\r\n\r\n`],
    ['a trace', `TRACE ${npm}/pkg HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n\r\n`],
  ])('with %s gets nothing by it', async (_what, text) => {
    const { statuses, said } = await say(text);
    for (const status of statuses) expect([301, 400, 401, 403, 404, 405, 417, 426, 501]).toContain(status);
    expect(said).not.toContain(rootToken);
  });
});

test('a whole address in the first line counts with its host', async () => {
  const ask = (address: string) => say(`GET ${address} HTTP/1.1\r\nHost: other.example\r\n${auth}\r\n\r\n`);
  const own = await ask(`http://localhost:${gatehouse.server.port}${npm}/pkg`);
  expect(own.statuses).toEqual([200]);
  expect(own.said).toContain(`http://localhost:${gatehouse.server.port}${npm}/pkg/-/pkg-1.0.0.tgz`);
  expect((await ask(`http://evil.example${npm}/pkg`)).statuses).toEqual([403]);
  expect((await ask('http://localhost/nowhere')).statuses).toEqual([404]);
  expect((await ask('http://localhost')).statuses).toEqual([200]);
});

describe('a flood of headers', () => {
  test.each([
    ['one of a megabyte', `X-A: ${'a'.repeat(1_000_000)}\r\n`],
    ['a hundred thousand small ones', 'A: b\r\n'.repeat(100_000)],
    ['a path of a megabyte', ''],
  ])('with %s is refused', async (what, lines) => {
    const path = what.startsWith('a path') ? `${npm}/${'x'.repeat(1_000_000)}` : `${npm}/pkg`;
    const { statuses } = await say(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`);
    for (const status of statuses) expect([400, 413, 414, 431]).toContain(status);
  });
});

describe('a client that is slow on purpose', () => {
  const slow: [string, string][] = [
    ['says nothing', ''],
    ['never ends its headers', `GET ${npm}/pkg HTTP/1.1\r\nHost: localhost\r\nX-A: `],
    [
      'never sends its body',
      `PUT ${npm}/slow HTTP/1.1\r\nHost: localhost\r\n${auth}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    ],
    [
      'never ends its chunks',
      `PUT ${npm}/slow HTTP/1.1\r\nHost: localhost\r\n${auth}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a"`,
    ],
    [
      'announces a body where none belongs',
      `GET ${npm}/pkg HTTP/1.1\r\nHost: localhost\r\n${auth}\r\nContent-Length: 1000\r\n\r\n`,
    ],
    ['stays after its answer', `GET /-/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n`],
  ];
  test.each(slow)('and %s is disconnected', async (_what, text) => {
    // Resolves when the server has closed the connection; the clock that matters is the server's.
    await say(text, { port: impatient.port, end: false });
    expect(await gatehouse.temporaryFiles()).toEqual([]);
  });

  test('and never reads its download is disconnected', async () => {
    // Those of the tests before this one are on their way out.
    while (openSockets() > 0) await new Promise((resolve) => setImmediate(resolve));
    const socket = open(impatient.port);
    socket.pause();
    socket.write(`GET ${npm}/pkg/-/pkg-1.0.0.tgz HTTP/1.1\r\nHost: localhost\r\n${auth}\r\n\r\n`.repeat(10));
    // Both ends are in this process: first there are two more, then only ours, which does not know yet.
    while (openSockets() < 2) await new Promise((resolve) => setImmediate(resolve));
    while (openSockets() > 1) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    expect((await gatehouse.get(`${npm}/pkg`)).status).toBe(200);
  });
});

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}

describe('a page of another origin', () => {
  const hosts = [
    'evil.example',
    'evil.example:4899',
    'localhost.evil.example',
    'localhost@evil.example',
    '127.0.0.1.nip.io',
    'localhost.',
    '127.0.0.1.',
    '[::1',
    'localhost:99999x',
    'local host',
    'xn--lcalhost-65a',
    '',
    '..',
    '-',
    '*',
    'localhost/..',
    'localhost:80:80',
    `${'a'.repeat(5000)}.localhost.evil`,
    '0x7f.1.evil',
    'ⅼocalhost',
  ];
  test.each(hosts)('that made its name %j point here is refused', async (host) => {
    const { statuses } = await say(
      Buffer.from(`GET ${npm}/pkg HTTP/1.1\r\nHost: ${host}\r\n${auth}\r\nConnection: close\r\n\r\n`, 'utf8'),
    );
    for (const status of statuses) expect([400, 403, 431]).toContain(status);
  });

  test.each(['localhost', 'LOCALHOST', '127.0.0.1', '[::1]', '192.0.2.1', 'anything.localhost'])(
    'is not what %j is',
    async (host) => {
      const { statuses } = await say(
        `GET ${npm}/pkg HTTP/1.1\r\nHost: ${host}:${gatehouse.server.port}\r\n${auth}\r\nConnection: close\r\n\r\n`,
      );
      expect(statuses).toEqual([200]);
    },
  );

  const origins = [
    'https://evil.example',
    'http://evil.example',
    'null',
    'file://',
    'http://localhost',
    'http://localhost:1',
    'http://127.0.0.1:1',
    'https://localhost',
    'http://localhost.evil.example',
    'chrome-extension://x',
    'http://LOCALHOST.',
  ];
  const writes: [string, string][] = [
    ['PUT', `${npm}/pkg`],
    ['DELETE', `${npm}/pkg`],
    ['PUT', `${npm}/-/package/pkg/dist-tags/evil`],
    ['DELETE', `${npm}/-/package/pkg/dist-tags/latest`],
    ['POST', `${npm}/-/v1/login`],
    ['PUT', `${npm}/-/user/org.couchdb.user:root`],
    ['POST', '/api/v4/projects'],
    ['PUT', '/api/v4/projects/1'],
    ['DELETE', '/api/v4/projects/1'],
    ['POST', '/api/v4/projects/1/protected_environments'],
    ['POST', '/api/v4/users/1/personal_access_tokens'],
    ['POST', '/nowhere'],
  ];
  test.each(writes)('cannot %s %s', async (method, path) => {
    for (const origin of origins) {
      const answer = await gatehouse.send(method, path, { headers: { origin }, body: {} });
      expect(answer.status, `${origin}: ${answer.text}`).toBe(403);
    }
  });

  test('is told nothing that a browser would let it read', async () => {
    for (const path of [
      `${npm}/pkg`,
      `${npm}/-/whoami`,
      '/api/v4/user',
      '/-/health',
      '/-/metrics',
      '/-/openapi.json',
      '/nowhere',
    ]) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await gatehouse.send(method, path, {
          headers: { origin: 'https://evil.example', 'access-control-request-method': 'PUT' },
        });
        expect(
          Object.keys(headers).filter((name) => name.startsWith('access-control-') || name === 'set-cookie'),
        ).toEqual([]);
        if (headers['content-type'] !== undefined) expect(headers['x-content-type-options']).toBe('nosniff');
      }
    }
    expect((await gatehouse.get(`${npm}/pkg`)).json()).toMatchObject({ 'dist-tags': { latest: '1.0.0' } });
  });
});
