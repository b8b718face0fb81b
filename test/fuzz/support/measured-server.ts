import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemActor } from '../../../server/accounts/change.ts';
import { TestRegistry } from '../../support/registry.ts';
import { versionLike } from '../../support/version-rows.ts';

/*
 * A registry in a process of its own, which measures its event loop: what the tests do in theirs does not count. Has a public project of
 * others with a package of many versions, callers with little rights and with many, and another registry, whose address is its argument.
 */

const manyVersions = 10_000;
const manyPackages = 5000;
const largeManifests = 100;

const gatehouse = await TestRegistry.start();
const reader = await gatehouse.user({ username: 'reader' });
const owner = await gatehouse.user({ username: 'owner' });
const project = await gatehouse.project({ path: 'open', visibility: 'public' });
await gatehouse.member(project.id, owner.user.id, 50);
await gatehouse.publish({ name: 'kept', version: '1.0.0', projectId: project.id });
await gatehouse.publish({ name: 'many', version: '1.0.0', projectId: project.id });
// As an import or years of publishing would leave them; one by one through HTTP they would take minutes.
await gatehouse.registry.directory.write((change) => {
  const { store } = gatehouse.registry.packages;
  const row = store.findPackage(project.id, 'many');
  const first = row && store.findVersion(row.id, '1.0.0');
  if (!row || !first) throw new Error('The package is missing.');
  for (let patch = 1; patch < manyVersions; patch += 1) {
    const version = `1.0.${patch}`;
    const manifest = JSON.stringify({ ...(JSON.parse(first.manifest) as object), version, _id: `many@${version}` });
    store.insertVersion(row.id, versionLike(first, { version, manifest, publishedAt: change.now }));
  }
  store.touchPackage(row.id, change.now);
  // Many packages, some with manifests near the limit.
  for (let index = 0; index < manyPackages; index += 1) {
    const name = `crowd-${index}`;
    const filler = 'x'.repeat(index < largeManifests ? 500_000 : 1000);
    const manifest = JSON.stringify({ name, version: '1.0.0', description: 'x'.repeat(1000), filler: [filler] });
    const { id } = store.insertPackage(project.id, name, change.now);
    store.insertVersion(id, versionLike(first, { manifest, publishedAt: change.now }));
    store.addMaintainer(id, owner.user.id);
    store.touchPackage(id, change.now);
  }
});
await gatehouse.registry.npm.advisories.importAll(
  systemActor,
  Array.from({ length: 300 }, (_, index) => ({
    source: 'known.json',
    value: {
      [`vulnerable-${index % 30}`]: [
        {
          id: index,
          title: 'x',
          url: 'https://x.test',
          severity: 'high',
          vulnerable_versions: '>=1.0.0 <1.2.6 || >=2.0.0 <2.4.1 || ^3.0.0-rc.1',
        },
      ],
    },
  })),
);

const [, , elsewhere] = process.argv;
if (elsewhere !== undefined) {
  const input = { name: 'elsewhere', kind: 'npm', url: elsewhere, scopes: ['@elsewhere'] } as const;
  await gatehouse.registry.upstream.upstreams.create(input, systemActor);
}

const delay = monitorEventLoopDelay({ resolution: 2 });
process.on('message', (request: 'start' | 'stop' | 'end') => {
  if (request === 'start') {
    delay.reset();
    delay.enable();
    // It measures from the first of its timers on: work that came sooner would not count.
    setTimeout(() => process.send?.(null), 20);
  } else if (request === 'stop') {
    delay.disable();
    process.send?.(delay.max / 1e6);
  } else void gatehouse.stop().then(() => process.exit());
});
process.send?.({
  origin: gatehouse.origin,
  project: project.id,
  reader: reader.token,
  readerOfApi: await gatehouse.token(reader.user.id, ['read_api']),
  owner: owner.token,
});
