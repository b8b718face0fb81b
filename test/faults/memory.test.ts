import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GatehouseProcess, rootToken } from '../support/gatehouse-process.ts';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { useDataFolder } from './support/data-folder.ts';
import { heldMemory, startMeasured } from './support/held-memory.ts';

const npm = '/api/v4/projects/1/packages/npm';
const megabyte = 1024 * 1024;
const rounds = 6000;
const connections = 8;
/** What the caches may hold in all, and what V8 and the allocator keep besides. */
const [cacheLimit, slack] = [96 * megabyte, 80 * megabyte];

useDataFolder();
let server: GatehouseProcess;
const agent = new Agent({ keepAlive: true, maxSockets: connections });

beforeEach(async () => {
  server = await startMeasured();
  for (const name of ['one', 'two']) {
    const body = await makePublishDocument({ name, version: '1.0.0', files: { 'a.js': 'x'.repeat(10_000) } });
    expect((await send(server.origin, 'PUT', `${npm}/${name}`, { token: rootToken, body })).status).toBe(200);
  }
});
afterEach(() => agent.destroy());

/** Resolves with the status when the answer has been read. */
function get(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(new URL(path, server.origin), { agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}

async function flood(work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < rounds) await work(next++);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

const noise = (length: number): string =>
  randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);
const bearer = (): Record<string, string> => ({ authorization: `Bearer ${rootToken}` });

const keptReady = 'headers of answers that are kept ready';

/** Requests of one caller that differ in everything that the caller writes. */
const floods: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
  'shapes of searches': (index) => {
    const words = ['keywords:a', 'author:root', 'scope:x', 'is:deprecated', 'maintainer:root', 'word'];
    const count = 1 + (index % 60);
    const text = Array.from({ length: count }, (_, at) => words[(index * 7 + at * at) % words.length]).join(' ');
    return get(`/api/v4/packages/npm/-/v1/search?text=${encodeURIComponent(text)}`, bearer());
  },
  [keptReady]: (index) =>
    get(`${npm}/${index % 2 === 0 ? 'one' : 'two'}${index % 3 === 0 ? '/-/one-1.0.0.tgz' : ''}`, {
      authorization: `Basic ${Buffer.from(`${noise(600)}:${rootToken}`).toString('base64')}`,
      accept: `application/json, x/${noise(200)}`,
      'accept-encoding': `gzip, ${noise(200)}`,
      host: `${noise(60)}.localhost:${1 + (index % 65_000)}`,
      'user-agent': `npm/${noise(200)}`,
    }),
  'long paths and user agents': (index) =>
    get(`${npm}/${noise(12_000)}${index}`, { ...bearer(), 'user-agent': noise(12_000) }),
  'unknown tokens': (index) => get(`${npm}/one`, { authorization: `Bearer ${noise(8000)}${index}` }),
};

test.each(Object.keys(floods))('holds no more for thousands of %s', async (name) => {
  const work = floods[name] ?? (() => Promise.resolve());
  // Code is compiled and the first tables are made.
  for (let index = 0; index < 200; index += 1) await work(index);
  const before = await heldMemory(server);
  await flood(work);
  const after = await heldMemory(server);
  expect(after.resident - before.resident).toBeLessThan(slack + (name === keptReady ? cacheLimit : 0));
  expect(await get(`${npm}/one`, bearer())).toBe(200);
});
