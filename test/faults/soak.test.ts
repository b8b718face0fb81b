import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { scaled } from '../support/scale.ts';
import { type GatehouseProcess, gatehouse, rootToken } from '../support/gatehouse-process.ts';
import { dataDir, useDataFolder } from './support/data-folder.ts';
import { heldMemory, startMeasured, type HeldMemory } from './support/held-memory.ts';

/** Some half a minute, and some twenty. */
const wanted = scaled('GATEHOUSE_SOAK_REQUESTS', { short: 6000, full: 150_000 });
const clients = 8;
const keptVersions = 12;
const samplesWanted = 30;
const npm = '/api/v4/projects/1/packages/npm';
const megabyte = 1024 * 1024;

useDataFolder();
let server: GatehouseProcess;
beforeEach(async () => {
  server = await startMeasured();
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

test(`serves a mixed load of ${wanted} requests without an error and without growing`, async () => {
  const samples: (HeldMemory & { descriptors: number })[] = [];
  let requests = 0;
  let sampling = Promise.resolve();
  const sample = async (): Promise<void> => {
    samples.push({ ...(await heldMemory(server)), descriptors: server.descriptors() });
  };
  const onRequest = (): void => {
    requests += 1;
    if (requests % Math.ceil(wanted / samplesWanted) === 0) sampling = sampling.then(sample);
  };
  await Promise.all(
    Array.from({ length: clients }, (_, number) => client(number, () => requests >= wanted, onRequest)),
  );
  await sampling;

  // The first third is the warm-up: code is compiled, the log of requests fills.
  const third = Math.floor(samples.length / 3);
  const [early, late] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const memoryOf = (part: typeof samples): HeldMemory => ({
    live: median(part.map(({ live }) => live)),
    resident: median(part.map(({ resident }) => resident)),
  });
  const [before, after] = [memoryOf(early), memoryOf(late)];
  const shown = [before, after].map(
    ({ live, resident }) => `${(live / megabyte).toFixed(1)} MB of ${Math.round(resident / megabyte)} MB`,
  );
  console.log(`${shown.join(', then ')}; descriptors ${Math.max(...late.map((one) => one.descriptors))}`);
  // The state of the registry is the same in both: only compiled code and the bodies of requests under way differ.
  expect(after.live, 'live memory in the last third').toBeLessThan(before.live + 4 * megabyte);
  // SQLite's pages of a database that grows, and free blocks that the C library keeps, come to some 10 MB with each doubling.
  expect(after.resident, 'memory in the last third').toBeLessThan(before.resident * 1.15 + 16 * megabyte);
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
