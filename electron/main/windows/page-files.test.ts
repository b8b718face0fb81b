import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, pageFile } from './page-files.ts';

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

describe('the content security policy', () => {
  const policy = contentSecurityPolicy('abc');

  it('starts from nothing and lets nothing out', () => {
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toContain(`connect-src 'none'`);
  });

  it('never allows inline scripts, eval or other hosts', () => {
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toContain(`script-src 'self';`);
  });
});
