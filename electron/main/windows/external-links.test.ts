import { describe, expect, it, vi } from 'vitest';

const openExternal = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('electron', () => ({ shell: { openExternal, openPath: vi.fn() } }));
const { openExternalLink } = await import('./external-links.ts');

describe('links that leave the app', () => {
  it('open in the browser when they are web links', async () => {
    expect(await openExternalLink('https://example.test/a?b#c')).toBe(true);
    expect(openExternal).toHaveBeenCalledExactlyOnceWith('https://example.test/a?b#c');
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://host/share',
    'ms-msdt:/id',
    'vscode://x',
    'https://user:secret@example.test/',
    'example.test',
    '',
  ])('stay shut for %s', async (url) => {
    openExternal.mockClear();
    expect(await openExternalLink(url)).toBe(false);
    expect(openExternal).not.toHaveBeenCalled();
  });
});
