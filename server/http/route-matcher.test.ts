import { describe, expect, it } from 'vitest';
import { RouteMatcher, segmentsOf } from './route-matcher.ts';

const gitlab = new RouteMatcher(
  [
    { pattern: '/projects/:id/protected_environments/:name/access', GET: 1 },
    { pattern: '/projects/:id/protected_environments', GET: 1 },
    { pattern: '/projects/:id/protected_environments/:name', GET: 1, DELETE: 1 },
    { pattern: '/projects/:id/environments/access', GET: 1 },
    { pattern: '/projects/:id/environments/:environment_id', GET: 1 },
    { pattern: '/projects/:id/packages/:package_id', GET: 1 },
    { pattern: '/projects/:id', GET: 1 },
  ],
  { lenient: true },
);
const npm = new RouteMatcher([
  { pattern: '', GET: 1 },
  { pattern: '/-/ping', GET: 1 },
  { pattern: '/-/npm/v1/tokens/token/:key', DELETE: 1 },
  { pattern: '/-/user/package/*name/star', PUT: 1 },
  { pattern: '/-/npm/v1/attestations/*spec', GET: 1 },
  { pattern: '/-/package/*name/dist-tags/:tag', PUT: 1 },
  { pattern: '/*name', GET: 1, PUT: 1 },
  { pattern: '/*name/:selector', GET: 1 },
  { pattern: '/*name/-/:file', GET: 1 },
]);

function matched(method: string, path: string) {
  const match = gitlab.match(
    method,
    segmentsOf(path, (segment) => decodeURIComponent(segment)),
  );
  return match.kind === 'route' ? [match.route.pattern.split('/').slice(3).join('/'), match.parameters] : match;
}

function matchedNpm(method: string, path: string) {
  const match = npm.match(method, segmentsOf(path, decodeURIComponent));
  return match.kind === 'route' ? [match.route.pattern, match.parameters] : match;
}

describe('lenient routes', () => {
  it.each<[string, string, Record<string, string>]>([
    ['/projects/1/protected_environments', 'protected_environments', { id: '1' }],
    ['/projects/1/protected_environments/', 'protected_environments', { id: '1' }],
    ['/projects/1/protected_environments.json', 'protected_environments', { id: '1' }],
    ['/projects/a%2Fb/protected_environments/x%2Fy', 'protected_environments/:name', { id: 'a/b', name: 'x/y' }],
    ['/projects/a%2Fb/protected_environments/x%252F', 'protected_environments/:name', { id: 'a/b', name: 'x%2F' }],
    ['/projects/1/protected_environments/x.json', 'protected_environments/:name', { id: '1', name: 'x.json' }],
    ['/projects/1/protected_environments/7.json', 'protected_environments/:name', { id: '1', name: '7.json' }],
    ['/projects/a/b/c/protected_environments/x/y', 'protected_environments/:name', { id: 'a/b/c', name: 'x/y' }],
    ['/projects/1/protected_environments/x/access', 'protected_environments/:name/access', { id: '1', name: 'x' }],
    ['/projects/a/b/protected_environments/x', 'protected_environments/:name', { id: 'a/b', name: 'x' }],
    ['/projects/1/environments/7.json', 'environments/:environment_id', { id: '1', environment_id: '7' }],
    ['/projects/1/environments/access', 'environments/access', { id: '1' }],
    ['/projects/a%2Fb', '', { id: 'a/b' }],
  ])('finds GET %s', (path, handler, parameters) => {
    expect(matched('GET', path)).toEqual([handler, parameters]);
  });

  it.each<[string, string, string, Record<string, string>]>([
    ['GET', '/projects/local/packages/protected_environments', 'protected_environments', { id: 'local/packages' }],
    ['GET', '/projects/local/packages/7', 'packages/:package_id', { id: 'local', package_id: '7' }],
    [
      'GET',
      '/projects/1/protected_environments/x/y/access',
      'protected_environments/:name/access',
      { id: '1', name: 'x/y' },
    ],
    [
      'DELETE',
      '/projects/1/protected_environments/x/access',
      'protected_environments/:name',
      { id: '1', name: 'x/access' },
    ],
  ])('finds names that were sent raw: %s %s', (method, path, handler, parameters) => {
    expect(matched(method, path)).toEqual([handler, parameters]);
  });

  it('answers HEAD as GET, and other methods with those that there are', () => {
    expect(matched('HEAD', '/projects/1/environments/access')).toEqual(['environments/access', { id: '1' }]);
    expect(matched('PATCH', '/projects/1/protected_environments/x')).toEqual({
      kind: 'other_methods',
      allow: ['GET', 'HEAD', 'DELETE'],
    });
  });

  it.each(['/projects/1/nonsense', '/projects', '/projects/a/b', '/nothing', ''])('knows nothing of %j', (path) => {
    expect(matched('GET', path)).toEqual({ kind: 'none' });
  });
});

describe('routes with package names', () => {
  it.each<[string, string, string, Record<string, string>]>([
    ['GET', '', '', {}],
    ['GET', '/', '', {}],
    ['GET', '/-/ping', '/-/ping', {}],
    ['DELETE', '/-/npm/v1/tokens/token/abc', '/-/npm/v1/tokens/token/:key', { key: 'abc' }],
    ['PUT', '/-/user/package/@acme/first/star', '/-/user/package/*name/star', { name: '@acme/first' }],
    ['GET', '/-/npm/v1/attestations/@a/b@1.0.0', '/-/npm/v1/attestations/*spec', { spec: '@a/b@1.0.0' }],
    ['PUT', '/-/package/@s%2Fp/dist-tags/beta', '/-/package/*name/dist-tags/:tag', { name: '@s/p', tag: 'beta' }],
    ['GET', '/@s/p', '/*name', { name: '@s/p' }],
    ['HEAD', '/%40s%2fp/', '/*name', { name: '@s/p' }],
    ['GET', '/@s%2fp/latest', '/*name/:selector', { name: '@s/p', selector: 'latest' }],
    ['GET', '/@s/p/-/p-1.0.0.tgz', '/*name/-/:file', { name: '@s/p', file: 'p-1.0.0.tgz' }],
  ])('%s %s is %s', (method, path, pattern, parameters) => {
    expect(matchedNpm(method, path)).toEqual([pattern, parameters]);
  });

  it.each(['/p//x', '/p/a/b', '/-', '/-/nothing', '/-/ping/more', '/-/package/p', '/-/user/package/plain'])(
    'knows nothing of %s',
    (path) => {
      expect(matchedNpm('GET', path)).toEqual({ kind: 'none' });
    },
  );
});
