import { describe, expect, it } from 'vitest';
import type { PackageSummary } from '../../../../server/contract/packages.ts';
import { scopeOf, scopesOf } from '../../../api/packages.ts';
import { filterPackages, sortPackages, type PackageOrder } from './filter-packages.ts';

let nextId = 1;
function pack(name: string, more: Partial<PackageSummary> = {}): PackageSummary {
  return {
    id: nextId++,
    projectId: 1,
    projectPath: 'local/packages',
    name,
    description: '',
    latest: '1.0.0',
    versionCount: 1,
    tagCount: 1,
    totalSize: 100,
    publishedAt: 0,
    deprecated: false,
    ...more,
  };
}

const everything = { search: '' };
const names = (list: PackageSummary[]) => list.map((each) => each.name);

describe('the list of packages', () => {
  it('finds every word in any order, in names first and then in descriptions', () => {
    const list = [
      pack('zebra', { description: 'a button for http' }),
      pack('@acme/http-button'),
      pack('button'),
      pack('button-http'),
    ];
    expect(names(filterPackages(list, { ...everything, search: ' HTTP button' }))).toEqual([
      '@acme/http-button',
      'button-http',
      'zebra',
    ]);
  });

  it('adds what the server found by keyword, after the names', () => {
    const tagged = pack('aardvark');
    const list = [tagged, pack('http')];
    const found = filterPackages(list, { ...everything, search: 'http', alsoMatching: new Set([tagged.id]) });
    expect(names(found)).toEqual(['http', 'aardvark']);
  });

  it('keeps to the scope and the project asked for', () => {
    const list = [pack('@acme/a'), pack('@acme/b', { projectId: 2 }), pack('c')];
    expect(names(filterPackages(list, { ...everything, scope: '@acme', projectId: 1 }))).toEqual(['@acme/a']);
    expect(names(filterPackages(list, { ...everything, scope: '' }))).toEqual(['c']);
  });

  it('sorts by each column in both directions, by name where equal, and leaves its input alone', () => {
    const list = [
      pack('b', { totalSize: 5, publishedAt: 3, versionCount: 1 }),
      pack('a', { totalSize: 5, publishedAt: 1, versionCount: 9 }),
    ];
    const sorted = (sort: PackageOrder['sort'], descending: boolean) => names(sortPackages(list, { sort, descending }));
    expect(sorted('name', true)).toEqual(['b', 'a']);
    expect(sorted('publishedAt', false)).toEqual(['a', 'b']);
    expect(sorted('versions', true)).toEqual(['a', 'b']);
    expect(sorted('size', true)).toEqual(['a', 'b']);
    expect(names(list)).toEqual(['b', 'a']);
  });
});

describe('scopes', () => {
  it('are read from the names', () => {
    expect(scopeOf('@acme/ui')).toBe('@acme');
    expect(scopesOf([pack('@b/x'), pack('y'), pack('@a/x'), pack('@b/z')])).toEqual(['', '@a', '@b']);
  });
});
