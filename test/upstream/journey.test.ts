import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startVerdaccio, verdaccioToken } from '../support/verdaccio.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { send } from '../support/http.ts';
import { makeNpm } from '../support/npm.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { encodeName, rootToken, TestRegistry } from '../support/registry.ts';
import { addUpstream, rootActor } from './support/upstream-registry.ts';

let folder: string;
let verdaccio: ServerProcess;
let token: string;
let registry: TestRegistry;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-journey-'));
  verdaccio = await startVerdaccio(folder);
  token = await verdaccioToken(verdaccio.origin);
  registry = await TestRegistry.start();
}, 300_000);
afterAll(async () => {
  await registry?.stop();
  await verdaccio?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('npm: prefetch, go offline, install, publish, come back, push, and see it arrive', async () => {
  for (const [name, version, dependencies] of [
    ['leaf', '1.2.0', {}],
    ['branch', '2.0.0', { leaf: '^1.0.0' }],
  ] as const) {
    const body = await makePublishDocument({ name, version, manifest: { dependencies } });
    expect((await send(verdaccio.origin, 'PUT', `/${name}`, { token, body })).status).toBe(201);
  }
  const upstream = await addUpstream(registry, verdaccio.origin, {
    name: 'company',
    kind: 'verdaccio',
    token,
    pushSelection: ['@acme'],
  });
  const { upstream: services } = registry.registry;
  await registry.publish({ name: '@acme/base', version: '1.0.0', manifest: { dependencies: { branch: '^2.0.0' } } });

  const job = services.prefetcher.fromPackages(['@acme/base']);
  await expect.poll(() => services.prefetcher.job(job.id).state, { timeout: 20_000 }).toBe('done');
  expect(services.prefetcher.job(job.id).failures).toEqual([]);
  await services.setOfflineMode('on', rootActor);

  const npm = await makeNpm(join(folder, 'npm'), registry.origin, rootToken);
  const app = join(folder, 'app');
  await mkdir(app);
  const manifest = { name: 'app', version: '1.0.0', private: true, dependencies: { '@acme/base': '^1.0.0' } };
  await writeFile(join(app, 'package.json'), JSON.stringify(manifest));
  const installed = await npm.run(app, 'install');
  expect(installed.stderr).not.toContain('npm error');
  expect(JSON.parse(await readFile(join(app, 'node_modules/leaf/package.json'), 'utf8'))).toMatchObject({
    version: '1.2.0',
  });
  await rm(join(app, 'node_modules'), { recursive: true });
  await rm(join(folder, 'npm', 'npm-cache'), { recursive: true, force: true });
  expect((await npm.run(app, 'ci')).code).toBe(0);

  const missing = await npm.run(app, 'install', 'something-else');
  expect(missing.code).not.toBe(0);
  expect(missing.stderr).toContain('offline, not cached: something-else');

  const published = await npm.publish({ name: '@acme/made-offline', version: '1.0.0' });
  expect(published.stderr).not.toContain('npm error');
  expect(published.code).toBe(0);

  await services.setOfflineMode('auto', rootActor);
  await services.outbox.start(upstream.id, []);
  await expect.poll(() => services.outbox.status(upstream.id).running, { timeout: 30_000 }).toBe(false);
  expect(services.outbox.status(upstream.id)).toMatchObject({ failed: 0, conflicts: 0 });
  const arrived = await send(verdaccio.origin, 'GET', `/${encodeName('@acme/made-offline')}`, { token });
  const here = await registry.get(`${registry.projectPath()}/@acme%2fmade-offline`);
  type Dist = { versions: Record<string, { dist: { integrity: string } }> };
  expect(arrived.json<Dist>().versions['1.0.0']?.dist.integrity).toBe(
    here.json<Dist>().versions['1.0.0']?.dist.integrity,
  );
});
