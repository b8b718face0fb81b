import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UpstreamRow } from '../../server/upstream/upstream-store.ts';
import type { UpstreamChange } from '../../server/upstream/upstreams.ts';
import type { TestRegistry } from '../support/registry.ts';
import { rootToken } from '../support/registry.ts';
import { FakeUpstream } from './support/fake-upstream.ts';
import { addUpstream, noise, rootActor, startWithClock } from './support/upstream-registry.ts';
import type { ManualClock, Packument } from './support/upstream-registry.ts';

let upstream: FakeUpstream;
let registry: TestRegistry;
let clock: ManualClock;
let row: UpstreamRow;

beforeEach(async () => {
  upstream = await FakeUpstream.start();
  ({ registry, clock } = await startWithClock());
  row = await addUpstream(registry, upstream.url);
  await upstream.publish('left-pad', '1.0.0');
});
afterEach(async () => {
  await registry.stop();
  await upstream.goAway();
});

const update = (settings: UpstreamChange) => registry.registry.upstream.upstreams.update(row.id, settings, rootActor);
const path = (rest: string): string => `${registry.projectPath()}/${rest}`;
const tarballPath = (name: string, version: string): string =>
  path(`${name}/-/${name.split('/').at(-1)}-${version}.tgz`);

describe('fetching through', () => {
  it('is off without an upstream', async () => {
    await registry.registry.upstream.removeUpstream(row.id, rootActor);
    expect((await registry.get(path('left-pad'))).status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });

  it('answers with tarball addresses of the prefix that was asked, and keeps what it fetched', async () => {
    const bytes = await upstream.publish('left-pad', '1.0.0');
    for (const prefix of [registry.projectPath(), registry.groupPath(1), registry.instancePath]) {
      const answer = await registry.get(`${prefix}/left-pad`, {
        headers: { host: `localhost:${registry.server.port}` },
      });
      expect(answer.status).toBe(200);
      const { dist } = answer.json<Packument>().versions['1.0.0']!;
      const id = prefix.replace('/api/v4', '');
      expect(dist.tarball).toBe(`http://localhost:${registry.server.port}/api/v4${id}/left-pad/-/left-pad-1.0.0.tgz`);
    }
    expect(upstream.requestsFor('/left-pad')).toBe(1);
    const first = await registry.get(tarballPath('left-pad', '1.0.0'));
    expect(first.bytes.equals(bytes)).toBe(true);
    await upstream.goAway();
    const second = await registry.get(tarballPath('left-pad', '1.0.0'));
    expect(second.bytes.equals(bytes)).toBe(true);
    expect(second.headers['cache-status']).toContain('hit');
    expect(await registry.temporaryFiles()).toEqual([]);
  });

  it('announces a tarball that was cached and a packument that was checked: the list of the cache stayed old', async () => {
    await registry.get(path('left-pad'));
    const seen: unknown[] = [];
    const end = registry.registry.events.subscribe(({ topic, payload }) => void seen.push([topic, payload]));
    const change = ['upstream.changed', { subject: 'cache', upstreamId: row.id }];
    await registry.get(tarballPath('left-pad', '1.0.0'));
    expect(seen).toEqual([change]);
    clock.pass(3600);
    await registry.get(path('left-pad'));
    expect(seen).toEqual([change, change]);
    end();
  });

  it('holds one state of a packument in memory: former ones stayed until the caches were full', async () => {
    const readAgain = async (): Promise<number> => {
      clock.pass(24 * 3600);
      for (const encoding of ['identity', 'gzip']) {
        expect((await registry.get(path('left-pad'), { headers: { 'accept-encoding': encoding } })).status).toBe(200);
      }
      return registry.registry.caches.size;
    };
    await readAgain();
    await upstream.publish('left-pad', '1.0.1');
    const before = await readAgain();
    // The same number of versions each time, in another state.
    for (let round = 0; round < 10; round += 1) {
      await upstream.publish('left-pad', '1.0.1', { manifest: { description: `state ${round}` } });
      expect(await readAgain()).toBeLessThan(before + 1000);
    }
    expect((await registry.get(path('left-pad'))).text).toContain('state 9');
  });

  it('serves the abbreviated form, single manifests and dist-tags too', async () => {
    await upstream.publish('@types/node', '1.0.0', { manifest: { description: 'long', dependencies: { a: '1' } } });
    const abbreviated = await registry.get(path('@types%2fnode'), {
      headers: { accept: 'application/vnd.npm.install-v1+json' },
    });
    expect(abbreviated.headers['content-type']).toContain('application/vnd.npm.install-v1+json');
    const manifest = abbreviated.json<{ versions: Record<string, Record<string, unknown>> }>().versions['1.0.0']!;
    expect(manifest['dependencies']).toEqual({ a: '1' });
    expect(manifest['description']).toBeUndefined();
    expect((await registry.get(path('@types/node/latest'))).json()['version']).toBe('1.0.0');
    expect((await registry.get(path('-/package/@types%2fnode/dist-tags'))).json()).toEqual({ latest: '1.0.0' });
  });

  it('makes one upstream request for concurrent ones of a packument and of a tarball', async () => {
    const bytes = await upstream.publish('big', '1.0.0', { files: { data: Buffer.alloc(300_000, 7) } });
    const packuments = await Promise.all(Array.from({ length: 20 }, () => registry.get(path('big'))));
    expect(new Set(packuments.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(upstream.requestsFor('/big')).toBe(1);
    const tarballs = await Promise.all(Array.from({ length: 20 }, () => registry.get(tarballPath('big', '1.0.0'))));
    expect(tarballs.every((answer) => answer.bytes.equals(bytes))).toBe(true);
    expect(upstream.requestsFor('/big/-/big-1.0.0.tgz')).toBe(1);
  });

  it('passes a tarball on while it is still coming in', async () => {
    const bytes = await upstream.publish('slow', '1.0.0', { files: { data: noise(400_000) } });
    const finish = upstream.sendInParts(bytes, 200_000);
    const answer = await fetch(`${registry.origin}${tarballPath('slow', '1.0.0')}`, {
      headers: { authorization: `Bearer ${rootToken}` },
    });
    let size = 0;
    for await (const chunk of answer.body!) {
      // The first chunk arrives before the upstream sent the rest.
      if (size === 0) finish();
      size += chunk.length;
    }
    expect(size).toBe(bytes.length);
  });

  it('revalidates with the entity tag and answers 304 itself', async () => {
    const first = await registry.get(path('left-pad'));
    clock.pass(61);
    const second = await registry.get(path('left-pad'));
    expect(second.headers['cache-status']).toContain('fwd-status=304');
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(upstream.requests.at(-1)?.headers['if-none-match']).toBeDefined();
    const third = await registry.get(path('left-pad'), { headers: { 'if-none-match': String(first.headers.etag) } });
    expect(third.status).toBe(304);
    await upstream.publish('left-pad', '1.1.0');
    clock.pass(61);
    expect((await registry.get(path('left-pad'))).json<Packument>()['dist-tags']['latest']).toBe('1.1.0');
  });

  it('believes for a while that a package is missing, and no longer', async () => {
    for (let i = 0; i < 5; i += 1) expect((await registry.get(path('nothing'))).status).toBe(404);
    expect(upstream.requestsFor('/nothing')).toBe(1);
    await upstream.publish('nothing', '1.0.0');
    clock.pass(61);
    expect((await registry.get(path('nothing'))).status).toBe(200);
  });

  it('keeps the signatures of versions and shows the keys that they were made with, also offline', async () => {
    const key = { keyid: 'SHA256:theirs', keytype: 'ecdsa', scheme: 'ecdsa', key: 'abc', expires: null };
    const signatures = [{ keyid: key.keyid, sig: 'xyz' }];
    upstream.override = (req, res) => {
      if (req.url === '/-/npm/v1/keys') res.end(JSON.stringify({ keys: [key] }));
      else if (req.url === '/signed') {
        const dist = { tarball: `${upstream.url}/x.tgz`, integrity: 'sha512-AAAA', signatures };
        const versions = { '1.0.0': { name: 'signed', version: '1.0.0', dist } };
        res.end(JSON.stringify({ name: 'signed', versions }));
      } else return false;
      return true;
    };
    const document = (await registry.get(path('signed'))).json<{ versions: Record<string, { dist: unknown }> }>();
    expect(document.versions['1.0.0']?.dist).toMatchObject({ signatures });
    const keyIds = async (): Promise<string[]> =>
      (await registry.get(path('-/npm/v1/keys'))).json<{ keys: { keyid: string }[] }>().keys.map(({ keyid }) => keyid);
    const own = registry.registry.upstream.ownKeyId;
    expect(await keyIds()).toEqual([own, key.keyid]);
    await registry.registry.upstream.setOfflineMode('on', rootActor);
    clock.pass(100_000);
    expect(await keyIds()).toEqual([own, key.keyid]);
  });

  it('sends its token to the upstream alone, and keeps it sealed', async () => {
    const other = await FakeUpstream.start();
    const bytes = await upstream.publish('left-pad', '1.0.0');
    await update({ token: 'secret-token-of-the-upstream' });
    const location = `${other.url}/left-pad/-/left-pad-1.0.0.tgz`;
    upstream.answerTarballs((_req, res) => res.writeHead(302, { location }).end());
    await other.publish('left-pad', '1.0.0');
    const answer = await registry.get(tarballPath('left-pad', '1.0.0'));
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(upstream.requests[0]?.headers.authorization).toBe('Bearer secret-token-of-the-upstream');
    expect(other.requests[0]?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(registry.registry.upstream.upstreams.all)).not.toContain('secret-token');
    expect(JSON.stringify(registry.registry.audit.list({}, { limit: 100, offset: 0 }))).not.toContain('secret-token');
    await other.goAway();
  });
});

describe('whose name it is', () => {
  it('lets a local package win over one of the same name, without asking', async () => {
    await upstream.publish('lodash', '9.0.0');
    await registry.publish({ name: 'lodash', version: '1.0.0' });
    const document = (await registry.get(path('lodash'))).json<Packument>();
    expect(Object.keys(document.versions)).toEqual(['1.0.0']);
    expect((await registry.get(tarballPath('lodash', '9.0.0'))).status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });

  it('holds for a claimed package that the caller cannot see, too', async () => {
    await upstream.publish('internal-tool', '9.0.0');
    await registry.publish({ name: 'internal-tool', version: '1.0.0' });
    await registry.directory.claims.claim(rootActor, ['Internal-Tool']);
    const project = await registry.project();
    const { user, token } = await registry.user();
    await registry.member(project.id, user.id, 30);
    const answer = await registry.get(`${registry.projectPath(project.id)}/internal-tool`, { token });
    expect(answer.status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });

  it('never asks for names of claimed scopes, those of the groups of administrators among them', async () => {
    await registry.directory.claims.claim(rootActor, ['@secret']);
    for (const name of ['@local/two', '@secret/two', '@SECRET/two']) {
      await upstream.publish(name, '9.0.0');
      expect((await registry.get(path(name.replace('/', '%2f')))).status, name).toBe(404);
      expect((await registry.get(tarballPath(name, '9.0.0'))).status, name).toBe(404);
    }
    expect(upstream.requests).toEqual([]);
  });

  it('asks for a scope only where the settings say so', async () => {
    const company = await FakeUpstream.start();
    await company.publish('@acme/one', '1.0.0');
    await upstream.publish('@acme/one', '6.6.6');
    await upstream.publish('@acme/two', '6.6.6');
    await addUpstream(registry, company.url, { name: 'company', scopes: ['@acme'] });
    expect(Object.keys((await registry.get(path('@acme%2fone'))).json<Packument>().versions)).toEqual(['1.0.0']);
    expect((await registry.get(path('@acme%2ftwo'))).status).toBe(404);
    await company.goAway();
    clock.pass(61);
    expect((await registry.get(path('@acme%2ftwo'))).status).toBe(424);
    expect(upstream.requests).toEqual([]);
  });
});

describe('who may ask', () => {
  it('is decided before anything is forwarded', async () => {
    const { token } = await registry.user();
    const project = await registry.project({ visibility: 'public' });
    expect((await registry.get(path('left-pad'), { token: undefined })).status).toBe(401);
    expect((await registry.get(path('left-pad'), { token })).status).toBe(404);
    expect((await registry.get(`${registry.projectPath(project.id)}/left-pad`, { token: undefined })).status).toBe(404);
    expect((await registry.get(`${registry.instancePath}/left-pad`, { token: undefined })).status).toBe(401);
    expect(upstream.requests).toEqual([]);
    expect((await registry.get(`${registry.instancePath}/left-pad`, { token })).status).toBe(200);
  });

  it('shows commands that change something only what is here', async () => {
    expect((await registry.get(path('left-pad'), { headers: { 'npm-command': 'publish' } })).status).toBe(404);
    expect((await registry.get(path('left-pad?write=true'))).status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });
});

describe('minimum age', () => {
  const day = 86_400_000;

  it('leaves young versions out of the packument, moves latest and refuses their tarballs, but for exceptions', async () => {
    await upstream.publish('left-pad', '1.0.0', { at: clock.now - 30 * day });
    await upstream.publish('left-pad', '1.1.0', { at: clock.now - day });
    await update({ minimumAgeDays: 7 });
    const document = (await registry.get(path('left-pad'))).json<Packument>();
    expect(Object.keys(document.versions)).toEqual(['1.0.0']);
    expect(document['dist-tags']).toEqual({ latest: '1.0.0' });
    const refused = await registry.get(tarballPath('left-pad', '1.1.0'));
    expect(refused.status).toBe(404);
    expect(refused.text).toContain('held back until');
    await update({ minimumAgeExceptions: ['left-pad@1.1.0'] });
    expect(Object.keys((await registry.get(path('left-pad'))).json<Packument>().versions)).toContain('1.1.0');
  });

  it('lets a version through once it is old enough, with another entity tag', async () => {
    await upstream.publish('left-pad', '1.0.0', { at: clock.now - 30 * day });
    await upstream.publish('left-pad', '1.1.0', { at: clock.now - day });
    await update({ minimumAgeDays: 7, freshSeconds: 86_400 });
    const before = await registry.get(path('left-pad'));
    clock.pass(6.5 * 86_400);
    const after = await registry.get(path('left-pad'), { headers: { 'if-none-match': String(before.headers.etag) } });
    expect(after.status).toBe(200);
    expect(after.json<Packument>()['dist-tags']['latest']).toBe('1.1.0');
  });

  it('says why nothing is left of a package that is too young as a whole', async () => {
    await upstream.publish('brand-new', '1.0.0', { at: clock.now });
    await update({ minimumAgeDays: 7 });
    const answer = await registry.get(path('brand-new'));
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('every version of brand-new is younger than 7 days');
  });
});
