import { describe, expect, it } from 'vitest';
import { GatehouseError } from '../../contract/errors.ts';
import { RouteMatcher } from '../route-matcher.ts';
import { parseNpmPath } from './npm-path.ts';
import { npmRoutes } from './npm-routes.ts';

const base = '/api/v4/projects/1/packages/npm';
const matcher = new RouteMatcher(npmRoutes);

function route(rest: string) {
  const match = matcher.match('GET', parseNpmPath(base + rest)?.segments ?? []);
  return match.kind === 'route' ? [match.route.pattern, match.parameters] : match.kind;
}

describe('parseNpmPath', () => {
  it.each([
    ['/api/v4/projects/7/packages/npm', { kind: 'project', reference: '7' }],
    ['/api/v4/projects/local%2Fpackages/packages/npm', { kind: 'project', reference: 'local/packages' }],
    ['/api/v4/projects/local/packages/packages/npm', { kind: 'project', reference: 'local/packages' }],
    ['/api/v4/groups/2/-/packages/npm', { kind: 'group', reference: '2' }],
    ['/api/v4/groups/a%2fb/-/packages/npm', { kind: 'group', reference: 'a/b' }],
    ['/api/v4/packages/npm', { kind: 'instance' }],
  ])('reads the prefix of %s', (prefix, expected) => {
    expect(parseNpmPath(`${prefix}/x`)).toEqual({ prefix: { text: prefix, ...expected }, segments: ['x'] });
  });

  it.each([
    '/api/v4/projects/1/packages',
    '/api/v4/projects/1/packages/npmx',
    '/api/v4/packages/npm-x',
    '/packages/npm/x',
  ])('leaves %s to others', (path) => {
    expect(parseNpmPath(path)).toBeUndefined();
  });

  it.each(['/%zz', '/p//x', '/%c3%28', '/a%0Ab', '/@s/a%0Ab', '/-/package/a%00/dist-tags'])('refuses %s', (rest) => {
    expect(() => parseNpmPath(base + rest)).toThrow(GatehouseError);
  });
});

describe('npmRoutes', () => {
  it.each(['/@s/p', '/@s%2fp', '/@s%2Fp', '/%40s%2fp', '/@s/p/'])('finds the scoped name in %s', (rest) => {
    expect(route(rest)).toEqual(['/*name', { name: '@s/p' }]);
  });

  it.each([
    ['', '', {}],
    ['/', '', {}],
    ['/p/-rev/3-a', '/*name/-rev/:revision', { name: 'p', revision: '3-a' }],
    ['/p/1.0.0', '/*name/:selector', { name: 'p', selector: '1.0.0' }],
    ['/@s/p/latest', '/*name/:selector', { name: '@s/p', selector: 'latest' }],
    ['/@s%2fp/latest', '/*name/:selector', { name: '@s/p', selector: 'latest' }],
    ['/p/-/p-1.0.0.tgz', '/*name/-/:file', { name: 'p', file: 'p-1.0.0.tgz' }],
    ['/@s/p/-/p-1.0.0.tgz', '/*name/-/:file', { name: '@s/p', file: 'p-1.0.0.tgz' }],
    ['/@s/p/-/@s/p-1.0.0.tgz', '/*name/-/:folder/:file', { name: '@s/p', folder: '@s', file: 'p-1.0.0.tgz' }],
    ['/@s%2fp/-/@s%2fp-1.0.0.tgz', '/*name/-/:file', { name: '@s/p', file: '@s/p-1.0.0.tgz' }],
    ['/p/-/p-1.0.0.tgz/-rev/3-a', '/*name/-/:file/-rev/:revision', { name: 'p', file: 'p-1.0.0.tgz', revision: '3-a' }],
    ['/-/package/p/dist-tags', '/-/package/*name/dist-tags', { name: 'p' }],
    ['/-/package/@s/p/dist-tags', '/-/package/*name/dist-tags', { name: '@s/p' }],
    ['/-/package/@s%2fp/access', '/-/package/*name/access', { name: '@s/p' }],
    ['/-/v1/search', '/-/v1/search', {}],
    ['/-/user/org.couchdb.user:root', '/-/user/:key', { key: 'org.couchdb.user:root' }],
  ])('reads %s', (rest, pattern, parameters) => {
    expect(route(rest)).toEqual([pattern, parameters]);
  });

  it.each(['/p/a/b', '/p/-/a/b/c/d', '/-/package/p', '/-', '/-/x'])('knows nothing of %s', (rest) => {
    expect(route(rest)).toBe('none');
  });
});
