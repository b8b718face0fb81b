import { describe, expect, it } from 'vitest';
import { pageFile } from './page-files.ts';

describe('which file an app URL names', () => {
  it('is one below the page folder', () => {
    expect(pageFile('/page', '/')).toEqual({ file: '/page/index.html', type: 'text/html; charset=utf-8' });
    expect(pageFile('/page', '/assets/a%20b.js')?.file).toBe('/page/assets/a b.js');
  });

  it.each([
    '/../secret.js',
    '/%2e%2e/secret.js',
    '/assets/..%2f..%2fsecret.js',
    '/..%5csecret.js',
    '/a%00.js',
    '/%',
    '/%c0%ae%c0%ae/secret.js',
    '/assets/file.sh',
    '/assets',
  ])('is none for %s', (path) => {
    expect(pageFile('/page', path)).toBeNull();
  });

  it('is none beside the folder with a name that begins alike', () => {
    expect(pageFile('/page', '/../page-two/a.js')).toBeNull();
  });
});
