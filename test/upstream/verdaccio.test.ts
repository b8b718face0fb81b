import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { startVerdaccio, verdaccioToken } from '../support/verdaccio.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { send } from '../support/http.ts';
import { makeNpm } from '../support/npm.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { encodeName, rootToken, TestRegistry } from '../support/registry.ts';
import { addUpstream, pushTo, readPackument, rootActor } from './support/upstream-registry.ts';
import type { Packument } from './support/upstream-registry.ts';

let folder: string;
let verdaccio: ServerProcess;
let token: string;
let registry: TestRegistry;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-verdaccio-'));
  verdaccio = await startVerdaccio(folder);
  token = await verdaccioToken(verdaccio.origin);
}, 300_000);
afterAll(async () => {
  await verdaccio?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  registry = await TestRegistry.start();
});
afterEach(() => registry.stop());

const there = async (name: string): Promise<Packument> =>
  (await send(verdaccio.origin, 'GET', `/${encodeName(name)}`, { token })).json<Packument>();

describe('a real Verdaccio', () => {
  it('is fetched through, verified, kept, and done without', async () => {
    const body = await makePublishDocument({
      name: '@peer/leaf',
      version: '1.0.0',
      manifest: { description: 'A leaf' },
    });
    const published = await send(verdaccio.origin, 'PUT', '/@peer%2fleaf', { token, body });
    expect(published.status).toBe(201);
    await addUpstream(registry, verdaccio.origin, { kind: 'verdaccio', token });
    const path = registry.projectPath();
    const document = (await registry.get(`${path}/@peer%2fleaf`)).json<Packument>();
    const { dist } = document.versions['1.0.0']!;
    expect(dist.tarball).toBe(`${registry.origin}${path}/@peer/leaf/-/leaf-1.0.0.tgz`);
    expect(dist.integrity).toBe(body.versions['1.0.0']?.dist['integrity']);
    const bytes = (await registry.get(`${path}/@peer/leaf/-/leaf-1.0.0.tgz`)).bytes;
    expect(bytes.toString('base64')).toBe(body._attachments['@peer/leaf-1.0.0.tgz']?.['data']);
    await registry.registry.upstream.setOfflineMode('on', rootActor);
    expect((await registry.get(`${path}/@peer%2fleaf`)).status).toBe(200);
    expect((await registry.get(`${path}/@peer/leaf/-/leaf-1.0.0.tgz`)).bytes.equals(bytes)).toBe(true);
    expect((await registry.get(`${path}/@peer%2fother`)).text).toContain('offline, not cached: @peer/other');
  });

  it('gets publishes, tags, deprecations and unpublishes, in order and each once', async () => {
    const upstream = await addUpstream(registry, verdaccio.origin, {
      kind: 'verdaccio',
      token,
      scopes: [],
      pushSelection: ['@acme'],
    });
    const { outbox } = registry.registry.upstream;
    const { editor, unpublisher, store } = registry.registry.packages;
    const push = () => pushTo(registry, upstream);
    await registry.publish({ name: '@acme/tool', version: '1.0.0' });
    await registry.publish({ name: '@acme/tool', version: '1.1.0-rc.1', tag: 'next' });
    await registry.publish({ name: '@acme/tool', version: '1.1.0' });
    const id = store.packagesNamed('@acme/tool')[0]?.id ?? 0;
    await editor.setTag(id, 'stable', '1.0.0', rootActor);
    await editor.deprecate(id, new Map([['1.0.0', 'use 1.1.0']]), rootActor);
    const first = await push();
    expect(first.operations.map(({ error }) => error).filter((error) => error !== null)).toEqual([]);
    const after = await there('@acme/tool');
    expect(after['dist-tags']).toEqual({ latest: '1.1.0', next: '1.1.0-rc.1', stable: '1.0.0' });
    expect(after.versions['1.0.0']?.deprecated).toBe('use 1.1.0');
    for (const version of store.versionNames(id)) {
      expect(after.versions[version]?.dist.integrity).toBe(store.findVersion(id, version)?.integrity);
    }

    await editor.removeTag(id, 'stable', rootActor);
    await editor.deprecate(id, new Map([['1.0.0', '']]), rootActor);
    await unpublisher.unpublishVersion(id, '1.1.0-rc.1', rootActor);
    const second = await push();
    expect(second.operations.map(({ error }) => error).filter((error) => error !== null)).toEqual([]);
    const later = await there('@acme/tool');
    expect(Object.keys(later.versions).toSorted()).toEqual(['1.0.0', '1.1.0']);
    expect(later['dist-tags']).toEqual({ latest: '1.1.0' });
    expect(later.versions['1.0.0']?.deprecated ?? '').toBe('');
    expect(await outbox.plan(upstream.id, [])).toEqual([]);
  });

  it('has no tag after a push that is not here', async () => {
    const settings = { kind: 'verdaccio', token, scopes: [] } as const;
    const upstream = await addUpstream(registry, verdaccio.origin, settings);
    const { editor, store } = registry.registry.packages;
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await registry.publish({ name: '@acme/back', version });
    await editor.setTag(store.packagesNamed('@acme/back')[0]?.id ?? 0, 'latest', '1.1.0', rootActor);
    expect(await pushTo(registry, upstream, ['@acme/back'])).toMatchObject({ failed: 0, conflicts: 0 });
    expect(await there('@acme/back')).toMatchObject({ versions: { '1.0.0': {}, '1.1.0': {}, '1.2.0': {} } });
    expect((await there('@acme/back'))['dist-tags']).toEqual({ latest: '1.1.0' });
  });

  it('shows both sides of a version that it has with other bytes', async () => {
    const body = await makePublishDocument({ name: '@acme/clash', version: '1.0.0', files: { 'index.js': 'theirs' } });
    await send(verdaccio.origin, 'PUT', '/@acme%2fclash', { token, body });
    await registry.publish({ name: '@acme/clash', version: '1.0.0', files: { 'index.js': 'ours' } });
    const upstream = await addUpstream(registry, verdaccio.origin, { kind: 'verdaccio', token, scopes: [] });
    const [operation] = await registry.registry.upstream.outbox.plan(upstream.id, ['@acme/clash']);
    expect(operation).toMatchObject({ kind: 'publish', verdict: 'conflict' });
    expect(operation?.there).toContain(body.versions['1.0.0']?.dist['integrity']);
  });
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
    pushSelection: ['@acme/base', '@acme/made-offline'],
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
  expect(await pushTo(registry, upstream)).toMatchObject({ failed: 0, conflicts: 0 });
  const [arrived, here] = [await there('@acme/made-offline'), await readPackument(registry, '@acme/made-offline')];
  expect(arrived.versions['1.0.0']?.dist.integrity).toBe(here?.versions['1.0.0']?.dist.integrity);
});
