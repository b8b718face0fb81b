import { describe, expect, it } from 'vitest';
import type { PackageVersion } from '../../../../server/contract/packages.ts';
import { withTag } from '../../../api/packages.ts';
import { orderTags, tagNameProblem, tagsByVersion } from './dist-tags.ts';

const versions = ['2.0.0', '1.1.0', '1.0.0'].map((version) => ({ version }) as PackageVersion);
const tag = (name: string, version: string) => ({ tag: name, version, updatedAt: 0 });

describe('dist-tags', () => {
  it('stand with latest first, then by how new their version is, then by name', () => {
    const tags = [tag('old', '1.0.0'), tag('next', '2.0.0'), tag('latest', '1.1.0'), tag('beta', '2.0.0')];
    expect(orderTags(tags, versions).map((each) => each.tag)).toEqual(['latest', 'beta', 'next', 'old']);
  });

  it('are grouped by version', () => {
    expect(tagsByVersion([tag('a', '1.0.0'), tag('b', '1.0.0')]).get('1.0.0')).toEqual(['a', 'b']);
  });

  it.each(['beta', 'next-11', 'release_2', 'v', 'latest'])('may be called %s', (name) => {
    expect(tagNameProblem(name)).toBeUndefined();
  });

  it.each(['', '1', '1.0', 'v2', '1.x', '1.0.0-beta.1', 'x', 'a b', 'a/b', 'ü', 'a'.repeat(256)])(
    'may not be called %j',
    (name) => {
      expect(tagNameProblem(name)).toMatch(/\.$/);
    },
  );

  it('are moved, added and removed one at a time in what the page shows', () => {
    const tags = [tag('latest', '1.0.0'), tag('beta', '2.0.0')];
    expect(withTag(tags, 'latest', '2.0.0', 5)).toEqual([
      tag('beta', '2.0.0'),
      { ...tag('latest', '2.0.0'), updatedAt: 5 },
    ]);
    expect(withTag(tags, 'beta', null)).toEqual([tag('latest', '1.0.0')]);
  });
});
