import { beforeEach, expect, test } from 'vitest';
import { kit, useRegistry } from '../../support/use-registry.ts';

interface Listed {
  readonly id: number;
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

useRegistry('test');
beforeEach(async () => {
  await kit.publish({ name: '@acme/first', version: '1.0.0' });
  await kit.publish({ name: '@acme/first', version: '1.1.0' });
  await kit.publish({ name: 'second', version: '1.0.0', tag: 'beta' });
});

const base = '/api/v4/projects/1/packages';

async function list(query = '', path = base): Promise<string[]> {
  const answer = await kit.get(path + query);
  expect(answer.status).toBe(200);
  return answer.json<Listed[]>().map(({ name, version }) => `${name}@${version}`);
}

async function idOf(name: string, version: string): Promise<number> {
  const found = (await kit.get(`${base}?per_page=100`)).json<Listed[]>();
  return found.find((row) => row.name === name && row.version === version)?.id ?? 0;
}

test('each version is a package of the list, with pages and their headers', async () => {
  const answer = await kit.get(`${base}?per_page=2`);
  expect(answer.json<Listed[]>()).toMatchObject([
    {
      name: '@acme/first',
      version: '1.0.0',
      package_type: 'npm',
      status: 'default',
      _links: {
        web_path: expect.stringMatching(/^\/local\/packages\/-\/packages\/\d+$/),
        delete_api_path: expect.any(String),
      },
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*\.\d{3}Z$/),
      last_downloaded_at: null,
      tags: [],
      pipelines: [],
    },
    { name: '@acme/first', version: '1.1.0', tags: [{ name: 'latest' }] },
  ]);
  expect(answer.headers).toMatchObject({
    'x-total': '3',
    'x-total-pages': '2',
    'x-page': '1',
    'x-next-page': '2',
    'x-prev-page': '',
  });
  expect(answer.headers['link']).toContain('rel="next"');
  expect(await list('?per_page=2&page=2')).toEqual(['second@1.0.0']);
});

test('filters and orders', async () => {
  expect(await list('?package_name=FIRST')).toEqual(['@acme/first@1.0.0', '@acme/first@1.1.0']);
  expect(await list('?package_name=first&package_version=1.1.0')).toEqual(['@acme/first@1.1.0']);
  expect(await list('?order_by=name&sort=desc')).toEqual(['second@1.0.0', '@acme/first@1.1.0', '@acme/first@1.0.0']);
  expect(await list('?order_by=version&sort=desc')).toEqual(['@acme/first@1.1.0', 'second@1.0.0', '@acme/first@1.0.0']);
  expect(await list('?package_type=npm')).toHaveLength(3);
  expect(await list('?package_type=maven')).toEqual([]);
  expect(await list('?status=error')).toEqual([]);
  expect(await list('?package_name=100%25')).toEqual([]);
  await kit.send('PUT', `${kit.projectPath()}/second`, {
    body: {
      _id: 'second',
      name: 'second',
      versions: { '1.0.0': { name: 'second', version: '1.0.0', deprecated: 'old' } },
    },
  });
  expect(await list('?status=deprecated')).toEqual(['second@1.0.0']);
  expect(await list('?status=default')).toHaveLength(2);
  for (const query of ['?order_by=size', '?sort=up', '?package_type=zip', '?status=odd', '?order_by=project_path']) {
    const answer = await kit.get(base + query);
    expect(answer.status).toBe(400);
    expect(answer.json()['error']).toMatch(/does not have a valid value$/);
  }
});

test('a group lists the packages of its projects that the caller may read, with and without subgroups', async () => {
  const other = await kit.project({ visibility: 'public' });
  await kit.publish({ name: 'third', version: '1.0.0', projectId: other.id });
  const path = '/api/v4/groups/local/packages';
  const all = (await kit.get(path)).json<Listed[]>();
  expect(all).toHaveLength(4);
  expect(all[3]).toMatchObject({ name: 'third', project_id: other.id, project_path: other.fullPath });
  expect(await list('?exclude_subgroups=true&order_by=project_path', path)).toHaveLength(4);
  const stranger = await kit.user();
  expect((await kit.get(path, { token: stranger.token })).status).toBe(404);
});

