import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { startVerdaccio, verdaccioToken } from '../support/verdaccio.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { encodeName, TestRegistry } from '../support/registry.ts';
import { addUpstream, rootActor } from './support/upstream-registry.ts';

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

interface Packument {
  'dist-tags': Record<string, string>;
  versions: Record<string, { deprecated?: string; dist: { integrity: string; tarball: string } }>;
}

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
    const { editor, store } = registry.registry.packages;
    const push = async () => {
      await outbox.start(upstream.id, []);
      await expect.poll(() => outbox.status(upstream.id).running, { timeout: 30_000 }).toBe(false);
      return outbox.status(upstream.id);
    };
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
    await editor.unpublishVersion(id, '1.1.0-rc.1', rootActor);
    const second = await push();
    expect(second.operations.map(({ error }) => error).filter((error) => error !== null)).toEqual([]);
    const later = await there('@acme/tool');
    expect(Object.keys(later.versions).toSorted()).toEqual(['1.0.0', '1.1.0']);
    expect(later['dist-tags']).toEqual({ latest: '1.1.0' });
    expect(later.versions['1.0.0']?.deprecated ?? '').toBe('');
    expect(await outbox.plan(upstream.id, [])).toEqual([]);
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
