import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { feedFileName, FeedFileError, readFeed, type Target } from './feed-file.ts';

const from = new URL('https://example.test/gatehouse/latest.yml');
const linux: Target = { platform: 'linux', arch: 'x64' };
const sha512 = createHash('sha512').update('bytes').digest('base64');

function feed(names: readonly string[], more: object = {}): string {
  return stringify({ version: '0.2.0', files: names.map((url) => ({ url, sha512, size: 5 })), ...more });
}

describe('the file of a feed', () => {
  it('is the one that electron-builder writes for the system', () => {
    expect(feedFileName(linux)).toBe('latest-linux.yml');
    expect(feedFileName({ platform: 'linux', arch: 'arm64' })).toBe('latest-linux-arm64.yml');
    expect(feedFileName({ platform: 'darwin', arch: 'arm64' })).toBe('latest-mac.yml');
    expect(feedFileName({ platform: 'win32', arch: 'x64' })).toBe('latest.yml');
  });

  it('offers a newer version with its date, its notes and its file', () => {
    const text = feed(['Gatehouse-0.2.0.AppImage'], {
      path: 'Gatehouse-0.2.0.AppImage',
      releaseDate: '2026-11-20T09:00:00.000Z',
      releaseNotes: 'Mirrors.\n',
    });
    expect(readFeed(text, from, linux, '0.1.0')).toEqual({
      version: '0.2.0',
      releasedAt: '2026-11-20T09:00:00.000Z',
      notes: 'Mirrors.',
      fileName: 'Gatehouse-0.2.0.AppImage',
      size: 5,
      address: 'https://example.test/gatehouse/Gatehouse-0.2.0.AppImage',
      sha512,
    });
  });

  it.each(['0.2.0', '0.2.1', '1.0.0'])('has nothing to offer to %s', (current) => {
    expect(readFeed(feed(['a.AppImage']), from, linux, current)).toBeNull();
  });

  it('joins the notes of several versions', () => {
    const releaseNotes = [
      { version: '0.2.0', note: 'Second.' },
      { version: '0.1.5', note: null },
    ];
    expect(readFeed(feed(['a.AppImage'], { releaseNotes }), from, linux, '0.1.0')?.notes).toBe(
      '0.2.0\nSecond.\n\n0.1.5',
    );
  });

  it.each<[NodeJS.Platform, string, string[], string]>([
    ['linux', 'x64', ['g_amd64.deb', 'g.AppImage'], 'g.AppImage'],
    ['linux', 'x64', ['g_amd64.deb', 'g.rpm'], 'g_amd64.deb'],
    ['darwin', 'arm64', ['g-x64.dmg', 'g-arm64.dmg', 'g-arm64.zip'], 'g-arm64.dmg'],
    ['darwin', 'x64', ['g-arm64.dmg', 'g-universal.dmg'], 'g-universal.dmg'],
    ['darwin', 'x64', ['g-arm64.dmg', 'g.dmg'], 'g.dmg'],
    ['win32', 'x64', ['g.zip', 'g-setup.exe'], 'g-setup.exe'],
  ])('picks for %s on %s out of %j', (platform, arch, names, picked) => {
    expect(readFeed(feed(names), from, { platform, arch }, '0.1.0')?.fileName).toBe(picked);
  });

  it('says so when there is nothing for this system', () => {
    expect(() => readFeed(feed(['g.dmg']), from, linux, '0.1.0')).toThrow('not for this system');
    expect(() => readFeed(feed(['g-arm64.AppImage']), from, linux, '0.1.0')).toThrow('not for this system');
  });

  it.each(['http://example.test/g.AppImage', 'file:///etc/g.AppImage', 'http://127.0.0.1/g.AppImage'])(
    'does not send anybody to %s',
    (url) => {
      expect(() => readFeed(feed([url]), from, linux, '0.1.0')).toThrow('cannot be trusted');
    },
  );

  it.each([
    ['..%2F..%2Fetc%2Fpasswd.AppImage', '_.._etc_passwd.AppImage'],
    ['sub/.hidden.AppImage', 'hidden.AppImage'],
    ['a%00b.AppImage', 'a_b.AppImage'],
  ])('keeps %s under a name that leads nowhere', (url, name) => {
    expect(readFeed(feed([url]), from, linux, '0.1.0')?.fileName).toBe(name);
  });

  it.each([
    ['<!doctype html><p>Not found', 'no feed'],
    ['{', 'not YAML'],
    ['version: 0.2.0\nfiles: []', 'files'],
    [stringify({ version: 'newest', files: [{ url: 'a', sha512 }] }), 'version is no version'],
    [stringify({ version: '0.2.0', files: [{ url: 'a', sha512: 'short' }] }), 'SHA-512'],
    ['', 'no feed'],
  ])('refuses %j', (text, reason) => {
    expect(() => readFeed(text, from, linux, '0.1.0')).toThrow(FeedFileError);
    expect(() => readFeed(text, from, linux, '0.1.0')).toThrow(reason);
  });
});
