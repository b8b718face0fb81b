import { describe, expect, it } from 'vitest';
import { GatehouseError } from '../../contract/errors.ts';
import { parseNpmPath } from './npm-route.ts';

const base = '/api/v4/projects/1/packages/npm';
const route = (rest: string) => parseNpmPath(base + rest)?.route;

describe('parseNpmPath', () => {
  it.each([
    ['/api/v4/projects/7/packages/npm/x', { kind: 'project', reference: '7' }],
    ['/api/v4/projects/local%2Fpackages/packages/npm/x', { kind: 'project', reference: 'local/packages' }],
    ['/api/v4/projects/local/packages/packages/npm/x', { kind: 'project', reference: 'local/packages' }],
    ['/api/v4/groups/2/-/packages/npm/x', { kind: 'group', reference: '2' }],
    ['/api/v4/groups/a%2fb/-/packages/npm/x', { kind: 'group', reference: 'a/b' }],
    ['/api/v4/packages/npm/x', { kind: 'instance' }],
  ])('reads the prefix of %s', (path, prefix) => {
    expect(parseNpmPath(path)).toEqual({ prefix, route: { kind: 'packument', name: 'x', revision: null } });
  });

  it.each([
    '/api/v4/projects/1/packages',
    '/api/v4/projects/1/packages/npmx',
    '/api/v4/packages/npm-x',
    '/packages/npm/x',
  ])('leaves %s to others', (path) => {
    expect(parseNpmPath(path)).toBeUndefined();
  });

  it.each(['/@s/p', '/@s%2fp', '/@s%2Fp', '/%40s%2fp', '/@s/p/'])('finds the scoped name in %s', (rest) => {
    expect(route(rest)).toEqual({ kind: 'packument', name: '@s/p', revision: null });
  });

  it.each([
    ['', { kind: 'root' }],
    ['/', { kind: 'root' }],
    ['/p/-rev/3-a', { kind: 'packument', name: 'p', revision: '3-a' }],
    ['/p/1.0.0', { kind: 'manifest', name: 'p', selector: '1.0.0' }],
    ['/@s/p/latest', { kind: 'manifest', name: '@s/p', selector: 'latest' }],
    ['/@s%2fp/latest', { kind: 'manifest', name: '@s/p', selector: 'latest' }],
    ['/p/-/p-1.0.0.tgz', { kind: 'tarball', name: 'p', file: 'p-1.0.0.tgz', revision: null }],
    ['/@s/p/-/p-1.0.0.tgz', { kind: 'tarball', name: '@s/p', file: 'p-1.0.0.tgz', revision: null }],
    ['/@s/p/-/@s/p-1.0.0.tgz', { kind: 'tarball', name: '@s/p', file: '@s/p-1.0.0.tgz', revision: null }],
    ['/@s%2fp/-/@s%2fp-1.0.0.tgz', { kind: 'tarball', name: '@s/p', file: '@s/p-1.0.0.tgz', revision: null }],
    ['/p/-/p-1.0.0.tgz/-rev/3-a', { kind: 'tarball', name: 'p', file: 'p-1.0.0.tgz', revision: '3-a' }],
    ['/-/package/p/dist-tags', { kind: 'dist-tags', name: 'p' }],
    ['/-/package/@s/p/dist-tags/beta', { kind: 'dist-tag', name: '@s/p', tag: 'beta' }],
    ['/-/package/@s%2fp/dist-tags/beta', { kind: 'dist-tag', name: '@s/p', tag: 'beta' }],
    ['/-/package/p/access', { kind: 'package-facet', name: 'p', facet: 'access', rest: [] }],
    ['/-/v1/search', { kind: 'service', path: ['v1', 'search'] }],
    ['/-/user/org.couchdb.user:root', { kind: 'service', path: ['user', 'org.couchdb.user:root'] }],
  ])('reads %s', (rest, expected) => {
    expect(route(rest)).toEqual(expected);
  });

  it.each(['/%zz', '/p//x', '/p/a/b', '/p/-/a/b/c/d', '/-/package/p', '/%c3%28'])('refuses %s', (rest) => {
    expect(() => route(rest)).toThrow(GatehouseError);
  });
});
