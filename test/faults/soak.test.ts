import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { scaled } from '../support/scale.ts';
import { type GatehouseProcess, gatehouse, rootToken } from '../support/gatehouse-process.ts';
import { dataDir, start, useDataFolder } from './support/data-folder.ts';

/** In half a minute the caches, which may hold 128 MiB together, are still filling; in twenty they are full. */
const mayGrow = scaled('GATEHOUSE_SOAK_MEGABYTES', { short: 128, full: 16 });
const seconds = scaled('GATEHOUSE_SOAK_SECONDS', { short: 30, full: 1200 });
const clients = 8;
const keptVersions = 12;
const samplesWanted = 60;
const npm = '/api/v4/projects/1/packages/npm';
const megabyte = 1024 * 1024;

useDataFolder();
let server: GatehouseProcess;
beforeEach(async () => {
  server = await start();
});

/** One person's day at the registry, over and over, with the mistakes that people make. */
async function client(number: number, isOver: () => boolean, onRequest: () => void): Promise<void> {
  const name = `@soak/client-${number}`;
  const path = `${npm}/${name.replace('/', '%2f')}`;
  const call = async (expected: number, method: string, url: string, options: Parameters<typeof send>[3] = {}) => {
    const answer = await send(server.origin, method, url, { token: rootToken, ...options });
    expect(answer.status, `${method} ${url}: ${answer.text.slice(0, 300)}`).toBe(expected);
    onRequest();
    return answer;
  };
  for (let step = 0; !isOver(); step += 1) {
    const version = `1.${step}.0`;
    const body = await makePublishDocument({ name, version, files: { 'a.js': `${number} ${step}`.repeat(3000) } });
    await call(200, 'PUT', path, { body });
    await call(403, 'PUT', path, { body });
    await call(400, 'PUT', path, { body: { ...body, _attachments: {} } });
    // Now and then: whoever does it all the time is slowed down.
    if (number === 0 && step % 10 === 0)
      await call(401, 'GET', path, { token: `wrong-${step % 3}-000000000000000000` });
    await call(404, 'GET', `${npm}/never-published-${step % 5}`);
    for (const encoding of ['gzip', 'br', 'identity']) {
      await call(200, 'GET', path, { headers: { 'accept-encoding': encoding } });
      await call(200, 'GET', path, {
        headers: { 'accept-encoding': encoding, accept: 'application/vnd.npm.install-v1+json' },
      });
    }
    await call(200, 'GET', `${npm}/${name}/-/client-${number}-${version}.tgz`);
    await call(206, 'GET', `${npm}/${name}/-/client-${number}-${version}.tgz`, { headers: { range: 'bytes=10-99' } });
    await call(204, 'PUT', `${npm}/-/package/${name}/dist-tags/beta`, {
      body: JSON.stringify(version),
      headers: { 'content-type': 'application/json' },
    });
    await call(200, 'GET', `${npm}/-/package/${name}/dist-tags`);
    await call(204, 'DELETE', `${npm}/-/package/${name}/dist-tags/beta`);
    await call(200, 'GET', `/api/v4/packages/npm/-/v1/search?text=client-${number}`);
    await call(200, 'GET', '/api/v4/projects/1/protected_environments');
    if (step >= keptVersions) {
      const old = `1.${step - keptVersions}.0`;
      const { _rev } = (await call(200, 'GET', path)).json<{ _rev: string }>();
      await call(200, 'DELETE', `${npm}/${name}/-/client-${number}-${old}.tgz/-rev/${_rev}`);
    }
  }
}

test(`serves a mixed load for ${seconds} seconds without an error and without growing`, async () => {
  const startedAt = Date.now();
  const isOver = (): boolean => Date.now() - startedAt > seconds * 1000;
  const samples: { memory: number; descriptors: number }[] = [];
  let requests = 0;
  const onRequest = (): void => {
    requests += 1;
    const due = ((Date.now() - startedAt) / (seconds * 1000)) * samplesWanted;
    if (samples.length < due) samples.push({ memory: server.memory(), descriptors: server.descriptors() });
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number, isOver, onRequest)));

  // The first third is the warm-up: caches fill, code is compiled.
  const third = Math.floor(samples.length / 3);
  const [early, late] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const memory = [median(early.map((sample) => sample.memory)), median(late.map((sample) => sample.memory))] as const;
  console.log(
    `${requests} requests; memory ${memory.map((bytes) => `${Math.round(bytes / megabyte)} MB`).join(' then ')}; descriptors ${Math.max(...late.map((sample) => sample.descriptors))}`,
  );
  expect(memory[1], 'memory in the last third').toBeLessThan(memory[0] * 1.15 + mayGrow * megabyte);
  // Small tarballs that get their files open some forty for a moment, which a sample may meet; what leaks is open in all of them.
  const usual = (part: typeof samples): number => median(part.map((sample) => sample.descriptors));
  expect(usual(late), 'descriptors in the last third').toBeLessThanOrEqual(usual(early) + clients);
  // The last publishes may be on their way to their files.
  await expect.poll(() => readdirSync(join(dataDir, 'gatehouse-temporary'))).toEqual([]);
  const { stderr, code } = await server.stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await gatehouse(['doctor'], { dataDir })).toMatchObject({ code: 0 });
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
