import { describe, expect, it } from 'vitest';
import { RouteTable } from './route-table.ts';

const table = new RouteTable(
  [
    ['GET', '/projects/:id/protected_environments/:name/access'],
    ['GET', '/projects/:id/protected_environments'],
    ['GET', '/projects/:id/protected_environments/:name'],
    ['DELETE', '/projects/:id/protected_environments/:name'],
    ['GET', '/projects/:id/environments/access'],
    ['GET', '/projects/:id/environments/:environment_id'],
    ['GET', '/projects/:id/packages/:package_id'],
    ['GET', '/projects/:id'],
  ].map(([method = '', pattern = '']) => ({ method, pattern, handler: `${method} ${pattern}` })),
);

function matched(method: string, path: string) {
  const match = table.match(method, path);
  return match.kind === 'route' ? [match.handler.split('/').slice(3).join('/'), match.parameters] : match;
}

describe('RouteTable', () => {
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
    ['GET', '/projects/1/protected_environments/50%', 'protected_environments/:name', { id: '1', name: '50%' }],
    ['GET', '/projects/1/protected_environments/5%%20off', 'protected_environments/:name', { id: '1', name: '5% off' }],
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
      allow: ['DELETE', 'GET', 'HEAD', 'OPTIONS'],
    });
  });

  it.each([
    '/projects/1/nonsense',
    '/projects',
    '/projects/a/b',
    '/projects/1/protected_environments/%E0%A4%A',
    '/nothing',
    '',
  ])('knows nothing of %j', (path) => {
    expect(matched('GET', path)).toEqual({ kind: 'none' });
  });
});
