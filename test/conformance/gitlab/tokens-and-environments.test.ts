import { describe, expect, it } from 'vitest';
import { ask, invalid, refusal, useWorld, world } from './world.ts';

useWorld();

describe('personal access tokens', () => {
  it('complain as GitLab does', async () => {
    const { id } = world.guest.user;
    const create = (body: unknown, token?: string) => ask('POST', `/users/${id}/personal_access_tokens`, body, token);
    expect(await create({})).toEqual(invalid('name is missing, scopes is missing'));
    expect(await create({ name: 'x', scopes: ['everything'] })).toEqual(invalid('scopes does not have a valid value'));
    expect(await create({ name: 'x', scopes: [] })).toEqual(invalid('scopes does not have a valid value'));
    expect(await create({ name: 'x', scopes: 'api', expires_at: '2020-01-01' })).toMatchObject([400, {}]);
    expect((await create({ name: 'x', scopes: ['api'] }, world.guest.token))[0]).toBe(403);
    expect(await ask('POST', '/users/4711/personal_access_tokens', { name: 'x', scopes: ['api'] })).toEqual(
      refusal(404, '404 User Not Found'),
    );
    expect(
      await ask('POST', '/user/personal_access_tokens', { name: 'x', scopes: ['api'] }, world.guest.token),
    ).toEqual(invalid('scopes does not have a valid value'));
  });

  it('are shown once, and to nobody else afterwards', async () => {
    const [status, made] = await ask('POST', `/users/${world.guest.user.id}/personal_access_tokens`, {
      name: 'ci',
      scopes: 'read_api,read_user',
      expires_at: '2100-01-01',
    });
    expect([status, made]).toMatchObject([
      201,
      { scopes: ['read_api', 'read_user'], active: true, revoked: false, expires_at: '2100-01-01', last_used_at: null },
    ]);
    const { id, token } = made as { id: number; token: string };
    expect(token).toMatch(/^glpat-[\w-]{20,}$/);
    expect(await ask('GET', `/personal_access_tokens/${id}`, undefined, world.owner.token)).toEqual(
      refusal(401, '401 Unauthorized'),
    );
    const [, seen] = await ask('GET', `/personal_access_tokens/${id}`, undefined, token);
    expect(seen).not.toHaveProperty('token');
    expect(await ask('GET', '/personal_access_tokens/4711')).toEqual(refusal(404, '404 Not Found'));
    expect((await ask('GET', '/personal_access_tokens?user_id=1', undefined, token))[0]).toBe(401);
    expect(await ask('GET', '/personal_access_tokens?user_id=4711')).toEqual(refusal(404, '404 Not Found'));
    expect(await ask('DELETE', '/personal_access_tokens/self', undefined, token)).toEqual([204, '']);
    expect(await ask('POST', `/personal_access_tokens/${id}/rotate`)).toEqual(
      refusal(400, '400 Bad request - token already revoked'),
    );
  });

  it('do nothing beyond their scopes, except that each may read and revoke itself', async () => {
    const { id } = world.developer.user;
    const others = world.registry.directory.tokens.list(id).map((token) => token.id);
    for (const scope of ['read_user', 'read_package_registry', 'write_package_registry'] as const) {
      const token = await world.registry.token(id, [scope]);
      for (const other of others) {
        expect((await ask('GET', `/personal_access_tokens/${other}`, undefined, token))[0]).toBe(403);
        expect((await ask('DELETE', `/personal_access_tokens/${other}`, undefined, token))[0]).toBe(403);
        expect((await ask('POST', `/personal_access_tokens/${other}/rotate`, {}, token))[0]).toBe(403);
      }
      expect((await ask('GET', '/personal_access_tokens', undefined, token))[0]).toBe(403);
      expect((await ask('POST', '/personal_access_tokens/self/rotate', {}, token))[0]).toBe(403);
      expect(await ask('GET', '/personal_access_tokens/self', undefined, token)).toMatchObject([
        200,
        { scopes: [scope] },
      ]);
      expect(await ask('DELETE', '/personal_access_tokens/self', undefined, token)).toEqual([204, '']);
      expect((await ask('GET', '/personal_access_tokens/self', undefined, token))[0]).toBe(401);
    }
    const states = world.registry.directory.tokens.list(id).filter((token) => others.includes(token.id));
    expect(states.every(({ revokedAt }) => revokedAt === null)).toBe(true);
  });

  it('are rotated for a year at most, keep their scopes, and do not come back once they ended', async () => {
    const { id } = world.developer.user;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const rotate = (token: string, body: unknown = {}) =>
      ask('POST', '/personal_access_tokens/self/rotate', body, token);
    for (const expiresOn of [inDays(3), null]) {
      const token = await world.registry.token(id, ['api'], expiresOn);
      expect((await rotate(token, { expires_at: '9999-12-31' }))[0]).toBe(400);
      expect((await rotate(token, { expires_at: inDays(367) }))[0]).toBe(400);
      expect((await rotate(token, { expires_at: inDays(-2) }))[0]).toBe(400);
      const [status, made] = await rotate(token, { expires_at: inDays(360), scopes: ['api', 'sudo'] });
      expect([status, made]).toMatchObject([200, { scopes: ['api'], expires_at: inDays(360) }]);
      expect((await rotate(token))[0]).toBe(401);
      expect((await rotate(token, { expires_at: inDays(5) }))[0]).toBe(401);
      expect((await ask('GET', '/user', undefined, (made as { token: string }).token))[0]).toBe(200);
    }
    const long = await world.registry.token(id, ['api'], '2099-01-01');
    expect((await rotate(long, { expires_at: '2099-01-02' }))[0]).toBe(400);
    expect((await rotate(long, { expires_at: '2099-01-01' }))[0]).toBe(200);
  });

  it('that expire make no token of their user last longer than themselves by a rotation', async () => {
    const { id } = world.developer.user;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const short = await world.registry.token(id, ['api'], inDays(3));
    const rotateOther = async (expiresOn: string | null, body: unknown = {}) => {
      const other = world.registry.directory.tokens.findBySecret(await world.registry.token(id, ['api'], expiresOn));
      return ask('POST', `/personal_access_tokens/${other?.id}/rotate`, body, short);
    };
    for (const expiresOn of [null, inDays(300)]) {
      expect(await rotateOther(expiresOn)).toMatchObject([200, { expires_at: inDays(3) }]);
      expect((await rotateOther(expiresOn, { expires_at: inDays(4) }))[0]).toBe(400);
      expect(await rotateOther(expiresOn, { expires_at: inDays(2) })).toMatchObject([200, { expires_at: inDays(2) }]);
    }
  });
});

