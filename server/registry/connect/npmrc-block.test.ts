import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasBlock, npmrcLines, withBlock, withoutBlock } from './npmrc-block.ts';

const target = { registry: 'http://localhost:4899/api/v4/projects/1/packages/npm/', scope: null, token: 'secret' };

describe('the block in an .npmrc', () => {
  it('holds a registry line and the token for exactly that address', () => {
    expect(npmrcLines({ ...target, scope: '@acme' })).toEqual([
      '@acme:registry=http://localhost:4899/api/v4/projects/1/packages/npm/',
      '//localhost:4899/api/v4/projects/1/packages/npm/:_authToken=secret',
    ]);
  });

  it('leaves every other line alone and comes out without a trace, whatever the file was', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('gatehouse')),
        (text) => {
          const written = withBlock(text, target);
          expect(written.startsWith(text)).toBe(true);
          expect(hasBlock(written)).toBe(true);
          expect(withoutBlock(written)).toBe(text);
        },
      ),
    );
  });

  it('takes the place of an earlier block instead of piling up', () => {
    const once = withBlock('save-exact=true', target);
    const twice = withBlock(once, { ...target, token: 'other' });
    expect(twice.match(/_authToken/g)).toHaveLength(1);
    expect(twice).toContain('other');
    expect(withoutBlock(twice)).toBe('save-exact=true');
  });

  it('keeps lines that somebody wrote below it', () => {
    const edited = `${withBlock('a=1\n', target)}b=2\n`;
    expect(withoutBlock(edited)).toBe('a=1\nb=2\n');
  });
});
