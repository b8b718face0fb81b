import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { documentBudget } from '../../server/lib/byte-budget.ts';
import { rootToken, TestRegistry } from '../support/registry.ts';
import { kit, useRegistry } from '../support/use-registry.ts';

useRegistry('file');

test('a small body that drips in steadily ends with 408 after half a minute', async () => {
  const socket = connect(kit.server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  socket.write(
    `POST /api/v4/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${rootToken}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  );
  const drip = setInterval(() => socket.write(' '), 500);
  await once(socket, 'close');
  clearInterval(drip);
  expect(said).toMatch(/^HTTP\/1\.1 408 /);
});

test.each([
  ['that is read', rootToken],
  ['that is refused unread', 'wrong'],
])('a body in chunks of one byte, %s, ends early', async (_name, token) => {
  const socket = connect(kit.server.port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `PUT ${kit.projectPath()}/shredded HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunks = '1\r\n \r\n'.repeat(10_000);
  // Far more than the pieces that are read: without an end, all of it would be.
  for (let round = 0; round < 400 && socket.writable; round += 1) {
    if (!socket.write(chunks)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), ended]);
  }
  await ended;
  expect(socket.bytesWritten).toBeLessThan(400 * chunks.length);
});

test('the body of a caller without a token is not parsed, unless it is small and holds one', async () => {
  const post = (body: unknown) => kit.send('POST', '/api/v4/projects', { token: undefined, body });
  for (const body of ['{"name": broken', `{"name": "${'x'.repeat(300_000)}`]) {
    expect((await post(body)).status).toBe(401);
  }
  expect((await post({ private_token: rootToken, name: 'by-token-in-body' })).status).toBe(201);
});

test('bodies beyond what all requests together may hold are asked to come again', async () => {
  const held = ['a', 'b', 'c', 'd'].map((holder) => documentBudget.hold(holder));
  for (const each of held) each.hold(16 * 1024 * 1024);
  const audit = () => kit.send('POST', `${kit.projectPath()}/-/npm/v1/security/advisories/bulk`, { body: {} });
  try {
    const answer = await audit();
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('1');
  } finally {
    for (const each of held) each.release();
  }
  expect((await audit()).status).toBe(200);
});

test('one client behind a proxy cannot hold the memory of all that come through it without a token', async () => {
  const registry = await TestRegistry.start({ hosts: { trustProxy: true } });
  const held = documentBudget.hold(`${registry.server.port} 10.1.2.3`);
  const statusFor = async (address: string) => {
    const path = `${registry.projectPath()}/-/user/org.couchdb.user:nobody`;
    const headers = { 'x-forwarded-for': address };
    const body = { name: 'nobody', password: 'wrong' };
    return (await registry.send('PUT', path, { token: undefined, headers, body })).status;
  };
  try {
    held.hold(16 * 1024 * 1024);
    expect([await statusFor('10.1.2.3'), await statusFor('10.1.2.4')]).toEqual([503, 401]);
  } finally {
    held.release();
    await registry.stop();
  }
});

test('one account cannot hold the memory for documents so that nobody else publishes', async () => {
  const { user, token } = await kit.user();
  const project = await kit.project();
  await kit.member(project.id, user.id, 40);
  const sockets = Array.from({ length: 30 }, () => connect(kit.server.port, '127.0.0.1'));
  const audit = (by: string) =>
    kit.send('POST', `${kit.projectPath(project.id)}/-/npm/v1/security/advisories/bulk`, { token: by, body: {} });
  try {
    const answers = sockets.map(async (socket) => {
      const answer = once(
        socket.on('error', () => undefined),
        'data',
      );
      socket.write(
        `PUT ${kit.projectPath(project.id)}/held HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 10000000\r\n\r\n{"readme":"${'x'.repeat(3_000_000)}`,
      );
      return String(await answer);
    });
    // The first ones wait for more; those beyond the share of the account do not.
    expect(await Promise.any(answers)).toMatch(/^HTTP\/1\.1 503 /);
    expect((await kit.publish({ name: 'by-others', version: '1.0.0' })).status).toBe(200);
    expect((await audit(rootToken)).status).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
