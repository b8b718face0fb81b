import { describe, expect, it } from 'vitest';
import { protections, statusAndBody, useWorld, world, type World } from './world.ts';

useWorld();

describe('who may call', () => {
  it.each<[keyof World, number]>([
    ['outsider', 404],
    ['guest', 403],
    ['reporter', 403],
    ['developer', 403],
    ['maintainer', 400],
    ['owner', 400],
  ])('%s posting garbage gets %i: authorisation comes first', async (who, status) => {
    const { token } = world[who] as { token: string };
    expect((await world.call('POST', protections, { nonsense: true }, token)).status).toBe(status);
    const broken = await world.registry.send('POST', `/api/v4${protections}`, {
      token,
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(broken.status).toBe(status);
  });

  it('tells strangers without a token 404 for private and unknown projects, and 403 for public ones', async () => {
    const open = await world.registry.project({ visibility: 'public' });
    const internal = await world.registry.project({ visibility: 'internal' });
    const ask = async (id: number | string, token: string | null) =>
      (await world.call('GET', `/projects/${id}/protected_environments`, undefined, token)).json();
    const lost = { message: '404 Project Not Found' };
    const forbidden = { message: '403 Forbidden' };
    expect([await ask(1, null), await ask(4711, null), await ask(internal.id, null)]).toEqual([lost, lost, lost]);
    expect(await ask(open.id, null)).toEqual(forbidden);
    expect(await ask(internal.id, world.outsider.token)).toEqual(forbidden);
    expect(await ask('word', world.owner.token)).toEqual(lost);
  });

  it('tells tokens that are wrong, expired, revoked, too small or of a blocked user apart', async () => {
    const { user } = world.maintainer;
    const unknown = await world.call('GET', protections, undefined, 'glpat-nonsense');
    expect(statusAndBody(unknown)).toEqual([401, { message: '401 Unauthorized' }]);

    const small = await world.registry.token(user.id, ['read_api']);
    expect((await world.call('GET', protections, undefined, small)).status).toBe(200);
    const write = await world.call('POST', protections, {}, small);
    expect(statusAndBody(write)).toEqual([
      403,
      {
        error: 'insufficient_scope',
        error_description: 'The request requires higher privileges than provided by the access token.',
        scope: 'api read_api',
      },
    ]);

    const list = world.registry.registry.people.tokens.list(user.id);
    await world.registry.registry.people.tokens.revoke(
      { userId: 1, username: 'root', origin: 'cli', address: null },
      list.at(-1)?.id ?? 0,
    );
    const revoked = await world.call('GET', protections, undefined, small);
    expect(statusAndBody(revoked)).toMatchObject([401, { error: 'invalid_token' }]);
    expect(revoked.headers['www-authenticate']).toContain('error="invalid_token"');

    const blocked = await world.registry.user({ username: 'blocked' });
    await world.call('POST', `/users/${blocked.user.id}/block`);
    const refused = await world.call('GET', protections, undefined, blocked.token);
    expect(statusAndBody(refused)).toEqual([403, { message: '403 Forbidden - Your account has been blocked.' }]);
  });

  it('takes the token from the query, a form, PRIVATE-TOKEN, Bearer and Basic, in that order', async () => {
    const { token } = world.maintainer;
    const status = async (path: string, headers: Record<string, string>) =>
      (await world.registry.send('GET', `/api/v4${protections}${path}`, { token: undefined, headers })).status;
    expect(await status(`?private_token=${token}`, { 'private-token': 'nonsense' })).toBe(200);
    expect(await status('', { 'private-token': token, authorization: 'Bearer nonsense' })).toBe(200);
    expect(await status('', { authorization: `Bearer ${token}` })).toBe(200);
    expect(await status('', { authorization: `Basic ${btoa(`anybody:${token}`)}` })).toBe(200);
    expect(await status('', { 'private-token': '', authorization: 'Bearer nonsense' })).toBe(401);
    expect(await status('', { 'private-token': '' })).toBe(404);
    // Tokens of CI jobs and deployments are for packages alone.
    expect(await status('', { 'job-token': token })).toBe(404);
    expect(await status('', { 'deploy-token': token })).toBe(404);
    const packages = { token: undefined, headers: { 'job-token': token } };
    expect((await world.registry.send('GET', '/api/v4/projects/1/packages', packages)).status).toBe(200);
  });
});
