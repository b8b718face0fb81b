import { expect, test } from 'vitest';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('file');

test('what was published can be installed at once, at every prefix, with addresses of that prefix', async () => {
  await kit.publish({ name: '@acme/first', version: '1.0.0', manifest: { description: 'The first' } });
  for (const prefix of [
    kit.projectPath(1),
    kit.projectPath('local/packages'),
    kit.groupPath('local'),
    kit.instancePath,
  ]) {
    const packument = await kit.get(`${prefix}/@acme%2ffirst`);
    expect(packument.status).toBe(200);
    const { dist } = packument.json<{ versions: Record<string, { dist: { tarball: string } }> }>().versions['1.0.0']!;
    const canonical = prefix.replace('local%2Fpackages', '1').replace('/groups/local', '/groups/1');
    expect(dist.tarball).toBe(`${kit.origin}${canonical}/@acme/first/-/first-1.0.0.tgz`);
    const tarball = await kit.get(new URL(dist.tarball).pathname);
    expect(tarball.status).toBe(200);
    expect(tarball.bytes.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  }
});
