import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EmbeddedRegistry, StartOptions } from './api.ts';
import { startRegistry } from './start-registry.ts';

let folder: string;
const started: EmbeddedRegistry[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-embed-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((registry) => registry.close()));
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

async function start<const Name extends string = never>(options?: StartOptions<Name>): Promise<EmbeddedRegistry<Name>> {
  const registry = await startRegistry(options);
  started.push(registry);
  return registry;
}

const hat = { manifest: { name: '@acme/hat', version: '1.0.0' }, files: { 'README.md': '# Hat', 'index.js': '1' } };

describe('a registry of this process', () => {
  test('has its packages and users, whose rights are those of their roles', async () => {
    const registry = await start({ packages: [hat], users: { ann: 'developer', ben: 'reporter', eve: 'admin' } });
    const packument = await registry.packument('@acme/hat');
    expect(packument).toMatchObject({ 'dist-tags': { latest: '1.0.0' }, readme: '# Hat' });
    expect(packument?.versions['1.0.0']?.dist.tarball.startsWith(registry.url)).toBe(true);
    const scarf = { manifest: { name: 'scarf', version: '1.0.0-rc.1' } };
    await expect(registry.publish(scarf, { token: registry.users.ben.token })).rejects.toThrow(/scarf.*403/);
    expect(await registry.packument('scarf')).toBeUndefined();
    const published = await registry.publish(scarf, { token: registry.users.ann.token, tag: 'next' });
    expect(published).toMatchObject({ name: 'scarf', version: '1.0.0-rc.1' });
    expect((await registry.packument('scarf'))?.['dist-tags']).toMatchObject({ next: '1.0.0-rc.1' });
    const [first, second] = registry.users.eve.npmrc.trim().split('\n');
    expect(first).toBe(`registry=${registry.url}`);
    expect(second).toBe(`${registry.url.replace('http:', '')}:_authToken=${registry.users.eve.token}`);
    const projects = await fetch(`${registry.apiUrl}/users`, { headers: { 'PRIVATE-TOKEN': registry.token } });
    expect(await projects.json()).toHaveLength(4);
  });

  test('gets a folder as npm packs it, whatever registry its package.json names', async () => {
    const registry = await start();
    const source = path.join(folder, 'source');
    await mkdir(source);
    const publishConfig = { registry: 'http://127.0.0.1:9/', tag: 'beta' };
    const manifest = { name: 'folder', version: '2.0.0', files: ['kept.js'], publishConfig };
    await writeFile(path.join(source, 'package.json'), JSON.stringify(manifest));
    for (const name of ['kept.js', 'left-out.js']) await writeFile(path.join(source, name), '');
    const { integrity } = await registry.publish(source);
    const packument = await registry.packument('folder');
    expect(packument?.['dist-tags']).toMatchObject({ beta: '2.0.0' });
    expect(packument?.versions['2.0.0']?.dist).toMatchObject({ integrity, fileCount: 2 });
    await expect(registry.publish(folder)).rejects.toThrow(`There is no package.json in ${folder}.`);
    expect((await readdir(folder)).filter((name) => name.startsWith('gatehouse-pack-'))).toEqual([]);
  });

  test('needs no folder to be named for what is not kept', async () => {
    vi.stubEnv('TMPDIR', undefined);
    expect(await (await start({ packages: [hat] })).packument('@acme/hat')).toBeDefined();
    expect(await readdir(folder)).toEqual([]);
  });

  test('goes by no setting of the environment', async () => {
    vi.stubEnv('GATEHOUSE_ROOT_TOKEN', 'a-token-of-the-environment');
    expect((await start()).token).not.toBe('a-token-of-the-environment');
    expect((await start({ token: 'a-token-of-the-options' })).token).toBe('a-token-of-the-options');
  });

  test('is refused with the name of what is wrong', async () => {
    const wrong = { prot: 4899, users: { ann: 'boss' }, packages: [7] } as unknown as StartOptions;
    await expect(startRegistry(wrong)).rejects.toThrow(/prot[^]*users\.ann[^]*packages|users\.ann[^]*prot/);
    await expect(startRegistry({ token: 'short' })).rejects.toThrow('at least 20 characters');
    const { url } = await start();
    await expect(startRegistry({ port: Number(new URL(url).port) })).rejects.toThrow(/Port \d+ is taken/);
    await expect(startRegistry({ packages: ['/no/such/folder'] })).rejects.toThrow('There is no package.json in');
    // Of the registry that runs.
    expect(await readdir(folder)).toHaveLength(1);
  });
});

