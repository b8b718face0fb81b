import { beforeAll, expect, test } from 'vitest';
import { systemActor } from '../../../server/accounts/change.ts';
import type { TestUser } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

interface Found {
  readonly objects: readonly {
    readonly package: Readonly<Record<string, unknown>> & { readonly name: string };
    readonly score: unknown;
    readonly searchScore: number;
    readonly downloads: { readonly weekly: number; readonly monthly: number };
    readonly dependents: number;
  }[];
  readonly total: number;
  readonly time: string;
}

useRegistry('file');
let ann: TestUser;
let secretProject: number;
let publicProject: number;

beforeAll(async () => {
  ann = await kit.user({ username: 'ann' });
  await kit.member(1, ann.user.id, 40);
  secretProject = (await kit.project({ path: 'secret' })).id;
  publicProject = (await kit.project({ path: 'open', visibility: 'public' })).id;
  const parser = {
    description: 'Reads dates',
    keywords: ['date', 'parser'],
    license: 'MIT',
    homepage: 'https://dates.test',
  };
  await kit.publish({ name: '@acme/date-parser', version: '1.0.0', manifest: parser, token: ann.token });
  await kit.publish({ name: 'parser', version: '2.0.0', manifest: { description: 'A parser of parsers' } });
  await kit.publish({
    name: 'colours',
    version: '1.0.0',
    manifest: { keywords: ['paint'] },
    readme: 'It knows turquoise.',
  });
  await kit.publish({ name: 'hidden-parser', version: '1.0.0', projectId: secretProject });
  await kit.publish({ name: 'open-parser', version: '1.0.0', projectId: publicProject });
});

async function search(query: string, options: { token?: string | undefined; prefix?: string } = {}): Promise<Found> {
  const { prefix = kit.instancePath, ...rest } = options;
  const answer = await kit.get(`${prefix}/-/v1/search?${query}`, rest);
  expect(answer.status).toBe(200);
  return answer.json<Found>();
}

const names = (found: Found) => found.objects.map(({ package: { name } }) => name);

test('finds by name, description, keyword and readme, prefix of a word, in any case', async () => {
  expect(names(await search('text=date'))).toEqual(['@acme/date-parser']);
  expect(names(await search('text=READS'))).toEqual(['@acme/date-parser']);
  expect(names(await search('text=paint'))).toEqual(['colours']);
  expect(names(await search('text=turquoi'))).toEqual(['colours']);
  expect(names(await search('text=dateparser'))).toEqual(['@acme/date-parser']);
  expect(names(await search('text=nothing-like-it'))).toEqual([]);
});

test('the exact name comes first; every answer has what clients crash without', async () => {
  const found = await search('text=parser');
  expect(names(found)[0]).toBe('parser');
  expect(found.total).toBe(4);
  for (const { package: shown, searchScore, score } of found.objects) {
    expect(shown).toMatchObject({
      version: expect.stringMatching(/^\d/),
      date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
      description: expect.any(String),
      keywords: expect.any(Array),
      publisher: { username: expect.any(String), email: expect.any(String) },
      maintainers: expect.any(Array),
      links: expect.any(Object),
    });
    expect(score).toMatchObject({ final: expect.any(Number), detail: { quality: expect.any(Number) } });
    expect(searchScore).toBeGreaterThanOrEqual(0);
  }
  const dates = found.objects.find(({ package: { name } }) => name === '@acme/date-parser');
  expect(dates?.package).toMatchObject({
    publisher: { username: 'ann' },
    links: { homepage: 'https://dates.test' },
    scope: 'acme',
  });
});

test('qualifiers narrow it down', async () => {
  expect(names(await search('text=keywords:date,paint'))).toEqual(
    expect.arrayContaining(['@acme/date-parser', 'colours']),
  );
  expect(names(await search('text=scope:acme'))).toEqual(['@acme/date-parser']);
  expect(names(await search('text=maintainer:ann'))).toEqual(['@acme/date-parser']);
  expect(names(await search('text=parser+scope:@other'))).toEqual([]);
  expect(names(await search('text=is:deprecated'))).toEqual([]);
});

test('shows only what the caller may read, at each prefix', async () => {
  expect(names(await search('text=parser', { token: ann.token }))).not.toContain('hidden-parser');
  expect(names(await search('text=parser', { token: undefined }))).toEqual(['open-parser']);
  expect(names(await search('text=parser', { prefix: kit.projectPath(publicProject) }))).toEqual(['open-parser']);
  expect((await search('text=parser', { prefix: kit.groupPath('local') })).total).toBe(4);
  const refused = await kit.get(`${kit.projectPath(1)}/-/v1/search?text=parser`, { token: undefined });
  expect(refused.status).toBe(401);
  const stranger = await kit.user();
  expect((await kit.get(`${kit.projectPath(1)}/-/v1/search?text=a`, { token: stranger.token })).status).toBe(404);
});

