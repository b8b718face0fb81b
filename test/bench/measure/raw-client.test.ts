import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { RawConnection, requestHead } from './raw-client.ts';

const open: { server: Server; sockets: Socket[]; connection: RawConnection }[] = [];

afterEach(() => {
  for (const { server, sockets, connection } of open.splice(0)) {
    connection.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

/** Instead of a piece: the server closes the connection. */
const hangUp = 'hang up';

/** A server that answers each request with the next of these texts, written piece by piece. */
async function connectTo(
  answers: readonly (readonly string[])[],
): Promise<{ connection: RawConnection; head: Buffer }> {
  const sockets: Socket[] = [];
  let turn = 0;
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.setNoDelay(true);
    socket.on('data', () => {
      const [first, ...more] = answers[turn++] ?? [];
      const write = (piece: string | undefined): void => {
        // Each in a turn of its own, so that they arrive apart.
        if (piece === hangUp) socket.end();
        else if (piece !== undefined) socket.write(piece, () => setImmediate(() => write(more.shift())));
      };
      write(first);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connection = new RawConnection('127.0.0.1', port);
  open.push({ server, sockets, connection });
  await connection.opened();
  return { connection, head: requestHead('GET', new URL(`http://127.0.0.1:${port}`), '/') };
}

test('counts a body by its Content-Length, however it is cut', async () => {
  const { connection, head } = await connectTo([
    ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789'],
    ['HTTP/1.1 200 OK\r\nContent-Le', 'ngth: 4\r', '\n\r\n', 'ab', 'cd'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
  ]);
  expect(await connection.request(head)).toMatchObject({ status: 200, bodyBytes: 10 });
  expect(await connection.request(head)).toMatchObject({ status: 200, bodyBytes: 4 });
  expect(await connection.request(head)).toMatchObject({ status: 200, bodyBytes: 0 });
});

test('reads chunked bodies to the end of their trailer', async () => {
  const start = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  const { connection, head } = await connectTo([
    [`${start}5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n`],
    [start, '1', '0\r\n0123456789', 'abcdef\r', '\n0\r\nX-Trailer: 1\r\n', '\r\n'],
    [`${start}0\r\n\r\n`],
  ]);
  expect(await connection.request(head)).toMatchObject({ status: 200, bodyBytes: 11 });
  expect(await connection.request(head)).toMatchObject({ status: 200, bodyBytes: 16 });
  expect(await connection.request(head)).toMatchObject({ status: 200, bodyBytes: 0 });
});

test('expects no body of 304 and 204, and keeps an excerpt of a failure', async () => {
  const { connection, head } = await connectTo([
    ['HTTP/1.1 304 Not Modified\r\nContent-Length: 999\r\n\r\n'],
    ['HTTP/1.1 204 No Content\r\n\r\n'],
    ['HTTP/1.1 404 Not Found\r\nContent-Length: 7\r\n\r\nnothing'],
  ]);
  expect(await connection.request(head)).toMatchObject({ status: 304, bodyBytes: 0 });
  expect(await connection.request(head)).toMatchObject({ status: 204, bodyBytes: 0 });
  const missing = await connection.request(head);
  expect(missing.status).toBe(404);
  expect(missing.excerpt).toContain('nothing');
});

test('rejects when the server goes away in the middle of an answer', async () => {
  const { connection, head } = await connectTo([['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01', hangUp]]);
  await expect(connection.request(head)).rejects.toThrow('closed');
});
