import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { rootToken } from '../support/registry.ts';
import { scaled } from '../support/scale.ts';
import { contentType, hostileBody, hostileHeaders, pathPiece, queryText } from './support/arbitraries.ts';
import { hostileTexts } from './support/hostile-texts.ts';
import { World, everyRoute, expectSafe } from './support/world.ts';

const runs = scaled('GATEHOUSE_FUZZ_RUNS', { short: 1500, full: 60_000 });

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world.expectNothingOutside();
  await world.stop();
});

const route = fc.constantFrom(...everyRoute());
const caller = fc.constantFrom('nobody', 'outsider', 'insider', 'guesser', 'root' as const);
const method = fc.constantFrom(
  undefined,
  undefined,
  undefined,
  'HEAD',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'PROPFIND',
  'PURGE',
);

function tokenOf(who: string): string | undefined {
  switch (who) {
    case 'outsider':
      return world.outsider;
    case 'insider':
      return world.insider;
    case 'root':
      return rootToken;
    case 'guesser':
      return `glpat-${Math.random().toString(36).slice(2).padEnd(20, 'x')}`;
    default:
      return undefined;
  }
}

test('no read with what is there shows an outsider names of hidden groups, or an address of somebody else', async () => {
  const values: Record<string, readonly string[]> = {
    id: Array.from({ length: 8 }, (_, index) => String(index + 1)),
    audit_event_id: Array.from({ length: 60 }, (_, index) => String(index + 1)),
    user_id: ['1', '2', '3'],
    user: ['insider'],
    key: ['org.couchdb.user:insider'],
    name: ['by-insider', 'production'],
    selector: ['1.0.0'],
    org: ['local', 'own'],
  };
  const fill = (patterns: string[]): string[] =>
    patterns.flatMap((pattern) => {
      const name = /:([a-z_]+)/.exec(pattern)?.[1];
      if (name === undefined) return [pattern];
      return fill((values[name] ?? ['1']).map((value) => pattern.replace(`:${name}`, value)));
    });
  const queries: readonly [RegExp, string][] = [
    [/\/groups$/, '?with_shared=true'],
    [/\/access$/, '?user_id=3'],
    [/\/-\/v1\/search$/, '?text=insider'],
    [/\/users$/, '?search=example'],
    [/\/collaborators$/, '?format=cli'],
  ];
  const reads = everyRoute().filter((wanted) => wanted.method === 'GET');
  for (const path of new Set(fill(reads.map(({ pattern }) => pattern)))) {
    const query = queries.find(([pattern]) => pattern.test(path))?.[1] ?? '';
    for (const token of [world.outsider, undefined]) {
      const answer = await send(world.gatehouse.origin, 'GET', `${path}${query}`, token === undefined ? {} : { token });
      expectSafe(answer, `GET ${path}${query}`, true);
    }
  }
});

describe('whatever is asked of an endpoint', () => {
  test('it answers soon, with no failure of its own, and tells nobody of another tenant', async () => {
    await fc.assert(
      fc.asyncProperty(
        route,
        method,
        fc.array(pathPiece, { minLength: 6, maxLength: 6 }),
        queryText,
        caller,
        fc.option(hostileBody, { nil: undefined }),
        contentType,
        hostileHeaders,
        async (wanted, other, pieces, query, who, body, type, headers) => {
          let used = 0;
          const path = wanted.pattern.replaceAll(/:[a-z_]+/g, () => pieces[used++ % pieces.length] ?? '') + query;
          const isDestructiveAsRoot = who === 'root' && wanted.method !== 'GET';
          const token = isDestructiveAsRoot ? world.outsider : tokenOf(who);
          const given = { ...headers };
          // A header of the fuzzer's own must not make an outsider somebody else; it has no valid token to offer.
          const answer = await send(world.gatehouse.origin, other ?? wanted.method, path, {
            ...(token === undefined ? {} : { token }),
            headers: { ...(body === undefined || type === '' ? {} : { 'content-type': type }), ...given },
            ...(body === undefined || wanted.method === 'GET' ? {} : { body }),
          });
          expectSafe(answer, `${other ?? wanted.method} ${path.slice(0, 300)}`, who !== 'insider' && who !== 'root');
        },
      ),
      { numRuns: runs, interruptAfterTimeLimit: 18 * 60_000, endOnFailure: true },
    );
  });

  test('every route takes every hostile text in every place', async () => {
    const differences: string[] = [];
    const texts = hostileTexts
      .map((text) => encodeURIComponent(text.toWellFormed()))
      .filter((text) => text.length < 4000);
    const routes = everyRoute();
    await Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let index = worker; index < routes.length; index += 8) {
          const wanted = routes[index];
          if (!wanted || !/:[a-z_]+/.test(wanted.pattern)) continue;
          for (const text of texts.filter(
            (_text, at) => (at + index) % scaled('GATEHOUSE_FUZZ_STRIDE', { short: 6, full: 1 }) === 0,
          )) {
            const path = wanted.pattern.replaceAll(/:[a-z_]+/g, text === '' ? '%20' : text);
            const answer = await send(world.gatehouse.origin, wanted.method, path, {
              token: world.outsider,
              ...(wanted.method === 'GET' ? {} : { body: {} }),
            });
            if (answer.status >= 500) differences.push(`${wanted.method} ${path}: ${answer.status} ${answer.text}`);
          }
        }
      }),
    );
    expect(differences).toEqual([]);
  });
});

test('afterwards the registry serves as before, and doctor finds nothing', async () => {
  // Of a project that none of the callers may change.
  const path = world.gatehouse.projectPath(1);
  expect((await world.gatehouse.get(`${path}/kept/-/kept-1.0.0.tgz`)).status).toBe(200);
  const { maintenance } = world.gatehouse.registry;
  const job = await maintenance.jobs.ended(maintenance.examine(false));
  expect(job.report?.findings).toEqual([]);
  expect(Object.hasOwn(Object.prototype, 'isAdmin') || 'x' in {}).toBe(false);
});
