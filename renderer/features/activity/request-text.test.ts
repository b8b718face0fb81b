import { describe, expect, it } from 'vitest';
import type { LoggedRequestEntry } from '../../../server/contract/server.ts';
import { asCurl, asJsonLines, filterRequests } from './request-text.ts';

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
  error: null,
  ...more,
});

describe('the request log', () => {
  it('is searched by every word in any of its columns', () => {
    const list = [
      request(),
      request({ id: 2, method: 'PUT', status: 403, username: 'ada', error: 'You may not publish here.' }),
    ];
    expect(filterRequests(list, 'acme NPM/12', 'all')).toHaveLength(2);
    expect(filterRequests(list, 'put 403 ada', 'all').map((each) => each.id)).toEqual([2]);
    expect(filterRequests(list, 'may not', 'all').map((each) => each.id)).toEqual([2]);
    expect(filterRequests(list, '', 'failed').map((each) => each.id)).toEqual([2]);
  });

  it('becomes a curl command that a shell takes as one word and that holds no token', () => {
    expect(asCurl(request(), 'http://127.0.0.1:4899')).toBe(
      "curl 'http://127.0.0.1:4899/api/v4/projects/1/packages/npm/@acme%2fui'",
    );
    expect(asCurl(request({ method: 'PUT', path: "/a'b", username: 'ada' }), 'http://h')).toBe(
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