test('one package shows its other versions; another project does not have it', async () => {
  const id = await idOf('@acme/first', '1.1.0');
  expect((await kit.get(`${base}/${id}`)).json()).toMatchObject({
    id,
    version: '1.1.0',
    versions: [{ version: '1.0.0', tags: [] }],
  });
  const other = await kit.project();
  const elsewhere = await kit.get(`/api/v4/projects/${other.id}/packages/${id}`);
  expect(elsewhere.status).toBe(404);
  expect(elsewhere.text).toBe('{"message":"404 Not found"}');
  expect((await kit.get(`${base}/999999`)).status).toBe(404);
  expect((await kit.get(`${base}/abc`)).status).toBe(400);
});

test('files tell name, size and SHA-1', async () => {
  const id = await idOf('@acme/first', '1.0.0');
  const answer = await kit.get(`${base}/${id}/package_files`);
  expect(answer.headers['x-total']).toBe('1');
  const packument = (await kit.get(`${kit.projectPath()}/@acme%2ffirst`)).json<{
    versions: Record<string, { dist: { shasum: string } }>;
  }>();
  expect(answer.json()).toMatchObject([
    {
      package_id: id,
      file_name: 'first-1.0.0.tgz',
      file_sha1: packument.versions['1.0.0']?.dist.shasum,
      size: expect.any(Number),
    },
  ]);
  expect((await kit.get(`${base}/${id}/pipelines`)).text).toBe('[]');
});

test('DELETE takes the version away, for Maintainers, and it can be published again', async () => {
  const id = await idOf('@acme/first', '1.1.0');
  const developer = await kit.user();
  await kit.member(1, developer.user.id, 30);
  expect((await kit.send('DELETE', `${base}/${id}`, { token: developer.token })).status).toBe(403);
  expect((await kit.get(`${base}/${id}`, { token: developer.token })).json()['_links']).not.toHaveProperty(
    'delete_api_path',
  );
  const stale = await kit.send('DELETE', `${base}/${id}`, {
    headers: { 'if-unmodified-since': new Date(0).toUTCString() },
  });
  expect(stale.status).toBe(412);
  const deleted = await kit.send('DELETE', `${base}/${id}`);
  expect(deleted.status).toBe(204);
  expect(deleted.text).toBe('');
  expect((await kit.send('DELETE', `${base}/${id}`)).status).toBe(404);
  const packument = (await kit.get(`${kit.projectPath()}/@acme%2ffirst`)).json<{
    versions: object;
    'dist-tags': object;
  }>();
  expect(Object.keys(packument.versions)).toEqual(['1.0.0']);
  expect(packument['dist-tags']).toEqual({ latest: '1.0.0' });
  await kit.publish({ name: '@acme/first', version: '1.1.0' });
});

test('DELETE of the file is DELETE of the version', async () => {
  const id = await idOf('second', '1.0.0');
  expect((await kit.send('DELETE', `${base}/${id}/package_files/${id + 1}`)).status).toBe(404);
  expect((await kit.send('DELETE', `${base}/${id}/package_files/${id}`)).status).toBe(204);
  expect((await kit.get(`${kit.projectPath()}/second`)).status).toBe(404);
});

test('who may not see the project does not see its packages; nobody without a token does', async () => {
  const { token } = await kit.user();
  for (const path of [base, `${base}/1`, `${base}/1/package_files`]) {
    expect((await kit.get(path, { token })).status).toBe(404);
    expect((await kit.get(path, { token: undefined })).status).toBe(401);
  }
  expect((await kit.send('POST', base)).status).toBe(405);
});
