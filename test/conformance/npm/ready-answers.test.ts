import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../server/accounts/change.ts';
import type { Answer } from '../../support/http.ts';
import { rootToken, TestRegistry } from '../../support/registry.ts';

/*
 * The hot path answers from memory. These tests ask everything at least twice, so that the second answer is one that was kept, and then
 * change what the answer depended on.
 */

let registry: TestRegistry;
let name: string;
let count = 0;

beforeAll(async () => {
  registry = await TestRegistry.start();
});
afterAll(() => registry.stop());
beforeEach(async () => {
  count += 1;
  name = `hot-${count}`;
  await registry.publish({ name, version: '1.0.0' });
});

const packument = (options: { token?: string | undefined; headers?: Record<string, string> } = {}) =>
  registry.get(`${registry.projectPath()}/${name}`, options);
const tarball = (options: { token?: string | undefined } = {}) =>
  registry.get(`${registry.projectPath()}/${name}/-/${name}-1.0.0.tgz`, options);

async function twice(ask: () => Promise<Answer>): Promise<Answer> {
  await ask();
  return ask();
}

describe('an answer that was kept', () => {
  it('equals the one that was worked out, headers included', async () => {
    for (const ask of [
      () => packument(),
      () => tarball(),
      () => packument({ headers: { 'accept-encoding': 'gzip' } }),
    ]) {
      const [first, second] = [await ask(), await ask()];
      const comparable = ({ status, headers, bytes }: Answer) => {
        const { date: _date, ...kept } = headers;
        return { status, headers: kept, bytes };
      };
      expect(comparable(second)).toEqual(comparable(first));
    }
  });

  it('ends with the next publish, tag and deprecation', async () => {
    await twice(() => packument());
    await registry.publish({ name, version: '1.1.0', tag: 'next' });
    expect(Object.keys((await packument()).json<{ versions: object }>().versions)).toEqual(['1.0.0', '1.1.0']);

    await twice(() => packument());
    const tags = `${registry.projectPath()}/-/package/${name}/dist-tags`;
    await registry.send('PUT', `${tags}/beta`, { body: '"1.1.0"', headers: { 'content-type': 'application/json' } });
    expect((await packument()).json<{ 'dist-tags': object }>()['dist-tags']).toEqual({
      latest: '1.0.0',
      next: '1.1.0',
      beta: '1.1.0',
    });
  });

  it('ends with the unpublish of its version', async () => {
    expect((await twice(() => tarball())).status).toBe(200);
    const { packages } = registry.registry;
    const row = packages.store.findPackage(1, name);
    await packages.unpublisher.unpublishPackage(row?.id ?? 0, systemActor);
    expect((await tarball()).status).toBe(404);
    expect((await packument()).status).toBe(404);
  });

  it('is nobody else’s: another token, no token and a revoked one are asked anew', async () => {
    const { user, token } = await registry.user();
    await registry.member(1, user.id, 10);
    expect((await twice(() => packument({ token }))).status).toBe(200);
    expect((await packument({ token: undefined })).status).toBe(401);
    expect((await packument({ token: `${token}x` })).status).toBe(401);

    const { id } = registry.directory.tokens.findBySecret(token) ?? { id: 0 };
    await registry.directory.tokens.revoke(systemActor, id);
    expect((await packument({ token })).status).toBe(401);
    expect((await tarball({ token })).status).toBe(401);
  });

  it('ends when its reader loses the membership or is blocked', async () => {
    const { user, token } = await registry.user();
    await registry.member(1, user.id, 10);
    expect((await twice(() => tarball({ token }))).status).toBe(200);
    await registry.directory.members.remove(systemActor, { kind: 'project', id: 1 }, user.id);
    expect((await tarball({ token })).status).toBe(404);
  });

  it('is given as 304 to whoever has it, and as HEAD without a body', async () => {
    const { headers } = await twice(() => packument());
    const again = await packument({ headers: { 'if-none-match': headers.etag ?? '' } });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
    const head = await registry.send('HEAD', `${registry.projectPath()}/${name}`);
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([
      200,
      0,
      headers['content-length'],
    ]);
  });

  it('tells each client the origin that it used', async () => {
    const ask = (host: string) => packument({ headers: { host } });
    const tarballOf = async (host: string) =>
      (await twice(() => ask(host))).json<{ versions: Record<string, { dist: { tarball: string } }> }>().versions[
        '1.0.0'
      ]?.dist.tarball;
    expect(await tarballOf('localhost:1234')).toBe(
      `http://localhost:1234${registry.projectPath()}/${name}/-/${name}-1.0.0.tgz`,
    );
    expect(await tarballOf('127.0.0.1:99')).toContain('http://127.0.0.1:99/');
    expect((await ask('evil.example')).status).toBe(403);
  });

  it('counts a download for each tarball, and none for a HEAD or a 304', async () => {
    const { downloads } = registry.registry.packages;
    // What the tests before this one downloaded.
    await downloads.flush();
    await tarball();
    const { headers } = await tarball();
    await registry.send('HEAD', `${registry.projectPath()}/${name}/-/${name}-1.0.0.tgz`);
    await registry.get(`${registry.projectPath()}/${name}/-/${name}-1.0.0.tgz`, {
      headers: { 'if-none-match': headers.etag ?? '' },
    });
    const counted: unknown[] = [];
    const stop = registry.registry.events.subscribe(({ topic, payload }) => {
      if (topic === 'downloads.counted') counted.push(payload);
    });
    await downloads.flush();
    stop();
    const row = registry.registry.packages.store.findPackage(1, name);
    // The window that shows the package reads it again.
    expect(counted).toEqual([{ packageIds: [row?.id] }]);
    expect(registry.registry.packages.catalog.versions(row?.id ?? 0)[0]?.downloads).toBe(2);
  });

  it('does not outlive a token that a query or another header carries', async () => {
    await twice(() => packument());
    const path = `${registry.projectPath()}/${name}`;
    expect((await registry.get(path, { headers: { 'private-token': 'wrong' } })).status).toBe(401);
    expect((await registry.get(`${path}?private_token=${rootToken}`, { token: undefined })).status).toBe(200);
    expect((await registry.get(path, { token: undefined })).status).toBe(401);
  });
});

