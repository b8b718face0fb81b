import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PrefetchJob } from '../../server/contract/upstream.ts';
import { integrityOf } from '../support/tarballs.ts';
import { TestRegistry } from '../support/registry.ts';
import { FakeUpstream } from './support/fake-upstream.ts';
import { addUpstream, rootActor } from './support/upstream-registry.ts';

let upstream: FakeUpstream;
let registry: TestRegistry;

beforeEach(async () => {
  upstream = await FakeUpstream.start();
  registry = await TestRegistry.start();
  await addUpstream(registry, upstream.url);
});
afterEach(async () => {
  await registry.stop();
  await upstream.goAway();
});

const prefetcher = () => registry.registry.upstream.prefetcher;

async function ended(job: PrefetchJob): Promise<PrefetchJob> {
  await expect.poll(() => prefetcher().job(job.id).state, { timeout: 20_000 }).not.toBe('running');
  return prefetcher().job(job.id);
}

const lockfile = (packages: Record<string, unknown>): string => JSON.stringify({ lockfileVersion: 3, packages });

describe('prefetching', () => {
  it('fetches what a lockfile names, so that everything is there without a network', async () => {
    const one = await upstream.publish('one', '1.0.0');
    const two = await upstream.publish('@scope/two', '2.0.0');
    const content = lockfile({
      'node_modules/one': { version: '1.0.0', integrity: integrityOf(one) },
      'node_modules/@scope/two': { version: '2.0.0', integrity: integrityOf(two) },
    });
    const job = await ended(prefetcher().fromLockfile('package-lock.json', content));
    expect(job).toMatchObject({
      state: 'done',
      total: 2,
      done: 2,
      fetched: 2,
      bytes: one.length + two.length,
      failures: [],
    });
    await registry.registry.upstream.setOfflineMode('on', rootActor);
    const path = registry.projectPath();
    expect((await registry.get(`${path}/one`)).status).toBe(200);
    expect((await registry.get(`${path}/@scope/two/-/two-2.0.0.tgz`)).bytes.equals(two)).toBe(true);
    const again = await ended(prefetcher().fromLockfile('package-lock.json', content));
    expect(again).toMatchObject({ done: 2, fetched: 0, failures: [] });
  });

  it('says of each package that could not be had why', async () => {
    const one = await upstream.publish('one', '1.0.0');
    await registry.publish({ name: 'ours', version: '1.0.0' });
    await registry.directory.claims.claim(rootActor, ['ours']);
    const content = lockfile({
      'node_modules/one': { version: '1.0.0', integrity: integrityOf(Buffer.from('other')) },
      'node_modules/nowhere': { version: '1.0.0' },
      'node_modules/ours': { version: '7.0.0' },
      'node_modules/x/node_modules/one': { version: '9.0.0' },
    });
    const job = await ended(prefetcher().fromLockfile('package-lock.json', content));
    const reasons = Object.fromEntries(job.failures.map(({ name, version, reason }) => [`${name}@${version}`, reason]));
    expect(reasons['one@1.0.0']).toContain(integrityOf(one));
    expect(reasons['nowhere@1.0.0']).toBe('No registry that may be asked has it.');
    expect(reasons['ours@7.0.0']).toContain('This registry has no such version of its package');
    expect(reasons['one@9.0.0']).toBe('No registry that may be asked has it.');
    expect(job).toMatchObject({ total: 4, done: 0 });
  });

  it('fetches a package with all that it needs: ranges, tags, aliases, optional ones and peers', async () => {
    await upstream.publish('app', '1.0.0', {
      manifest: {
        dependencies: { a: '^1.0.0', alias: 'npm:b@next' },
        optionalDependencies: { c: '*' },
        peerDependencies: { d: '>=1', ignored: '1' },
        peerDependenciesMeta: { ignored: { optional: true } },
      },
    });
    await upstream.publish('a', '1.5.0', { manifest: { dependencies: { app: '1' } } });
    await upstream.publish('a', '2.0.0');
    await upstream.publish('b', '3.0.0-rc.1', { tag: 'next' });
    await upstream.publish('c', '1.0.0');
    await upstream.publish('d', '1.0.0', { manifest: { dependencies: { gone: '^1', git: 'github:x/y' } } });
    const job = await ended(prefetcher().fromPackages(['app']));
    expect(job).toMatchObject({ state: 'done', total: 6, done: 5, fetched: 5 });
    expect(job.failures).toEqual([expect.objectContaining({ name: 'gone', version: '^1' })]);
    const cached = registry.registry.upstream.store.cached({ search: '' }, { offset: 0, limit: 100 }).rows;
    expect(cached.flatMap(({ name, cachedVersions }) => cachedVersions.map((version) => `${name}@${version}`))).toEqual(
      ['a@1.5.0', 'app@1.0.0', 'b@3.0.0-rc.1', 'c@1.0.0', 'd@1.0.0'],
    );
  });

  it('gives the cause alone for what cannot be reached, also once it is known to be away', async () => {
    await upstream.goAway();
    const reasons = async (spec: string) => (await ended(prefetcher().fromPackages([spec]))).failures;
    const [first] = await reasons('one@^1');
    expect(first).toMatchObject({ name: 'one', version: '^1' });
    expect(first?.reason).toMatch(/^127\.0\.0\.1:\d+ cannot be reached: nothing listens there\.$/);
    expect(await reasons('two')).toEqual([{ name: 'two', version: '', reason: first?.reason }]);
    await registry.registry.upstream.setOfflineMode('on', rootActor);
    expect(await reasons('three')).toEqual([{ name: 'three', version: '', reason: 'The offline switch is on.' }]);
  });

  it('fetches once more what a lockfile names after a failure, without being given it again', async () => {
    const content = lockfile({ 'node_modules/one': { version: '1.0.0' }, 'node_modules/two': { version: '1.0.0' } });
    await upstream.publish('one', '1.0.0');
    const failed = await ended(prefetcher().fromLockfile('package-lock.json', content));
    expect(failed).toMatchObject({ total: 2, done: 1, failures: [{ name: 'two' }] });
    await upstream.publish('two', '1.0.0');
    const again = await ended(await registry.registry.upstream.retryPrefetch(failed.id));
    expect(again).toMatchObject({ source: 'package-lock.json', state: 'done', total: 2, done: 2, failures: [] });
    expect(prefetcher().jobs.map(({ id }) => id)).toEqual([again.id]);
  });

  it('asks again at once where the registry is back, although its pause has not ended', async () => {
    await upstream.publish('one', '1.0.0');
    upstream.answerAll((_req, res) => void res.destroy());
    const failed = await ended(prefetcher().fromPackages(['one']));
    expect(failed.failures).toHaveLength(1);
    upstream.override = undefined;
    const again = await ended(await registry.registry.upstream.retryPrefetch(failed.id));
    expect(again).toMatchObject({ done: 1, fetched: 1, failures: [] });
  });

  it('starts nothing twice', async () => {
    await upstream.publish('one', '1.0.0');
    const proceed = upstream.hold();
    const job = prefetcher().fromPackages(['one']);
    expect(() => prefetcher().retry(job.id)).toThrow('is running');
    proceed();
    await ended(job);
  });

  it('can be called off', async () => {
    await upstream.publish('one', '1.0.0');
    const proceed = upstream.hold();
    const job = prefetcher().fromPackages(['one']);
    expect(prefetcher().cancel(job.id).state).toBe('cancelled');
    proceed();
    expect((await ended(job)).state).toBe('cancelled');
  });
});
