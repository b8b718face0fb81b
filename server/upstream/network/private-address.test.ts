import { describe, expect, it } from 'vitest';
import { isPrivateHost, lookupPublic } from './private-address.ts';

describe('the private network', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    'localhost',
    'x.localhost',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '[::1]',
    '[fd00::1]',
    '[fe80::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ])('%s is private', async (host) => {
    expect(await isPrivateHost(host)).toBe(true);
  });

  it.each(['1.1.1.1', '172.32.0.1', '192.169.0.1', '[2606:4700::1111]', '100.128.0.1'])(
    '%s is public',
    async (host) => {
      expect(await isPrivateHost(host)).toBe(false);
    },
  );

  it('is refused by the very lookup that a connection makes', async () => {
    const failure = await new Promise<Error | null>((resolve) => {
      lookupPublic('localhost', {}, (error) => resolve(error));
    });
    expect(failure?.message).toContain('private network');
  });
});