describe('environments', () => {
  const environments = '/projects/1/environments';

  it('need the role, and the consent of their protection', async () => {
    expect((await ask('GET', environments, undefined, null))[0]).toBe(401);
    expect((await ask('GET', environments, undefined, world.guest.token))[0]).toBe(403);
    expect((await ask('GET', environments, undefined, world.reporter.token))[0]).toBe(200);
    expect((await ask('POST', environments, { name: 'x' }, world.reporter.token))[0]).toBe(403);
    const [status, made] = await ask('POST', environments, { name: 'guarded' }, world.developer.token);
    expect(status).toBe(201);
    const { id } = made as { id: number };
    await ask('POST', '/projects/1/protected_environments', {
      name: 'guarded',
      deploy_access_levels: [{ access_level: 40 }, { user_id: world.developer.user.id }],
    });
    const other = await world.registry.user();
    await world.registry.member(1, other.user.id, 30);
    expect((await ask('POST', `${environments}/${id}/stop`, {}, other.token))[0]).toBe(403);
    expect((await ask('PUT', `${environments}/${id}`, { tier: 'staging' }, other.token))[0]).toBe(403);
    expect((await ask('POST', `${environments}/${id}/stop`, {}, world.developer.token))[0]).toBe(200);
    expect(await ask('DELETE', `${environments}/${id}`, undefined, world.maintainer.token)).toEqual([204, '']);
    expect((await ask('GET', '/projects/1/protected_environments/guarded'))[0]).toBe(200);
  });

  it('are not deleted in bulk by those who may not deploy to them', async () => {
    const made = async (name: string) => {
      const [, { id }] = (await ask('POST', environments, { name })) as [number, { id: number }];
      await ask('POST', `${environments}/${id}/stop`, {});
      return id;
    };
    const [open, closed] = [await made('review/open'), await made('review/closed')];
    const rule = { name: 'review/closed', deploy_access_levels: [{ access_level: 60 }] };
    await ask('POST', '/projects/1/protected_environments', rule);
    const bulk = `${environments}/review_apps?before=2099-01-01T00:00:00Z&dry_run=false`;
    expect(await ask('DELETE', bulk, undefined, world.developer.token)).toMatchObject([
      200,
      { scheduled_entries: [{ id: open }], unprocessable_entries: [{ id: closed }] },
    ]);
    expect((await ask('GET', `${environments}/${open}`))[0]).toBe(404);
    expect((await ask('GET', `${environments}/${closed}`))[0]).toBe(200);
  });

  it('are not made with another tier to escape what a group protects', async () => {
    const group = '/groups/1/protected_environments';
    await ask('POST', group, { name: 'production', deploy_access_levels: [{ access_level: 60 }] });
    const access = `/projects/1/protected_environments/production/access?user_id=${world.developer.user.id}`;
    const make = (body: object) => ask('POST', environments, { name: 'production', ...body }, world.developer.token);
    expect(await ask('GET', access)).toMatchObject([200, { allowed: false }]);
    expect((await make({ tier: 'other' }))[0]).toBe(403);
    expect(await ask('GET', access)).toMatchObject([200, { allowed: false }]);
    expect((await make({ tier: 'production' }))[0]).toBe(201);
    expect((await ask('DELETE', `${group}/production`))[0]).toBe(204);
  });

  it('have descriptions of a limited length', async () => {
    const description = 'x'.repeat(2001);
    const tooLong = refusal(400, { description: ['is too long (maximum is 2000 characters)'] });
    expect(await ask('POST', environments, { name: 'long', description })).toEqual(tooLong);
  });

  it('complain as GitLab does', async () => {
    await ask('POST', environments, { name: 'taken' });
    expect(await ask('POST', environments, {})).toEqual(invalid('name is missing'));
    expect(await ask('POST', environments, { name: 'taken' })).toEqual(
      refusal(400, { name: ['has already been taken'] }),
    );
    expect(await ask('POST', environments, { name: 'x', tier: 'x' })).toEqual(
      invalid('tier does not have a valid value'),
    );
    expect(await ask('POST', environments, { name: 'x', slug: 'x' })).toEqual(
      invalid('slug is automatically generated and cannot be changed'),
    );
    expect(await ask('GET', `${environments}/x`)).toEqual(invalid('environment_id is invalid'));
    expect(await ask('GET', `${environments}/4711`)).toEqual(refusal(404, '404 Not found'));
    expect(await ask('GET', `${environments}?name=a&search=abc`)).toEqual(
      invalid('name, search cannot be used together'),
    );
    expect(await ask('GET', `${environments}?search=ab`)).toEqual(
      refusal(400, '400 Bad request - Search query is less than 3 characters'),
    );
  });
});
