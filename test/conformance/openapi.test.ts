import { createConfig, lintFromString } from '@redocly/openapi-core';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { systemActor } from '../../server/accounts/change.ts';
import { gitlabRoutes } from '../../server/http/gitlab/gitlab-routes.ts';
import { paging } from '../../server/http/gitlab/lists.ts';
import { createDocument } from '../../server/http/openapi/document.ts';
import { methods } from '../../server/http/route-matcher.ts';
import { kit, useRegistry } from '../support/use-registry.ts';
import { complaintAbout } from '../support/answer-check.ts';

useRegistry('file');
beforeAll(async () => {
  await kit.publish({ name: 'pkg', version: '1.0.0' });
  await kit.registry.environments.environments.create(systemActor, 1, {
    name: 'production',
    tier: null,
    externalUrl: null,
    description: null,
  });
});

const path = '/api/v4/openapi.json';

describe('the OpenAPI document', () => {
  it('is served to callers without a token, with a wrong one and to administrators alike', async () => {
    const expected = JSON.stringify(createDocument({ version: kit.registry.version }));
    for (const token of [undefined, 'wrong', (await kit.user({ isAdmin: true })).token]) {
      const answer = await kit.get(path, { token });
      expect([answer.status, answer.text]).toEqual([200, expected]);
    }
  });

  it('is cached by its ETag, and compressed for clients that can read that', async () => {
    const plain = await kit.get(path, { token: undefined });
    const etag = plain.headers.etag ?? '';
    const again = await kit.get(path, { token: undefined, headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    const packed = await kit.get(path, { token: undefined, headers: { 'accept-encoding': 'gzip' } });
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5);
  });

  it('says nothing of the registry that serves it', async () => {
    await kit.publish({ name: 'only-here', version: '1.0.0' });
    const { text } = await kit.get(path, { token: undefined });
    for (const own of ['only-here', 'local/packages', kit.dataDir, String(kit.server.port)])
      expect(text).not.toContain(own);
  });

  it('passes a linter', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        // npm's and GitLab's paths are so: `/{name}/{selector}` beside `/-/ping`.
        'no-ambiguous-paths': 'off',
        // What does not exist here only explains itself.
        'operation-2xx-response': 'off',
        'tag-description': 'off',
        // "Not both" names properties that are declared one level up.
        'no-required-schema-properties-undefined': 'off',
      },
    });
    const source = JSON.stringify(createDocument({ version: '1.0.0' }));
    const problems = await lintFromString({ source, config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });
});

/** Names in paths that are there, for reads. */
const present: Readonly<Record<string, string>> = {
  id: '1',
  name: 'pkg',
  tag: 'latest',
  selector: '1.0.0',
  spec: 'pkg@1.0.0',
  file: 'pkg-1.0.0.tgz',
  folder: '@s',
  user: 'root',
  user_id: '1',
  key: 'org.couchdb.user:root',
  org: 'local',
};

function fill(pattern: string): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => present[name] ?? '1');
}

test('GitLab’s calls read every parameter that they declare', async () => {
  const unread: string[] = [];
  const ask = async (method: string, path: string, name: string) => {
    const inQuery = method === 'GET' || method === 'DELETE';
    // An object is no value of any of them.
    const answer = await kit.send(
      method,
      `${path}${inQuery ? `?${name}[x]=1` : ''}`,
      inQuery ? {} : { body: { [name]: {} } },
    );
    if (answer.status !== 400 || !answer.text.includes(name)) unread.push(`${method} ${path}: ${name}: ${answer.text}`);
  };
  for (const route of gitlabRoutes) {
    for (const method of methods) {
      const declared = Object.entries({ ...route[method]?.parameters, ...(route[method]?.paged && paging) });
      for (const [name, field] of declared) {
        if ('read' in field) await ask(method, `/api/v4${fill(route.pattern)}`, name);
      }
    }
  }
  expect(unread).toEqual([]);
});

describe('every operation of the document', () => {
  const operations = Object.entries(createDocument({ version: '' }).paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );

  // What is in an answer is compared with the document as in every test (test/support/check-every-answer.ts).
  it.each([
    ['reads', ['GET', 'HEAD']],
    ['writes', ['POST', 'PUT', 'DELETE']],
  ])('has a route: %s', async (_kind, methods) => {
    const unknown: string[] = [];
    for (const { method, path } of operations) {
      for (const one of methods.filter((each) => each === method || (each === 'HEAD' && method === 'GET'))) {
        // Nothing is changed: what writes name is not there.
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
          method === 'GET' ? (present[name] ?? '1') : '999',
        );
        const answer = await kit.send(one, filled, method === 'GET' ? {} : { body: {} });
        if (/"error":"40[45] Not/.test(answer.text) || answer.status >= 500)
          unknown.push(`${one} ${filled}: ${answer.text}`);
      }
    }
    expect(unknown).toEqual([]);
  });
});

describe('the check of every answer', () => {
  const seen = {
    method: 'GET',
    url: '/-/liveness',
    headers: {},
    status: 200,
    type: 'application/json',
    body: '{"status":"ok"}',
  };

  it('accepts what is declared', () => {
    expect(complaintAbout(seen)).toBeUndefined();
    expect(complaintAbout({ ...seen, method: 'HEAD', body: '' })).toBeUndefined();
    expect(complaintAbout({ ...seen, url: '/api/v4/nothing', status: 404, body: '{}' })).toBeUndefined();
  });

  it.each([
    ['a route', { url: '/api/v4/new' }, /no route of the OpenAPI document fits\. Declare it/],
    ['a status', { status: 418 }, /does not declare\. Add 418 to "answers"/],
    ['a field', { body: '{"status":"ok","more":1}' }, /must NOT have additional properties/],
    ['another value', { body: '{"status":"good"}' }, /does not fit its schema/],
    ['a missing field', { body: '{}' }, /must have required property 'status'/],
    ['a media type', { type: 'text/html' }, /as text\/html, but declares application\/json/],
    [
      'a body of an error',
      { url: '/api/v4/projects/1', status: 404, body: '{"text":"gone"}' },
      /does not fit its schema/,
    ],
  ])('complains about %s that is not declared', (_what, change, complaint) => {
    expect(complaintAbout({ ...seen, ...change })).toMatch(complaint);
  });
});