test('pages, and sizes that make no sense', async () => {
  const first = await search('text=&size=2');
  const second = await search('text=&size=2&from=2');
  expect(first.total).toBe(5);
  expect(first.objects).toHaveLength(2);
  expect(new Set([...names(first), ...names(second)]).size).toBe(4);
  expect((await search('size=0')).objects).toEqual([]);
  expect((await search('size=-1&from=x')).objects).toHaveLength(5);
  expect((await search('size=99999999')).objects).toHaveLength(5);
});

test('counts the downloads of the last week and month', async () => {
  const { store, downloads } = kit.registry.packages;
  const versionOf = (name: string) => {
    const row = store.findVersion(store.packagesNamed(name)[0]?.id ?? 0, name === 'parser' ? '2.0.0' : '1.0.0');
    return row?.id ?? 0;
  };
  const daysAgo = (days: number) => Date.now() - days * 86_400_000;
  await kit.registry.unitOfWork.write(() => {
    store.addDownloads(versionOf('parser'), 5, daysAgo(10));
    store.addDownloads(versionOf('parser'), 7, daysAgo(40));
    store.addDownloads(versionOf('colours'), 9, daysAgo(401));
    store.forgetDownloads(daysAgo(400));
  });
  for (let count = 0; count < 2; count += 1) await kit.get(`${kit.projectPath()}/parser/-/parser-2.0.0.tgz`);
  await downloads.flush();
  const found = (await search('text=parser')).objects.find(({ package: { name } }) => name === 'parser');
  expect(found?.downloads).toEqual({ weekly: 2, monthly: 7 });
  expect((await search('text=colours')).objects[0]?.downloads).toEqual({ weekly: 0, monthly: 0 });
});

test('counts packages whose latest version depends on it, if the caller may read them', async () => {
  const dependents = async (token?: string) => {
    const found = await search('text=open-parser', token === undefined ? {} : { token });
    return found.objects[0]?.dependents;
  };
  expect(await dependents()).toBe(0);
  const depending = (field: string) => ({ [field]: { 'open-parser': '^1.0.0' } });
  const publish = (name: string, version: string, field: string, projectId = publicProject) =>
    kit.publish({ name, version, projectId, manifest: depending(field) });
  await publish('uses', '1.0.0', 'dependencies');
  await publish('extends', '1.0.0', 'peerDependencies');
  await publish('tested-with', '1.0.0', 'devDependencies');
  await publish('uses-secretly', '1.0.0', 'optionalDependencies', secretProject);
  expect(await dependents()).toBe(3);
  expect(await dependents(ann.token)).toBe(2);
  await kit.publish({ name: 'uses', version: '2.0.0', projectId: publicProject });
  expect(await dependents(ann.token)).toBe(1);
  for (const name of ['uses', 'extends', 'tested-with', 'uses-secretly']) {
    const [row] = kit.registry.packages.store.packagesNamed(name);
    await kit.registry.packages.unpublisher.unpublishPackage(row?.id ?? 0, systemActor);
  }
  expect(await dependents()).toBe(0);
});

test.each(['"', '*', 'a"b', 'NEAR(a b)', 'name:parser', '-parser', "'; DROP TABLE users", '%', '\u0000', '(', '🙂'])(
  'the text %j is looked for, not run',
  async (text) => {
    const answer = await kit.get(`${kit.instancePath}/-/v1/search?text=${encodeURIComponent(text)}`);
    expect(answer.status).toBe(200);
  },
);

test('a name that several projects have is found once', async () => {
  const other = await kit.project({ path: 'elsewhere' });
  await kit.publish({ name: 'colours', version: '9.0.0', projectId: other.id });
  const found = await search('text=colours');
  expect(found.total).toBe(1);
  expect(found.objects[0]?.package).toMatchObject({ name: 'colours', version: '9.0.0' });
});

test('/-/all lists everything that the caller may read, for npm 6', async () => {
  const all = (await kit.get(`${kit.instancePath}/-/all`, { token: ann.token })).json();
  expect(all).toHaveProperty('parser');
  expect(all).not.toHaveProperty('hidden-parser');
});
