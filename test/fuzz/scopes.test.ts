import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenScopes } from '../../server/accounts/access/principal.ts';
import type { TokenScope } from '../../server/accounts/access/principal.ts';
import { requirementsOf } from '../../server/accounts/access/policy.ts';
import type { GitlabRoute } from '../../server/http/gitlab/call.ts';
import { gitlabRoutes } from '../../server/http/gitlab/gitlab-routes.ts';
import type { NpmRoute } from '../../server/http/npm/npm-call.ts';
import { npmRoutes } from '../../server/http/npm/npm-routes.ts';
import { methods } from '../../server/http/route-matcher.ts';
import { TestRegistry } from '../support/registry.ts';
import { callsOfTable, gitlabScopes, type Kind, npmScopes, scopesOfKind } from './support/scope-table.ts';
import { callsOf } from './support/world.ts';

let gatehouse: TestRegistry;
const tokens = new Map<TokenScope, string>();

// An administrator, so that nothing but the scope can be in the way.
beforeAll(async () => {
  gatehouse = await TestRegistry.start();
  await gatehouse.publish({ name: 'pkg', version: '1.0.0' });
  for (const scope of tokenScopes) tokens.set(scope, await gatehouse.token(1, [scope]));
});
afterAll(() => gatehouse.stop());

/** What exists, where a token is refused; what does not, where it is let in: nothing is changed by a walk. */
const present: Readonly<Record<string, string>> = {
  id: '1',
  name: 'pkg',
  tag: 'latest',
  file: 'pkg-1.0.0.tgz',
  selector: '1.0.0',
  spec: 'pkg@1.0.0',
  user: 'root',
  user_id: '1',
  key: 'org.couchdb.user:root',
  org: 'local',
};

function fill(pattern: string, isRefused: boolean): string {
  return pattern.replaceAll(/:([a-z_]+)/g, (_, name: string) => {
    if (isRefused) return present[name] ?? '1';
    return name === 'key' ? 'org.couchdb.user:nobody' : '999999';
  });
}

function routesOf(routes: Parameters<typeof callsOf>[0]): string[] {
  const all = callsOf(routes, '').map(({ method, pattern }) => `${method} ${pattern === '' ? '/' : pattern}`);
  return [...new Set(all)].toSorted();
}

async function walk(route: string, kind: Kind, prefixOf: (isRefused: boolean) => string): Promise<void> {
  const [method = '', pattern = ''] = route.split(' ');
  const allowed: readonly TokenScope[] | null = scopesOfKind[kind];
  const differences: string[] = [];
  for (const scope of tokenScopes) {
    const isRefused = allowed !== null && !allowed.includes(scope);
    const answer = await gatehouse.send(method, `${prefixOf(isRefused)}${fill(pattern, isRefused)}`, {
      token: tokens.get(scope),
      ...(method === 'GET' ? {} : { body: {} }),
    });
    const wasRefused = answer.status === 403 && answer.text.includes('insufficient_scope');
    if (answer.status >= 500 || wasRefused !== isRefused)
      differences.push(`${scope}: ${answer.status} ${answer.text.slice(0, 150)}`);
  }
  expect(differences).toEqual([]);
}

test('every route of both APIs is in the table of scopes, and every row is a route', () => {
  const rows = (table: Parameters<typeof callsOfTable>[0]) => callsOfTable(table).map(([route]) => route);
  expect(rows(gitlabScopes).toSorted()).toEqual(routesOf(gitlabRoutes));
  expect(rows(npmScopes).toSorted()).toEqual(routesOf(npmRoutes));
});

/** Scopes of each route as its description has them. */
function describedScopes(routes: readonly (GitlabRoute | NpmRoute)[]): string[] {
  const rows = routes.flatMap((route) =>
    methods.flatMap((method) => {
      const access = route[method]?.access;
      if (access === undefined) return [];
      const scopes = access === 'anyone' ? ['none'] : requirementsOf(access).scopes.toSorted();
      return [`${method} ${route.pattern === '' ? '/' : route.pattern.replaceAll('*', ':')}: ${scopes.join(' ')}`];
    }),
  );
  return rows.toSorted();
}

test('the descriptions of routes name the scopes that the routes ask for', () => {
  const rows = (table: Parameters<typeof callsOfTable>[0]) =>
    callsOfTable(table).map(([route, kind]) => `${route}: ${(scopesOfKind[kind] ?? ['none']).toSorted().join(' ')}`);
  expect(describedScopes(gitlabRoutes)).toEqual(rows(gitlabScopes).toSorted());
  expect(describedScopes(npmRoutes)).toEqual(rows(npmScopes).toSorted());
});

describe('GitLab’s API', () => {
  test.each(callsOfTable(gitlabScopes))('%s lets in tokens that may %s', (route, kind) =>
    walk(route, kind, () => '/api/v4'),
  );
});

describe('the npm API', () => {
  test.each(callsOfTable(npmScopes))('%s lets in tokens that may %s', async (route, kind) => {
    await walk(route, kind, (isRefused) => gatehouse.projectPath(isRefused ? 1 : 999_999));
    await walk(route, kind, () => gatehouse.instancePath);
  });
});

test('afterwards everything is as it was', async () => {
  expect((await gatehouse.get(`${gatehouse.projectPath()}/pkg/-/pkg-1.0.0.tgz`)).status).toBe(200);
  expect(gatehouse.directory.tokens.list(1).every((token) => token.revokedAt === null)).toBe(true);
});
