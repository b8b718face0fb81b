import { describe, expect, it } from 'vitest';
import { feedAddress, FeedAddressError } from './feed-address.ts';

describe('the address of a feed', () => {
  it.each([
    ['https://example.test/gatehouse', 'https://example.test/gatehouse/'],
    ['  https://example.test  ', 'https://example.test/'],
    ['https://example.test/gatehouse/latest-linux.yml', 'https://example.test/gatehouse/'],
    ['http://localhost:8080/updates/', 'http://localhost:8080/updates/'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ['http://[::1]/a', 'http://[::1]/a/'],
  ])('%s is the folder %s', (text, folder) => {
    expect(feedAddress(text).href).toBe(folder);
  });

  it.each([
    ['http://example.test/', 'plain http is for this machine alone'],
    ['http://127.0.0.1.example.test/', 'plain http is for this machine alone'],
    ['http://localhost.example.test/', 'plain http is for this machine alone'],
    ['file:///tmp/feed', 'https://'],
    ['example.test', 'https://'],
    ['', 'https://'],
    ['https://ada:secret@example.test/', 'password'],
    ['https://example.test/?channel=beta', 'folder'],
    ['https://example.test/#top', 'folder'],
  ])('%s is refused', (text, reason) => {
    expect(() => feedAddress(text)).toThrow(FeedAddressError);
    expect(() => feedAddress(text)).toThrow(reason);
  });
});