describe('several registries of one process', () => {
  test('share neither packages nor tokens nor their end', async () => {
    const [one, other] = await Promise.all([start({ packages: [hat] }), start()]);
    expect(await other.packument('@acme/hat')).toBeUndefined();
    await expect(other.publish(hat, { token: one.token })).rejects.toThrow('401');
    await other.publish({ manifest: { ...hat.manifest, version: '9.0.0' } });
    await one.reset();
    await one.close();
    expect(Object.keys((await other.packument('@acme/hat'))?.versions ?? {})).toEqual(['9.0.0']);
  });

  test('do not keep one another from publishing with bodies that never end', async () => {
    const [flooded, other] = await Promise.all([start(), start()]);
    const { hostname, port, pathname } = new URL(flooded.url);
    const headers = { authorization: `Bearer ${flooded.token}`, 'content-type': 'application/json' };
    const part = `{"readme":"${'x'.repeat(2_000_000)}`;
    const stalled = Array.from({ length: 12 }, () => {
      const sending = request({ hostname, port, method: 'PUT', path: `${pathname}flood`, headers });
      sending.on('error', () => undefined);
      sending.write(part);
      return sending;
    });
    const [refusal] = await Promise.race(stalled.map((sending) => once(sending, 'response')));
    expect((refusal as { statusCode: number }).statusCode).toBe(503);
    const statusOf = async ({ url, token }: EmbeddedRegistry): Promise<number> => {
      const whole = { method: 'PUT', headers: { ...headers, authorization: `Bearer ${token}` }, body: `${part}"}` };
      return (await fetch(`${url}flood`, whole)).status;
    };
    // The second one gets as far as to be no publish document.
    await expect.poll(() => statusOf(flooded)).toBe(503);
    expect(await statusOf(other)).toBe(400);
    for (const sending of stalled) sending.destroy();
  });

  test('can stand behind one another', async () => {
    const behind = await start({ packages: [hat], users: { reader: 'reporter' } });
    const front = await start({ upstream: { url: behind.url, token: behind.users.reader.token } });
    const dist = (await front.packument('@acme/hat'))?.versions['1.0.0']?.dist;
    const tarball = await fetch(dist?.tarball ?? '', { headers: { authorization: `Bearer ${front.token}` } });
    expect(tarball.status).toBe(200);
    await behind.publish({ manifest: { name: 'later', version: '1.0.0' } });
    await front.reset();
    expect(await front.packument('later')).toBeDefined();
  });
});

