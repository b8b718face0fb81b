import { beforeEach, expect, test } from 'vitest';
import { kit, useRegistry } from '../../support/use-registry.ts';

useRegistry('test');
beforeEach(async () => {
  await kit.publish({ name: '@acme/first', version: '1.0.0' });
  await kit.publish({ name: '@acme/first', version: '1.1.0', tag: 'next' });
});

const base = (prefix = kit.projectPath()) => `${prefix}/-/package/@acme%2ffirst/dist-tags`;
const json = { 'content-type': 'application/json' };
const put = (tag: string, body?: unknown, headers: Record<string, string> = json, path = base()) =>
  kit.send('PUT', `${path}/${tag}`, { headers, ...(body === undefined ? {} : { body }) });
const tags = async () => (await kit.get(base())).json<Record<string, string>>();

test('are listed at every prefix and under every encoding, with latest', async () => {
  for (const prefix of [kit.projectPath(), kit.groupPath('local'), kit.instancePath]) {
    for (const name of ['@acme%2ffirst', '@acme%2Ffirst', '@acme/first', '%40acme%2Ffirst']) {
      const answer = await kit.get(`${prefix}/-/package/${name}/dist-tags`);
      expect(answer.json()).toEqual({ latest: '1.0.0', next: '1.1.0' });
      const again = await kit.get(`${prefix}/-/package/${name}/dist-tags`, {
        headers: { 'if-none-match': answer.headers.etag ?? '' },
      });
      expect(again.status).toBe(304);
    }
  }
});

test.each([
  ['a JSON string, as npm sends it', '"1.1.0"', json],
  ['a JSON string with no content type', '"1.1.0"', {}],
  [
    'a JSON string that says it is a form, as curl does',
    '"1.1.0"',
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
  ['a form field', 'version=1.1.0', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['an object', '{"version":"1.1.0"}', json],
  ['plain text', '1.1.0', { 'content-type': 'text/plain' }],
])('is set with %s', async (_label, body, headers) => {
  const answer = await put('beta', body, headers);
  expect(answer.status).toBe(204);
  expect(answer.bytes).toHaveLength(0);
  expect(await tags()).toMatchObject({ beta: '1.1.0' });
});

test('is set with a query, moved, and set again to what it is', async () => {
  expect((await put('beta?version=1.0.0')).status).toBe(204);
  expect((await put('beta', '"1.1.0"')).status).toBe(204);
  expect((await put('beta', '"1.1.0"')).status).toBe(204);
  expect(await tags()).toEqual({ latest: '1.0.0', next: '1.1.0', beta: '1.1.0' });
  expect((await put('latest', '"1.1.0"')).status).toBe(204);
  expect(await tags()).toMatchObject({ latest: '1.1.0' });
});

test('an empty tag is a path that there is not', async () => {
  for (const method of ['PUT', 'DELETE']) {
    const answer = await kit.send(method, `${kit.projectPath()}/-/package/pkg/dist-tags/`, { body: '"1.0.0"' });
    expect([answer.status, answer.json()]).toEqual([404, { error: '404 Not Found' }]);
  }
});

test('what is missing is named before anything else is looked at', async () => {
  for (const body of [undefined, '', '""', 'null', '"  "']) {
    const answer = await put('beta', body);
    expect(answer.status, String(body)).toBe(400);
    expect(answer.json()['message']).toBe('400 Bad request - "Version" not given');
  }
  expect((await put('%20', '"1.0.0"')).json()).toMatchObject({
    message: '400 Bad request - "Tag" not given',
    error: '"Tag" not given',
  });
  const unnamed = await kit.send('PUT', `${kit.projectPath()}/-/package/%20/dist-tags/beta`, { body: '"1.0.0"' });
  expect(unnamed.json()).toMatchObject({ error: '"Package Name" not given' });
  expect((await kit.get(`${kit.projectPath()}/-/package/%20/dist-tags`)).status).toBe(400);
  const noSegment = await kit.send('PUT', `${kit.projectPath()}/-/package/@acme%2ffirst/dist-tags//`, {
    body: '"1.0.0"',
  });
  expect(noSegment.status).toBe(404);
  expect(noSegment.json()).toEqual({ error: '404 Not Found' });
});

test.each(['1.0.0', 'v1', '^1.0.0', '1.x', '*', '>=1', 'x', 't'.repeat(129), 'a%2Fb', 'a%20b', 'a%3Fb'])(
  'the tag %j is refused',
  async (tag) => {
    const answer = await put(tag, '"1.0.0"');
    expect(answer.status).toBe(400);
    expect(answer.json()['error']).toMatch(/dist-tag/);
    expect(Object.keys(await tags())).toEqual(['latest', 'next']);
  },
);

test('an unknown version or package is not found; a body that is none is refused', async () => {
  const unknown = await put('beta', '"9.9.9"');
  expect(unknown.status).toBe(404);
  expect(unknown.json()).toMatchObject({ message: '404 Package Not Found', error: expect.stringContaining('9.9.9') });
  expect((await put('beta', '"1.0.0"', json, `${kit.projectPath()}/-/package/nothing/dist-tags`)).status).toBe(404);
  expect((await put('beta', '{')).status).toBe(400);
  expect((await put('beta', '[1]')).status).toBe(400);
  expect((await put('beta', `"${'1'.repeat(5000)}"`)).status).toBe(413);
  expect((await put('beta', '<v>1.0.0</v>', { 'content-type': 'application/xml' })).status).toBe(415);
});

test('is removed; one that nobody set is not found; latest can be removed and is computed then', async () => {
  const remove = (tag: string) => kit.send('DELETE', `${base()}/${tag}`);
  expect((await remove('next')).status).toBe(204);
  const gone = await remove('next');
  expect(gone.status).toBe(404);
  expect(gone.json()).toMatchObject({ message: '404 Package Tag Not Found', error: expect.stringContaining('next') });
  expect((await remove('latest')).status).toBe(204);
  expect(await tags()).toEqual({ latest: '1.1.0' });
  expect((await remove('latest')).status).toBe(404);
  const nothing = await kit.send('DELETE', `${kit.projectPath()}/-/package/nothing/dist-tags/beta`);
  expect(nothing.json()['message']).toBe('404 Package Tag Not Found');
});

test('a change shows at once in every form that was kept', async () => {
  const read = async () => {
    const path = `${kit.projectPath()}/@acme%2ffirst`;
    await kit.get(path);
    const full = await kit.get(path);
    const short = await kit.get(path, { headers: { accept: 'application/vnd.npm.install-v1+json' } });
    const merged = await kit.get(`${kit.instancePath}/@acme%2ffirst`);
    return [full, short, merged].map((answer) => answer.json<{ 'dist-tags': object }>()['dist-tags']);
  };
  await read();
  await put('beta', '"1.0.0"');
  for (const shown of await read()) expect(shown).toHaveProperty('beta', '1.0.0');
  await kit.send('DELETE', `${base()}/beta`);
  for (const shown of await read()) expect(shown).not.toHaveProperty('beta');
});
