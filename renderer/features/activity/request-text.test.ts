import { describe, expect, it } from 'vitest';
import type { LoggedRequestEntry } from '../../../server/contract/server.ts';
import { addressText, asCurl, asJsonLines, filterRequests, knownStart, senderText } from './request-text.ts';

const request = (more: Partial<LoggedRequestEntry> = {}): LoggedRequestEntry => ({
  id: 1,
  at: 0,
  method: 'GET',
  path: '/api/v4/projects/1/packages/npm/@acme%2fui',
  status: 200,
  duration: 1.5,
  bytes: 900,
  client: 'npm/12.2.0',
  username: null,
  userId: null,
  token: null,
  address: null,
  version: null,
  error: null,
  ...more,
});

describe('the request log', () => {
  it('names the token that a refused request was sent with, as it has no user', () => {
    const client = 'npm/12.2.0 node/v24.1.0';
    const token = { name: 'laptop', hint: 'x9z1' };
    expect(senderText(request({ client, username: 'ada', token }))).toBe('ada, npm 12.2');
    expect(senderText(request({ client, status: 401, token }))).toBe('token laptop, npm 12.2');
    expect(senderText(request({ client, status: 401 }))).toBe('npm 12.2');
  });

  it('is searched by every word in any of its columns', () => {
    const list = [
      request(),
      request({
        id: 2,
        method: 'PUT',
        status: 403,
        username: 'ada',
        token: { name: 'laptop', hint: 'x9z1' },
        version: '1.2.0',
        error: 'You may not publish here.',
      }),
    ];
    expect(filterRequests(list, 'laptop x9z1', 'all').map((each) => each.id)).toEqual([2]);
    expect(filterRequests(list, 'ui 1.2.0', 'all').map((each) => each.id)).toEqual([2]);
    expect(filterRequests(list, 'acme NPM/12', 'all')).toHaveLength(2);
    expect(filterRequests(list, 'put 403 ada', 'all').map((each) => each.id)).toEqual([2]);
    expect(filterRequests(list, 'may not', 'all').map((each) => each.id)).toEqual([2]);
    expect(filterRequests(list, '', 'failed').map((each) => each.id)).toEqual([2]);
  });

  it('is narrowed to one user, not to all whose names begin alike', () => {
    const list = [
      request({ id: 1, username: 'anna', userId: 3 }),
      request({ id: 2, username: 'annabel', userId: 4 }),
      request({ id: 3 }),
    ];
    expect(filterRequests(list, '', 'all', 3).map(({ id }) => id)).toEqual([1]);
    expect(filterRequests(list, 'get', 'all').map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('finds the requests of a token by the words that find its changes, not those of another of its name', () => {
    const token = (hint: string) => ({ name: 'night job', hint });
    const list = [request({ id: 1, token: token('x9z1') }), request({ id: 2, token: token('aaaa') })];
    expect(filterRequests(list, 'night job …x9z1', 'all').map(({ id }) => id)).toEqual([1]);
  });

  it.each([
    ['/@acme%2fboiler/dist-tags/oops', '/api/v4/projects/1/packages/npm/-/package'],
    ['/@acme%2fvalve', '/api/v4/packages/npm'],
    ['/@acme%2fvalve', '/api/v4/groups/7/-/packages/npm'],
    ['/protected_environments/production', '/api/v4/projects/team%2fapp'],
    ['/users', '/api/v4'],
    ['/search', '/-/v1'],
  ])('keeps %s of a path and cuts %s', (rest, start) => {
    expect(knownStart(`${start}${rest}`)).toBe(start.length);
  });

  it.each([
    ['127.0.0.1', 'This computer'],
    ['::1', 'This computer'],
    ['::ffff:127.0.0.1', 'This computer'],
    ['10.127.0.1', '10.127.0.1'],
    ['fe80::1', 'fe80::1'],
    [null, ''],
  ])('says of %s where that is: %s', (address, text) => {
    expect(addressText(address)).toBe(text);
  });

  it('is searched for the requests of this computer as its column calls it', () => {
    const list = [request({ id: 1, address: '10.0.0.7' }), request({ id: 2, address: '127.0.0.1' })];
    expect(filterRequests(list, 'this computer', 'all').map(({ id }) => id)).toEqual([2]);
    expect(filterRequests(list, '127.0 this computer get', 'all').map(({ id }) => id)).toEqual([2]);
    // A method is no part of "computer".
    expect(filterRequests(list, 'put', 'all')).toEqual([]);
  });

  it('becomes a curl command that a shell takes as one word and that holds no token', () => {
    expect(asCurl(request(), 'http://127.0.0.1:4899')).toBe(
      "curl 'http://127.0.0.1:4899/api/v4/projects/1/packages/npm/@acme%2fui'",
    );
    // Also a token that was refused, and so shows no user.
    const token = { name: 'laptop', hint: 'x9z1' };
    expect(asCurl(request({ method: 'PUT', path: "/a'b", token }), 'http://h')).toBe(
      `curl -X PUT 'http://h/a'\\''b' -H "Authorization: Bearer $GATEHOUSE_TOKEN"`,
    );
  });

  it('does not wait for a body where there is none', () => {
    expect(asCurl(request({ method: 'HEAD', path: '/a' }), 'http://h')).toBe("curl --head 'http://h/a'");
  });

  it('is exported oldest first, one line each', () => {
    const lines = asJsonLines([request({ id: 2 }), request({ id: 1 })])
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
    expect(lines[0]).toContain('1970-01-01T00:00:00.000Z');
  });
});
