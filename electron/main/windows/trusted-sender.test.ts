import { describe, expect, it } from 'vitest';
import { isTrustedSender } from './trusted-sender.ts';

const page = { frameUrl: 'app://gatehouse/#/packages', isMainFrame: true, isOwnWindow: true };

describe('who may call', () => {
  it('is the main frame of an own window with the own page', () => {
    expect(isTrustedSender(page)).toBe(true);
  });

  it.each([
    ['a frame inside the page', { ...page, isMainFrame: false }],
    ['a page that is not in a window of ours', { ...page, isOwnWindow: false }],
    ['a frame that is gone', { ...page, frameUrl: null }],
    ['another host', { ...page, frameUrl: 'app://elsewhere/' }],
    ['another scheme', { ...page, frameUrl: 'https://gatehouse/' }],
    ['a file', { ...page, frameUrl: 'file:///etc/passwd' }],
    ['a look-alike', { ...page, frameUrl: 'app://gatehouse.example/' }],
    ['a host in the credentials', { ...page, frameUrl: 'app://gatehouse@elsewhere/' }],
    ['no URL at all', { ...page, frameUrl: '' }],
  ])('is not %s', (_name, sender) => {
    expect(isTrustedSender(sender)).toBe(false);
  });
});