describe('in memory', () => {
  const forms = ['application/json', 'application/vnd.npm.install-v1+json'];
  const readAll = async (): Promise<void> => {
    for (const accept of forms) {
      for (const encoding of ['identity', 'gzip', 'br']) {
        await packument({ headers: { accept, 'accept-encoding': encoding } });
      }
    }
    await tarball();
  };
  const tag = (version: string): Promise<Answer> =>
    registry.send('PUT', `${registry.projectPath()}/-/package/${name}/dist-tags/beta`, {
      body: JSON.stringify(version),
      headers: { 'content-type': 'application/json' },
    });

  it('stand for one state of a package: those of its former states stayed until the caches were full', async () => {
    await registry.publish({ name, version: '1.1.0' });
    await tag('1.1.0');
    await readAll();
    const before = registry.registry.caches.size;
    for (let round = 0; round < 20; round += 1) {
      expect((await tag(`1.${round % 2}.0`)).status).toBe(204);
      await readAll();
    }
    expect(registry.registry.caches.size - before).toBeLessThan(1000);
  });

  it('hold no block of memory that is larger than they are', async () => {
    const { store, library } = registry.registry.packages;
    const row = store.findPackage(1, name);
    for (const encoding of ['identity', 'gzip', 'br'] as const) {
      const request = { packages: row ? [row] : [], form: 'full', base: 'http://localhost', encoding } as const;
      const { bytes } = await library.render(request);
      expect(bytes.buffer.byteLength).toBe(bytes.length);
      // The same bytes go into both caches.
      expect((await library.render(request)).bytes).toBe(bytes);
    }
  });
});
