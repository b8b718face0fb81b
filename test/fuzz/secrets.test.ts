import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemActor } from '../../server/accounts/change.ts';
import { listen } from '../../server/http/listen.ts';
import type { RunningServer } from '../../server/services.ts';
import { send } from '../support/http.ts';
import { TestRegistry, rootToken } from '../support/registry.ts';

let gatehouse: TestRegistry;
let server: RunningServer;
let log = '';
const events: string[] = [];
const password = 'correct horse battery staple 4711';

beforeAll(async () => {
  gatehouse = await TestRegistry.start();
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  gatehouse.registry.events.subscribe((event) => events.push(JSON.stringify(event)));
  server = await listen({
    registry: gatehouse.registry,
    log: pino({ level: 'trace' }, output),
    host: '127.0.0.1',
    port: 0,
    hosts: { allowedHosts: [], trustProxy: false, externalUrl: null },
  });
});
afterAll(async () => {
  await server.stop(0);
  await gatehouse.stop();
});

describe('a secret', () => {
  test('stands in no answer, log, audit row, event or request list, however it was sent', async () => {
    const { user, token } = await gatehouse.user({ username: 'careful', password });
    const extra = await gatehouse.token(user.id);
    const wrong = 'glpat-this-one-is-not-a-token-000';
    const origin = `http://127.0.0.1:${server.port}`;
    const npm = '/api/v4/projects/1/packages/npm';
    const answers = [];
    const asked: [string, string, Parameters<typeof send>[3]][] = [
      ...[token, wrong].flatMap((secret): [string, string, Parameters<typeof send>[3]][] => [
        ['GET', `${npm}/-/whoami`, { token: secret }],
        ['GET', `${npm}/-/whoami?private_token=${secret}`, {}],
        ['GET', `/api/v4/user?access_token=${secret}`, {}],
        ['GET', '/api/v4/user', { headers: { 'private-token': secret } }],
        [
          'GET',
          '/api/v4/user',
          { headers: { authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}` } },
        ],
        ['POST', '/api/v4/projects', { body: { private_token: secret, name: '!' } }],
        ['PUT', `${npm}/nothing?private_token=${secret}`, { body: '{' }],
        ['GET', `/nowhere/at/all?private_token=${secret}`, {}],
        ['GET', `${npm}/%zz?private_token=${secret}`, {}],
        ['DELETE', `${npm}/-/npm/v1/tokens/token/${secret}`, { token: secret }],
        ['DELETE', `${npm}/-/user/token/${secret}`, { token: secret }],
        ['DELETE', `${npm}/-/user/token/${secret.replaceAll('-', '%2d')}`, { token: secret }],
        ['DELETE', `${npm}/%2d/user/token/${secret}`, { token: secret }],
      ]),
      [
        'PUT',
        `${npm}/-/user/org.couchdb.user:careful`,
        { body: { name: 'careful', password, email: 'a@b.c', type: 'user' } },
      ],
      [
        'PUT',
        `${npm}/-/user/org.couchdb.user:careful`,
        { body: { name: 'careful', password: `${password}-wrong`, type: 'user' } },
      ],
      ['POST', `${npm}/-/npm/v1/tokens`, { token: rootToken, body: { password, readonly: false } }],
    ];
    const issued: string[] = [];
    for (const [method, path, options] of asked) {
      const answer = await send(origin, method, path, options);
      const made = /"token":"(glpat-[^"]+)"/.exec(answer.text)?.[1];
      // A token that was just made is the one secret that an answer may hold, once.
      if (made !== undefined) issued.push(made);
      answers.push(made === undefined ? answer.text : answer.text.replaceAll(made, ''));
      answers.push(JSON.stringify(answer.headers));
    }
    await gatehouse.directory.tokens.revoke(systemActor, 2);
    const audit = JSON.stringify(gatehouse.registry.audit.list({}, { limit: 1000, offset: 0 }));
    const requests = JSON.stringify(server.requests.list({ limit: 1000 }));
    const places = { answers: answers.join('\n'), log, audit, events: events.join('\n'), requests };
    for (const [place, text] of Object.entries(places)) {
      for (const secret of [token, extra, wrong, rootToken, password, ...issued]) {
        expect(text.includes(secret), `${place} holds ${secret}`).toBe(false);
        expect(text.includes(encodeURIComponent(secret)), `${place} holds ${secret}`).toBe(false);
      }
    }
  });

  test('is nowhere in the data folder’s database, only what recognises it', async () => {
    const { token } = await gatehouse.user({ password: `${password}!` });
    await gatehouse.publish({ name: 'logged', version: '1.0.0' });
    for (const file of ['gatehouse.db', 'gatehouse.db-wal']) {
      const bytes = readFileSync(`${gatehouse.dataDir}/${file}`);
      expect(bytes.includes(token), file).toBe(false);
      expect(bytes.includes(`${password}!`), file).toBe(false);
      expect(bytes.includes(rootToken), file).toBe(false);
    }
  });
});

describe('guessing tokens', () => {
  test('is slowed down with one answer for every guess, and never stops a valid token of this machine', async () => {
    const npm = gatehouse.projectPath();
    const statuses: number[] = [];
    const late = new Set<string>();
    for (let count = 0; count < 420; count += 1) {
      const path = count % 2 === 0 ? `${npm}/-/whoami` : '/api/v4/user';
      const answer = await gatehouse.get(path, { token: `glpat-guess-${count}-${'x'.repeat(count % 30)}` });
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      late.add(`${count % 2}: ${answer.text.replaceAll(/\d+ seconds/g, 'n seconds')}`);
    }
    expect(statuses.slice(0, 250).every((status) => status === 401)).toBe(true);
    expect(statuses.slice(-50).every((status) => status === 429)).toBe(true);
    expect(late.size, [...late].join('\n')).toBe(2);
    expect((await gatehouse.get('/api/v4/user')).status).toBe(200);
    const { token } = await gatehouse.user();
    expect((await gatehouse.get('/api/v4/user', { token })).status).toBe(200);
  });
});
