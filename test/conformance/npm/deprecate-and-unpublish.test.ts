import { beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../support/http.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

interface Packument {
  readonly _id: string;
  readonly _rev: string;
  readonly versions: Record<string, Record<string, unknown>>;
  readonly 'dist-tags': Record<string, string>;
  readonly time: Record<string, string>;
}

useRegistry('test');
beforeEach(async () => {
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) await kit.publish({ name: '@acme/first', version });
});

const path = (prefix = kit.projectPath()) => `${prefix}/@acme%2ffirst`;
const read = async (prefix?: string) => (await kit.get(`${path(prefix)}?write=true`)).json<Packument>();

/** What npm does: it sends the whole packument back with messages in it. */
async function deprecate(
  messages: Record<string, unknown>,
  options: { prefix?: string; header?: string | null } = {},
): Promise<Answer> {
  const packument = await read(options.prefix);
  const versions = structuredClone(packument.versions);
  for (const [version, message] of Object.entries(messages))
    versions[version] = { ...versions[version], deprecated: message };
  return kit.send('PUT', path(options.prefix), {
    body: { ...packument, versions },
    headers: options.header === null ? {} : { 'npm-command': options.header ?? 'deprecate' },
  });
}

const shown = async () =>
  Object.fromEntries(Object.entries((await read()).versions).map(([version, { deprecated }]) => [version, deprecated]));

describe('deprecate', () => {
  test('each version keeps its own message, told by the header or by the document alone', async () => {
    expect((await deprecate({ '1.0.0': 'too old' })).status).toBe(200);
    expect((await deprecate({ '1.1.0': 'ünsafe "quoted" 🙂' }, { header: null })).status).toBe(200);
    expect(await shown()).toEqual({ '1.0.0': 'too old', '1.1.0': 'ünsafe "quoted" 🙂', '2.0.0': undefined });
    const short = await kit.get(path(), { headers: { accept: 'application/vnd.npm.install-v1+json' } });
    expect(short.json<Packument>().versions['1.0.0']).toMatchObject({ deprecated: 'too old' });
    expect((await kit.get(`${path()}/1.0.0`)).json()).toMatchObject({ deprecated: 'too old' });
  });

  test('is lifted with an empty message, with null or false, and by a header of its own', async () => {
    await deprecate({ '1.0.0': 'a', '1.1.0': 'b', '2.0.0': 'c' });
    await deprecate({ '1.0.0': '' });
    await deprecate({ '1.1.0': null }, { header: null });
    await deprecate({ '2.0.0': '' }, { header: 'undeprecate' });
    expect(await shown()).toEqual({ '1.0.0': undefined, '1.1.0': undefined, '2.0.0': undefined });
  });

  test('works at a group and at the instance', async () => {
    expect((await deprecate({ '1.0.0': 'a' }, { prefix: kit.groupPath('local') })).status).toBe(200);
    expect((await deprecate({ '1.1.0': 'b' }, { prefix: kit.instancePath })).status).toBe(200);
    expect(await shown()).toMatchObject({ '1.0.0': 'a', '1.1.0': 'b' });
  });

  test('at the instance is made in the project of each version, and nowhere that stays as it is', async () => {
    const other = await kit.project();
    await deprecate({ '1.0.0': 'too old' });
    await kit.publish({ name: '@acme/first', version: '5.0.0', projectId: other.id });
    expect((await deprecate({ '5.0.0': 'too new' }, { prefix: kit.instancePath })).status).toBe(200);
    expect(await shown()).toMatchObject({ '1.0.0': 'too old', '1.1.0': undefined });
    expect((await read(kit.projectPath(other.id))).versions['5.0.0']).toMatchObject({ deprecated: 'too new' });
    const both = await deprecate({ '1.1.0': 'old', '5.0.0': 'newer' }, { prefix: kit.instancePath });
    expect(both.status).toBe(200);
    expect(await shown()).toMatchObject({ '1.0.0': 'too old', '1.1.0': 'old' });
    expect((await read(kit.projectPath(other.id))).versions['5.0.0']).toMatchObject({ deprecated: 'newer' });
  });

  test('passes over versions that are not there, and says so', async () => {
    const packument = await read();
    const unknown = await kit.send('PUT', path(), {
      body: { ...packument, versions: { '1.0.0': { deprecated: 'a' }, '9.9.9': { deprecated: 'b' } } },
    });
    expect(unknown.status).toBe(200);
    expect(unknown.headers['npm-notice']).toBe('@acme/first has no version 9.9.9; nothing was changed there.');
    expect(await shown()).toMatchObject({ '1.0.0': 'a' });
    expect(await shown()).not.toHaveProperty(['9.9.9']);
    const odd = await kit.send('PUT', path(), {
      body: { ...packument, versions: { '1.0.0': { deprecated: 'b' }, ['\u2026'.repeat(200)]: { deprecated: 'b' } } },
    });
    expect(odd.status).toBe(200);
  });

  test('of nothing but versions that are not there is refused, and changes nothing', async () => {
    await deprecate({ '1.0.0': 'stays' });
    const packument = await read();
    for (const prefix of [undefined, kit.instancePath]) {
      const gone = await kit.send('PUT', path(prefix), {
        body: { ...packument, versions: { '1.0.0': { deprecated: 'stays' }, '9.9.9': { deprecated: 'old' } } },
      });
      expect(gone.status).toBe(404);
      expect(gone.json()).toEqual({
        message: '404 Package Not Found',
        error: 'Package not found. @acme/first has no version 9.9.9 here.',
      });
    }
    expect(await shown()).toMatchObject({ '1.0.0': 'stays' });
  });

  test('announced, but with a message for no version: 400 that names what is missing, and nothing is lifted', async () => {
    await deprecate({ '1.0.0': 'stays' });
    const { versions: _versions, ...rest } = await read();
    const answer = await kit.send('PUT', path(), {
      body: { ...rest, versions: { '1.0.0': {}, '1.1.0': {} } },
      headers: { 'npm-command': 'deprecate' },
    });
    expect(answer.status).toBe(400);
    expect(answer.json()['message']).toBe('400 Bad request - "package versions to deprecate" not given');
    expect(await shown()).toMatchObject({ '1.0.0': 'stays' });
  });

  test('without a message and without a header is no deprecation: 400 naming _attachments', async () => {
    const answer = await kit.send('PUT', path(), { body: await read() });
    expect(answer.status).toBe(400);
    expect(answer.json()['error']).toContain('_attachments');
  });

  test('with a message that is none is refused', async () => {
    expect((await deprecate({ '1.0.0': 12 })).status).toBe(400);
    expect((await deprecate({ '1.0.0': 'x'.repeat(5000) })).status).toBe(400);
    expect((await deprecate({ '1.0.0': ['x'] })).status).toBe(400);
  });
});