describe('reset', () => {
  test('turns back to the start in less than 50 ms, with the same address and tokens', async () => {
    const registry = await start({ packages: [hat], users: { ann: 'developer' } });
    const { url, token, users } = registry;
    const headers = { 'PRIVATE-TOKEN': token };
    const tagOf = async (): Promise<string | null> =>
      (await fetch(`${url}@acme%2fhat`, { headers: { authorization: `Bearer ${token}` } })).headers.get('etag');
    const entityTags = new Set<string | null>([await tagOf()]);
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await registry.publish({ manifest: { ...hat.manifest, version: '2.0.0' } }, { token: users.ann.token });
      const revoked = await fetch(`${registry.apiUrl}/personal_access_tokens/1`, { method: 'DELETE', headers });
      expect(revoked.status).toBe(204);
      await expect(registry.packument('@acme/hat')).rejects.toThrow('401');
      const began = performance.now();
      await registry.reset();
      times.push(performance.now() - began);
      expect(Object.keys((await registry.packument('@acme/hat'))?.versions ?? {})).toEqual(['1.0.0']);
      entityTags.add(await tagOf());
    }
    // Else a client would take what it has of the former state for what is here.
    expect(entityTags.size).toBe(6);
    expect(Math.min(...times)).toBeLessThan(50);
    expect(registry).toMatchObject({ url, token });
  });

  test('leaves a publish that is under way to the former state', async () => {
    const registry = await start();
    const path = `${new URL(registry.url).pathname}-/package/hat/dist-tags/next`;
    await registry.publish({ manifest: { name: 'hat', version: '1.0.0' } });
    const { hostname, port } = new URL(registry.url);
    const headers = {
      authorization: `Bearer ${registry.token}`,
      'content-type': 'application/json',
      expect: '100-continue',
    };
    const sending = request({ hostname, port, path, method: 'PUT', headers });
    sending.flushHeaders();
    await once(sending, 'continue');
    await registry.reset();
    await registry.publish({ manifest: { name: 'hat', version: '1.0.0' } });
    sending.end('"1.0.0"');
    const [answer] = (await once(sending, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    expect(answer.statusCode).toBe(204);
    answer.resume();
    expect((await registry.packument('hat'))?.['dist-tags']).toEqual({ latest: '1.0.0' });
  });

  test('is for registries without a folder of their own, whose packages stay', async () => {
    const options = { dataDir: path.join(folder, 'data'), packages: [hat], users: { ann: 'developer' } } as const;
    const first = await start(options);
    await first.publish({ manifest: { ...hat.manifest, version: '2.0.0' } });
    await expect(first.reset()).rejects.toThrow('start one without it');
    await first.close();
    const second = await start(options);
    expect(Object.keys((await second.packument('@acme/hat'))?.versions ?? {})).toEqual(['1.0.0', '2.0.0']);
    await second.publish({ manifest: { ...hat.manifest, version: '3.0.0' } }, { token: second.users.ann.token });
    await expect(startRegistry(options)).rejects.toThrow('is in use by another Gatehouse');
  });
});

test.skipIf(process.platform === 'win32')('nobody else can read what a registry with dataDir writes', async () => {
  const dataDir = path.join(folder, 'shared');
  await mkdir(dataDir, { mode: 0o755 });
  await start({ dataDir, packages: [hat] });
  const entries = await readdir(dataDir, { recursive: true });
  const open = entries.filter((entry) => (statSync(path.join(dataDir, entry)).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});

describe('close', () => {
  test('leaves no file, no handle, no listener and no changed setting in the process', async () => {
    const eventsOf = (): unknown => process.eventNames().map((name) => [name, process.listenerCount(name)]);
    const handlesOf = (): string[] =>
      process.getActiveResourcesInfo().filter((kind) => /Server|Socket|TCP|Pipe|Timeout|Watch|Process/.test(kind));
    const before = { umask: process.umask(), events: eventsOf(), handles: handlesOf().toSorted(), cwd: process.cwd() };
    const registry = await start({ packages: [hat] });
    expect({ umask: process.umask(), events: eventsOf() }).toEqual({ umask: before.umask, events: before.events });
    await registry.reset();
    // A client that would wait for ever.
    const { hostname, port, pathname } = new URL(registry.url);
    const hanging = request({
      hostname,
      port,
      path: `${pathname}hat`,
      method: 'PUT',
      headers: { 'content-length': 5 },
    });
    hanging.on('error', () => undefined);
    hanging.flushHeaders();
    await Promise.all([registry.close(), registry.close()]);
    hanging.destroy();
    await expect(registry.reset()).rejects.toThrow('closed');
    await expect(registry.packument('@acme/hat')).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
    await expect
      .poll(() => ({ umask: process.umask(), events: eventsOf(), handles: handlesOf().toSorted(), cwd: process.cwd() }))
      .toEqual(before);
  });
});
