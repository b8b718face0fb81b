import { describe, expect, it } from 'vitest';
import { protect, protections, statusAndBody, useWorld, world } from './world.ts';

useWorld();

describe('names and paths', () => {
  it.each([
    ['review/app', 'review%2Fapp'],
    ['review/raw/app', 'review/raw/app'],
    ['foo.bar', 'foo%2Ebar'],
    ['foo.json', 'foo.json'],
    ['with space', 'with%20space'],
    ['100%', '100%25'],
    ['50% off', '50%%20off'],
    ['a+b', 'a+b'],
    ['größe', 'gr%C3%B6%C3%9Fe'],
    ['*', '*'],
  ])('finds %s at %s', async (name, path) => {
    await protect(name);
    expect((await world.call('GET', `${protections}/${path}`)).json()).toMatchObject({ name });
    expect((await world.call('DELETE', `${protections}/${path}`)).status).toBe(204);
  });

  it('takes raw slashes before and within the word that asks who may deploy', async () => {
    await protect('review/asked');
    await protect('review/access');
    const asked = await world.call('GET', `${protections}/review/asked/access?user_id=1`);
    expect(statusAndBody(asked)).toMatchObject([200, { allowed: true, user: { id: 1 } }]);
    expect((await world.call('PUT', `${protections}/review/access`, {})).json()).toMatchObject({
      name: 'review/access',
    });
    expect((await world.call('DELETE', `${protections}/review/access`, {})).status).toBe(204);
    expect((await world.call('DELETE', `${protections}/review/asked`, {})).status).toBe(204);
  });

  it('takes the project by number, encoded path in either case, and raw path', async () => {
    await protect('pathed');
    for (const project of ['1', 'local%2Fpackages', 'LOCAL%2fPackages', 'local/packages']) {
      const answer = await world.call('GET', `/projects/${project}/protected_environments/pathed`);
      expect([project, answer.status]).toEqual([project, 200]);
    }
    expect((await world.call('GET', `/projects/local/packages/protected_environments`)).status).toBe(200);
  });

  it('tolerates a trailing slash and .json on the collection, and knows its methods', async () => {
    expect((await world.call('GET', `${protections}/`)).status).toBe(200);
    expect((await world.call('GET', `${protections}.json`)).status).toBe(200);
    const patch = await world.call('PATCH', `${protections}/production`);
    expect([patch.status, patch.json(), patch.headers['allow']]).toEqual([
      405,
      { error: '405 Not Allowed' },
      'DELETE, GET, HEAD, OPTIONS, PUT',
    ]);
    expect((await world.call('DELETE', protections)).status).toBe(405);
    const options = await world.call('OPTIONS', protections, undefined, null);
    expect([options.status, options.text, options.headers['allow']]).toEqual([204, '', 'GET, HEAD, OPTIONS, POST']);
    const unknown = await world.call('GET', '/projects/1/nonsense');
    expect(statusAndBody(unknown)).toEqual([404, { error: '404 Not Found' }]);
    expect((await world.call('GET', `${protections}/%E0%A4%A`)).status).toBe(404);
    expect((await world.call('HEAD', protections)).status).toBe(200);
  });

  it('pages in the order of names with GitLab’s headers', async () => {
    const project = await world.registry.project();
    const path = `/projects/${project.id}/protected_environments`;
    for (const name of ['staging', 'development', 'production']) {
      await world.call('POST', path, { name, deploy_access_levels: [{ access_level: 40 }] });
    }
    const names = (answer: { json<T>(): T }) => answer.json<{ name: string }[]>().map((row) => row.name);
    const first = await world.call('GET', `${path}?per_page=2&search=x`);
    expect(names(first)).toEqual(['development', 'production']);
    expect(first.headers).toMatchObject({
      'x-page': '1',
      'x-per-page': '2',
      'x-next-page': '2',
      'x-prev-page': '',
      'x-total': '3',
      'x-total-pages': '2',
    });
    const address = `${world.registry.origin}/api/v4${path}`;
    const link = (page: number, rel: string) =>
      `<${address}?per_page=2&search=x&id=${project.id}&page=${page}>; rel="${rel}"`;
    expect(first.headers['link']).toBe([link(2, 'next'), link(1, 'first'), link(2, 'last')].join(', '));
    const second = await world.call('GET', `${path}?per_page=2&page=2`);
    expect([names(second), second.headers['x-next-page'], second.headers['x-prev-page']]).toEqual([
      ['staging'],
      '',
      '1',
    ]);
    const past = await world.call('GET', `${path}?page=9`);
    expect(statusAndBody(past)).toEqual([200, []]);
    expect(past.headers).toMatchObject({ 'x-page': '9', 'x-prev-page': '', 'x-next-page': '', 'x-total': '3' });
    expect(past.headers['link']).not.toMatch(/rel="(prev|next)"/);
    for (const [query, error] of [
      ['per_page=0', 'per_page has a value not allowed'],
      ['per_page=abc', 'per_page is invalid'],
    ]) {
      const answer = await world.call('GET', `${path}?${query}`);
      expect(statusAndBody(answer)).toEqual([400, { error }]);
    }
    expect((await world.call('GET', `${path}?per_page=500`)).headers['x-per-page']).toBe('100');
    expect((await world.call('GET', `${path}?per_page=&page=-1`)).headers['x-per-page']).toBe('20');
  });

  it('repeats no token of the query in links', async () => {
    for (let count = 0; count < 2; count += 1) await world.registry.project({ visibility: 'public' });
    const token = await world.registry.token(1);
    for (const name of ['private_token', 'access_token']) {
      for (const list of [
        'projects?per_page=1',
        'projects?per_page=1&pagination=keyset&order_by=id',
        'users?per_page=1',
      ]) {
        const path = `/api/v4/${list}&${name}=${token}`;
        const answer = await world.registry.get(path, { token: undefined });
        expect(answer.status).toBe(200);
        expect(answer.headers['link']).toContain('per_page=1');
        expect(JSON.stringify(answer.headers)).not.toContain(token);
      }
    }
  });
});