describe('unpublish', () => {
  const pathOf = (url: string) => new URL(url).pathname;

  test('of a version, the way npm does it', async () => {
    const before = await read();
    const { '1.1.0': gone, ...versions } = before.versions;
    const dist = (gone?.['dist'] ?? {}) as { tarball?: string };
    const tarball = pathOf(dist.tarball ?? '');
    const put = await kit.send('PUT', `${path()}/-rev/${before._rev}`, { body: { ...before, versions } });
    expect(put.status).toBe(200);
    const after = await read();
    expect(Object.keys(after.versions)).toEqual(['1.0.0', '2.0.0']);
    expect(Object.keys(after.time)).not.toContain('1.1.0');
    expect((await kit.send('DELETE', `${tarball}/-rev/${after._rev}`)).status).toBe(200);
    expect((await kit.get(tarball)).status).toBe(404);
    expect(await kit.storedTarballs()).toHaveLength(2);
    await kit.publish({ name: '@acme/first', version: '1.1.0' });
  });

  test('of the version that latest points at moves latest to the next highest release', async () => {
    const before = await read();
    expect(before['dist-tags']['latest']).toBe('2.0.0');
    const { '2.0.0': _gone, ...versions } = before.versions;
    await kit.send('PUT', `${path()}/-rev/${before._rev}`, { body: { ...before, versions } });
    expect((await read())['dist-tags']).toEqual({ latest: '1.1.0' });
  });

  test('of the package, with its revision or without', async () => {
    const { _rev: revision } = await read();
    expect((await kit.send('DELETE', `${path()}/-rev/${revision}`)).status).toBe(200);
    expect((await kit.get(path())).status).toBe(404);
    expect(await kit.storedTarballs()).toEqual([]);
    await kit.publish({ name: '@acme/first', version: '1.0.0' });
    expect((await kit.send('DELETE', path())).status).toBe(200);
    expect((await kit.get(path())).status).toBe(404);
  });

  test('of the last version takes the package along', async () => {
    await kit.publish({ name: 'single', version: '1.0.0' });
    const packument = (await kit.get(`${kit.projectPath()}/single?write=true`)).json<Packument>();
    const put = await kit.send('PUT', `${kit.projectPath()}/single/-rev/${packument._rev}`, {
      body: { ...packument, versions: {} },
    });
    expect(put.status).toBe(200);
    expect((await kit.get(`${kit.projectPath()}/single`)).status).toBe(404);
  });

  test('with a revision that is not the current one is a conflict and changes nothing', async () => {
    const before = await read();
    await kit.publish({ name: '@acme/first', version: '3.0.0' });
    const { '1.0.0': _gone, ...versions } = before.versions;
    for (const revision of [before._rev, '1-abc', 'undefined']) {
      expect((await kit.send('PUT', `${path()}/-rev/${revision}`, { body: { ...before, versions } })).status).toBe(409);
      expect((await kit.send('DELETE', `${path()}/-rev/${revision}`)).status).toBe(409);
    }
    expect(Object.keys((await read()).versions)).toEqual(['1.0.0', '1.1.0', '2.0.0', '3.0.0']);
  });

  test('a document without versions removes nothing', async () => {
    const { _rev: revision } = await read();
    for (const versions of [undefined, null, [], 'none']) {
      const answer = await kit.send('PUT', `${path()}/-rev/${revision}`, { body: { _id: '@acme/first', versions } });
      expect(answer.status).toBe(400);
    }
    expect(Object.keys((await read()).versions)).toHaveLength(3);
  });

  test('of what is not there: 404, which npm takes for done', async () => {
    expect((await kit.send('DELETE', `${kit.projectPath()}/nothing/-rev/1-a`)).status).toBe(404);
    expect((await kit.send('DELETE', `${kit.projectPath()}/nothing/-/nothing-1.0.0.tgz/-rev/1-a`)).status).toBe(404);
  });

  test('at the instance is of the project of the newest publish', async () => {
    const packument = await read(kit.instancePath);
    const { '2.0.0': _gone, ...versions } = packument.versions;
    const answer = await kit.send('PUT', `${path(kit.instancePath)}/-rev/${packument._rev}`, {
      body: { ...packument, versions },
    });
    expect(answer.status).toBe(200);
    expect(Object.keys((await read()).versions)).toEqual(['1.0.0', '1.1.0']);
  });

  test('at the instance, of a name that two projects have, takes away only what the caller named', async () => {
    const other = await kit.project();
    await kit.publish({ name: '@acme/first', version: '5.0.0', projectId: other.id });
    await kit.publish({ name: '@acme/first', version: '5.1.0', projectId: other.id });
    const packument = await read(kit.instancePath);
    const { '5.0.0': _gone, ...versions } = packument.versions;
    const answer = await kit.send('PUT', `${path(kit.instancePath)}/-rev/${packument._rev}`, {
      body: { ...packument, versions },
    });
    expect(answer.status).toBe(200);
    expect(Object.keys((await read(kit.projectPath(other.id))).versions)).toEqual(['5.1.0']);
    expect(Object.keys((await read()).versions)).toHaveLength(3);
  });

  test('at the instance, of a version that the older project has alone, is made there', async () => {
    const other = await kit.project();
    await kit.publish({ name: '@acme/first', version: '5.0.0', projectId: other.id });
    const packument = await read(kit.instancePath);
    const { '1.0.0': _gone, ...versions } = packument.versions;
    const answer = await kit.send('PUT', `${path(kit.instancePath)}/-rev/${packument._rev}`, {
      body: { ...packument, versions },
    });
    expect(answer.status).toBe(200);
    expect(Object.keys((await read(kit.instancePath)).versions)).toEqual(['1.1.0', '2.0.0', '5.0.0']);
  });

  test("at the instance, of a version that two projects have, leaves the other project's alone in every step of npm's", async () => {
    const other = await kit.project();
    await kit.publish({ name: '@acme/first', version: '0.1.0', projectId: other.id });
    await kit.publish({ name: '@acme/first', version: '2.0.0', projectId: other.id });
    const before = await read(kit.instancePath);
    const { '2.0.0': _gone, ...versions } = before.versions;
    const put = await kit.send('PUT', `${path(kit.instancePath)}/-rev/${before._rev}`, {
      body: { ...before, versions },
    });
    expect(put.status).toBe(200);
    const after = await read(kit.instancePath);
    const last = await kit.send('DELETE', `${kit.instancePath}/@acme/first/-/first-2.0.0.tgz/-rev/${after._rev}`);
    expect(last.status).toBe(404);
    expect(Object.keys((await read()).versions)).toEqual(['1.0.0', '1.1.0']);
    expect(Object.keys((await read(kit.projectPath(other.id))).versions)).toEqual(['0.1.0', '2.0.0']);
  });

  test('of a whole package at the instance says where the name still is', async () => {
    const other = await kit.project();
    await kit.publish({ name: '@acme/first', version: '5.0.0', projectId: other.id });
    const answer = await kit.send('DELETE', path(kit.instancePath));
    expect(answer.headers['npm-notice']).toBe('@acme/first is still in the project local/packages.');
    expect(Object.keys((await read(kit.instancePath)).versions)).toHaveLength(3);
  });

  test('keeps the bytes that another version has', async () => {
    const document = { name: 'twin', files: { 'same.js': '1' } };
    await kit.publish({ ...document, version: '1.0.0' });
    const other = await kit.project({ namespaceId: kit.registry.directory.store.namespaces.findPersonal(1)?.id ?? 0 });
    await kit.publish({ ...document, version: '1.0.0', projectId: other.id });
    await kit.send('DELETE', `${kit.projectPath()}/twin`);
    expect((await kit.get(`${kit.projectPath(other.id)}/twin/-/twin-1.0.0.tgz`)).status).toBe(200);
  });
});
