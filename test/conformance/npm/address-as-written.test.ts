import { beforeAll, expect, test } from 'vitest';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('file');
beforeAll(async () => {
  await kit.publish({ name: '@acme/written', version: '1.0.0' });
});

const byPath = '/api/v4/projects/local%2Fpackages/packages/npm';

async function tarballFor(base: string, userAgent: string | undefined): Promise<string> {
  const headers = userAgent === undefined ? {} : { 'user-agent': userAgent };
  const answer = await kit.get(`${base}/@acme%2fwritten`, { headers });
  const { versions } = JSON.parse(answer.text) as { versions: Record<string, { dist: { tarball: string } }> };
  return versions['1.0.0']?.dist.tarball ?? '';
}

test('npm 12 was refused its own tarballs where a project is addressed by path: it gets the address as it wrote it', async () => {
  const file = '@acme/written/-/written-1.0.0.tgz';
  for (const base of [byPath, byPath.replace('%2F', '%2f'), '/api/v4/groups/local/-/packages/npm']) {
    for (const agent of [
      'npm/12.2.0 node/v24.21.0',
      'pnpm/12.4.2',
      'yarn/1.22.22 npm/? node/v24',
      'Bun/1.4.5',
      'got',
    ]) {
      expect(await tarballFor(base, agent)).toBe(`${kit.origin}${base}/${file}`);
      expect((await kit.get(`${base}/${file}`)).status).toBe(200);
    }
  }
});

test('everybody else reads numeric ids, whoever asked before', async () => {
  const numeric = `${kit.origin}/api/v4/projects/1/packages/npm/@acme/written/-/written-1.0.0.tgz`;
  for (const agent of [undefined, 'curl/8.9.1', 'npm/12.2.0 node/v24.21.0', undefined]) {
    if (agent?.startsWith('npm/')) await tarballFor(byPath, agent);
    else expect(await tarballFor(byPath, agent)).toBe(numeric);
  }
});

test('Yarn 1 took a tag that was set for a failure: it is told ok', async () => {
  const path = `${kit.projectPath()}/-/package/@acme%2fwritten/dist-tags/next`;
  const body = '"1.0.0"';
  const type = { 'content-type': 'application/json' };
  const yarn = await kit.send('PUT', path, {
    body,
    headers: { ...type, 'user-agent': 'yarn/1.22.22 npm/? node/v24' },
  });
  expect([yarn.status, yarn.text]).toEqual([200, '{"ok":true}']);
  const other = await kit.send('PUT', path, { body, headers: type });
  expect([other.status, other.text]).toEqual([204, '']);
});
