import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/http.ts';
import { addToGroup, makeGroup, shareProject, startWorld, type World } from './world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.registry.stop());

function told(answer: Answer): [number, unknown] {
  return [answer.status, answer.text === '' ? '' : answer.json()];
}

async function ask(method: string, path: string, body?: unknown, token?: string | null) {
  return told(await world.call(method, path, body, token));
}

const message = (text: unknown) => ({ message: text });
const error = (text: string) => ({ error: text });

describe('users', () => {
  it('are made by administrators, completely described', async () => {
    expect(await ask('POST', '/users', {})).toEqual([
      400,
      error(
        'email is missing, password, reset_password, force_random_password are missing, at least one parameter must be provided, name is missing, username is missing',
      ),
    ]);
    const body = { email: 'a@example.test', name: 'A', username: 'a-user', force_random_password: true };
    expect(await ask('POST', '/users', body, world.owner.token)).toEqual([403, message('403 Forbidden')]);
    expect(await ask('POST', '/users', body, null)).toEqual([401, message('401 Unauthorized')]);
    expect((await ask('POST', '/users', body))[0]).toBe(201);
    expect(await ask('POST', '/users', { ...body, username: 'other' })).toEqual([
      409,
      message('Email has already been taken'),
    ]);
    expect(await ask('POST', '/users', { ...body, email: 'b@example.test', username: 'A-USER' })).toEqual([
      409,
      message('Username has already been taken'),
    ]);
    const wrong = { email: 'x', name: '', username: '-', password: 'short' };
    expect(await ask('POST', '/users', wrong)).toEqual([
      400,
      message({
        email: ['is invalid'],
        name: ["can't be blank"],
        username: [expect.stringContaining('can contain only letters')],
        password: ['is too short (minimum is 8 characters)'],
      }),
    ]);
  });

  it('are hidden from callers without a token, except by exact name', async () => {
    expect(await ask('GET', '/users', undefined, null)).toEqual([
      403,
      message('403 Forbidden - Not authorized to access /api/v4/users'),
    ]);
    expect(await ask('GET', '/users/1', undefined, null)).toEqual([403, message('403 Forbidden - Not authorized!')]);
    expect(await ask('GET', '/users?username=MIA', undefined, null)).toMatchObject([200, [{ username: 'mia' }]]);
    expect(await ask('GET', '/user', undefined, null)).toEqual([401, message('401 Unauthorized')]);
    expect(await ask('GET', '/users/4711')).toEqual([404, message('404 User Not Found')]);
  });

  it('are listed newest first, with what the caller may see', async () => {
    const [, list] = (await ask('GET', '/users?per_page=3', undefined, world.guest.token)) as [
      number,
      { id: number }[],
    ];
    expect(list.map((user) => user.id)).toEqual(list.map((user) => user.id).toSorted((a, b) => b - a));
    expect(Object.keys(list[0] ?? {})).toEqual([
      'id',
      'username',
      'public_email',
      'name',
      'state',
      'locked',
      'avatar_url',
      'web_url',
    ]);
    expect(await ask('GET', '/users?search=mia')).toMatchObject([
      200,
      [{ email: 'mia@example.test', is_admin: false }],
    ]);
  });

  it('of whom the last administrator stays', async () => {
    expect(await ask('POST', '/users/1/block')).toMatchObject([
      403,
      { message: expect.stringMatching(/last active administrator/) },
    ]);
    expect(await ask('DELETE', '/users/1')).toMatchObject([
      403,
      { message: expect.stringMatching(/last active administrator/) },
    ]);
    expect(await ask('PUT', '/users/1', { admin: false })).toMatchObject([
      403,
      { message: expect.stringMatching(/last active administrator/) },
    ]);
  });
});

describe('groups', () => {
  it('complain as GitLab does', async () => {
    expect(await ask('POST', '/groups', {})).toEqual([400, error('name is missing, path is missing')]);
    expect(await ask('POST', '/groups', { name: 'local', path: 'LOCAL' })).toEqual([
      400,
      message('Failed to save group {:path=>["has already been taken"]}'),
    ]);
    expect((await ask('POST', '/groups', { name: 'x', path: '../x' }))[0]).toBe(400);
    expect(await ask('POST', '/groups', { name: 'x', path: 'x', parent_id: 1 }, world.outsider.token)).toEqual([
      404,
      message('404 Group Not Found'),
    ]);
  });

  it('are visible to their members, to everybody signed in, or to everybody', async () => {
    const hidden = await makeGroup(world, 'hidden');
    const statuses = async (token: string | null) => [
      (await ask('GET', `/groups/${hidden.id}`, undefined, token))[0],
      (await ask('GET', '/groups/open', undefined, token))[0],
      (await ask('GET', '/groups/inner', undefined, token))[0],
    ];
    await ask('POST', '/groups', { name: 'Open', path: 'open', visibility: 'public' });
    await ask('POST', '/groups', { name: 'Inner', path: 'inner', visibility: 'internal' });
    expect(await statuses(null)).toEqual([401, 200, 401]);
    expect(await statuses(world.outsider.token)).toEqual([404, 200, 200]);
    await addToGroup(world, hidden, world.outsider.user, 10);
    expect(await statuses(world.outsider.token)).toEqual([200, 200, 200]);
    const [, listed] = (await ask('GET', '/groups', undefined, null)) as [number, { path: string }[]];
    expect(listed.map((group) => group.path)).toEqual(['open']);
  });
});

describe('projects', () => {
  it('complain as GitLab does', async () => {
    expect(await ask('POST', '/projects', {})).toEqual([
      400,
      error('name, path are missing, at least one parameter must be provided'),
    ]);
    const taken = ['has already been taken'];
    expect(await ask('POST', '/projects', { path: 'packages', namespace_id: 1 })).toEqual([
      400,
      message({ 'project_namespace.name': taken, name: taken, path: taken }),
    ]);
    expect(await ask('POST', '/projects', { name: 'x', visibility: 'secret' })).toEqual([
      400,
      error('visibility does not have a valid value'),
    ]);
    expect((await ask('POST', '/projects', { name: 'x', namespace_id: 1 }, world.outsider.token))[0]).toBe(404);
  });

  it('belong to whoever makes them without a namespace', async () => {
    const [status, project] = await ask('POST', '/projects', { name: 'My Things' }, world.outsider.token);
    expect([status, project]).toMatchObject([
      201,
      { path_with_namespace: 'olivia/my-things', permissions: { project_access: { access_level: 50 } } },
    ]);
    const { id } = project as { id: number };
    expect((await ask('GET', `/projects/${id}/protected_environments`, undefined, world.outsider.token))[0]).toBe(200);
    expect((await ask('DELETE', `/projects/${id}/members/${world.outsider.user.id}`))[0]).toBe(403);
  });

  it('are told to nobody who may not know of them', async () => {
    expect(await ask('GET', '/projects/1', undefined, null)).toEqual([401, message('401 Unauthorized')]);
    expect(await ask('GET', '/projects/4711', undefined, null)).toEqual([401, message('401 Unauthorized')]);
    expect(await ask('GET', '/projects/1', undefined, world.outsider.token)).toEqual([
      404,
      message('404 Project Not Found'),
    ]);
    expect(await ask('GET', '/projects', undefined, null)).toEqual([200, []]);
    const small = await world.registry.token(world.maintainer.user.id, ['read_package_registry']);
    expect((await ask('GET', '/projects/1', undefined, small))[0]).toBe(403);
  });

  it('are found at their old path after a move, by those who may see them', async () => {
    const group = await makeGroup(world, 'before');
    const project = await world.registry.project({ path: 'mover', namespaceId: group.id });
    await ask('PUT', `/groups/${group.id}`, { path: 'after' });
    const moved = await world.call('GET', '/projects/before%2Fmover/members?per_page=1');
    expect([moved.status, moved.headers.location]).toEqual([
      301,
      `${world.registry.origin}/api/v4/projects/${project.id}/members?per_page=1`,
    ]);
    expect((await ask('GET', '/projects/after%2Fmover'))[0]).toBe(200);
    expect(await ask('POST', '/projects/before%2Fmover/members', {})).toEqual([
      405,
      message('Non GET methods are not allowed for moved projects'),
    ]);
    expect((await ask('GET', '/projects/before%2Fmover', undefined, world.outsider.token))[0]).toBe(404);
    await ask('PUT', `/projects/${project.id}`, { path: 'moved-again' });
    expect((await ask('GET', '/projects/after%2Fmover'))[0]).toBe(301);
  });
});

describe('members', () => {
  const members = '/projects/1/members';

  it('are added by maintainers, up to their own role', async () => {
    const person = (await world.registry.user()).user;
    const add = (body: unknown, token?: string | null) => ask('POST', members, body, token);
    const who = { user_id: person.id };
    expect(await add(who)).toEqual([400, error('access_level is missing')]);
    expect(await add({ access_level: 30 })).toEqual([
      400,
      error('user_id, username are missing, at least one parameter must be provided'),
    ]);
    expect(await add({ ...who, username: 'x', access_level: 30 })).toEqual([
      400,
      error('user_id, username are mutually exclusive'),
    ]);
    expect(await add({ user_id: 4711, access_level: 30 })).toEqual([404, message('404 User Not Found')]);
    expect(await add({ ...who, access_level: 35 })).toEqual([
      400,
      message({ access_level: ['is not included in the list'] }),
    ]);
    expect(await add({ ...who, access_level: 30, expires_at: '2020-01-01' })).toEqual([
      400,
      message({ expires_at: ['cannot be a date in the past'] }),
    ]);
    expect(await add({ ...who, access_level: 30 }, world.developer.token)).toEqual([403, message('403 Forbidden')]);
    expect(await add({ ...who, access_level: 50 }, world.maintainer.token)).toEqual([403, message('403 Forbidden')]);
    expect(await add({ ...who, access_level: 30 }, world.maintainer.token)).toMatchObject([
      201,
      { id: person.id, access_level: 30, membership_state: 'active', created_by: { username: 'mia' } },
    ]);
    expect(await add({ ...who, access_level: 30 })).toEqual([409, message('Member already exists')]);
    expect(await ask('PUT', `${members}/${world.owner.user.id}`, { access_level: 10 }, world.maintainer.token)).toEqual(
      [403, message('403 Forbidden')],
    );
  });

  it('cannot be given less than they inherit, and are listed once with their strongest role', async () => {
    const group = await makeGroup(world, 'heirs');
    const project = await world.registry.project({ namespaceId: group.id });
    const { user } = await world.registry.user();
    await addToGroup(world, group, user, 30);
    const path = `/projects/${project.id}/members`;
    expect(await ask('POST', path, { user_id: user.id, access_level: 20 })).toEqual([
      400,
      message({
        access_level: ['should be greater than or equal to Developer inherited membership from group heirs'],
      }),
    ]);
    expect((await ask('POST', path, { user_id: user.id, access_level: 40 }))[0]).toBe(201);
    const guests = await makeGroup(world, 'invited-heirs');
    await addToGroup(world, guests, world.guest.user, 50);
    await shareProject(world, guests, 20, project.id);
    const [, all] = (await ask('GET', `${path}/all`)) as [number, { id: number; access_level: number }[]];
    expect(all.map((member) => [member.id, member.access_level])).toEqual([
      [world.guest.user.id, 20],
      [user.id, 40],
    ]);
    expect(await ask('GET', `${path}/${world.guest.user.id}`)).toEqual([404, message('404 Not found')]);
    expect((await ask('GET', `${path}/all/${world.guest.user.id}`))[0]).toBe(200);
  });

  it('may leave by themselves; a group keeps an owner', async () => {
    const { user, token } = await world.registry.user();
    await world.registry.member(1, user.id, 10);
    expect(await ask('DELETE', `${members}/${user.id}`, undefined, token)).toEqual([204, '']);
    expect(await ask('DELETE', `${members}/${user.id}`)).toEqual([404, message('404 Not found')]);
    expect(await ask('DELETE', '/groups/1/members/1')).toMatchObject([
      403,
      { message: expect.stringMatching(/A group needs an owner/) },
    ]);
    expect(await ask('GET', members, undefined, null)).toEqual([401, message('401 Unauthorized')]);
  });

  it('lose what is below a group with the group, unless asked otherwise', async () => {
    const group = await makeGroup(world, 'upper');
    const below = await makeGroup(world, 'lower', group.id);
    const project = await world.registry.project({ namespaceId: below.id });
    const { user } = await world.registry.user();
    await addToGroup(world, group, user, 20);
    await addToGroup(world, below, user, 30);
    await world.registry.member(project.id, user.id, 40);
    expect((await ask('DELETE', `/groups/${group.id}/members/${user.id}?skip_subresources=true`))[0]).toBe(204);
    expect((await ask('GET', `/projects/${project.id}/members/${user.id}`))[0]).toBe(200);
    await addToGroup(world, group, user, 20);
    expect((await ask('DELETE', `/groups/${group.id}/members/${user.id}`))[0]).toBe(204);
    expect((await ask('GET', `/projects/${project.id}/members/all/${user.id}`))[0]).toBe(404);
  });

  it('show their e-mail addresses to those who manage them', async () => {
    const one = `${members}/${world.guest.user.id}`;
    expect(await ask('GET', one, undefined, world.maintainer.token)).toMatchObject([
      200,
      { id: world.guest.user.id, email: world.guest.user.email },
    ]);
    expect((await ask('GET', one, undefined, world.developer.token))[1]).not.toHaveProperty('email');
  });

  it('are kept from those who belong only to something below a group, which they may know of', async () => {
    const above = await makeGroup(world, 'above');
    const below = await makeGroup(world, 'below', above.id);
    await addToGroup(world, below, world.guest.user, 30);
    const list = (token: string) => ask('GET', `/groups/${above.id}/members/all`, undefined, token);
    expect(await list(world.guest.token)).toEqual([403, message('403 Forbidden')]);
    expect(await list(world.reporter.token)).toEqual([404, message('404 Group Not Found')]);
  });

  it('can be added several at a time', async () => {
    const people = [await world.registry.user(), await world.registry.user()];
    const ids = people.map(({ user }) => user.id).join(',');
    expect(await ask('POST', members, { user_id: ids, access_level: 20 })).toEqual([201, { status: 'success' }]);
    expect(await ask('POST', members, { user_id: ids, access_level: 20 })).toMatchObject([201, { status: 'error' }]);
  });
});

describe('shares', () => {
  it('complain as GitLab does', async () => {
    const group = await makeGroup(world, 'sharers');
    const share = (body: unknown, token?: string) => ask('POST', '/projects/1/share', body, token);
    expect(await share({})).toEqual([
      400,
      error('group_id is missing, group_access is missing, group_access does not have a valid value'),
    ]);
    expect(await share({ group_id: group.id, group_access: 35 })).toEqual([
      400,
      error('group_access does not have a valid value'),
    ]);
    expect(await share({ group_id: 4711, group_access: 30 })).toEqual([404, message('Not Found')]);
    expect(await share({ group_id: group.id, group_access: 30 }, world.maintainer.token)).toEqual([
      404,
      message('Not Found'),
    ]);
    await addToGroup(world, group, world.maintainer.user, 10);
    expect(await share({ group_id: group.id, group_access: 50 }, world.maintainer.token)).toEqual([
      403,
      message('403 Forbidden'),
    ]);
    expect(await share({ group_id: group.id, group_access: 30, expires_at: null }, world.maintainer.token)).toEqual([
      201,
      { id: expect.any(Number), project_id: 1, group_id: group.id, group_access: 30, expires_at: null },
    ]);
    expect(await share({ group_id: group.id, group_access: 30 })).toEqual([
      409,
      message('Group already shared with this group'),
    ]);
    expect(await ask('DELETE', `/projects/1/share/${group.id}`)).toEqual([204, '']);
    expect(await ask('DELETE', `/projects/1/share/${group.id}`)).toEqual([404, message('404 Group Link Not Found')]);
    expect((await share({ group_id: 1, group_access: 30 }))[0]).toBe(409);
  });
});

describe('personal access tokens', () => {
  it('complain as GitLab does', async () => {
    const { id } = world.guest.user;
    const create = (body: unknown, token?: string) => ask('POST', `/users/${id}/personal_access_tokens`, body, token);
    expect(await create({})).toEqual([400, error('name is missing, scopes is missing')]);
    expect(await create({ name: 'x', scopes: ['everything'] })).toEqual([
      400,
      error('scopes does not have a valid value'),
    ]);
    expect(await create({ name: 'x', scopes: [] })).toEqual([400, error('scopes does not have a valid value')]);
    expect(await create({ name: 'x', scopes: 'api', expires_at: '2020-01-01' })).toMatchObject([400, {}]);
    expect((await create({ name: 'x', scopes: ['api'] }, world.guest.token))[0]).toBe(403);
    expect(await ask('POST', '/users/4711/personal_access_tokens', { name: 'x', scopes: ['api'] })).toEqual([
      404,
      message('404 User Not Found'),
    ]);
    expect(
      await ask('POST', '/user/personal_access_tokens', { name: 'x', scopes: ['api'] }, world.guest.token),
    ).toEqual([400, error('scopes does not have a valid value')]);
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
    expect(await ask('GET', `/personal_access_tokens/${id}`, undefined, world.owner.token)).toEqual([
      401,
      message('401 Unauthorized'),
    ]);
    const [, seen] = await ask('GET', `/personal_access_tokens/${id}`, undefined, token);
    expect(seen).not.toHaveProperty('token');
    expect(await ask('GET', '/personal_access_tokens/4711')).toEqual([404, message('404 Not Found')]);
    expect((await ask('GET', '/personal_access_tokens?user_id=1', undefined, token))[0]).toBe(401);
    expect(await ask('GET', '/personal_access_tokens?user_id=4711')).toEqual([404, message('404 Not Found')]);
    expect(await ask('DELETE', '/personal_access_tokens/self', undefined, token)).toEqual([204, '']);
    expect(await ask('POST', `/personal_access_tokens/${id}/rotate`)).toEqual([
      400,
      message('400 Bad request - token already revoked'),
    ]);
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

  it('complain as GitLab does', async () => {
    await ask('POST', environments, { name: 'taken' });
    expect(await ask('POST', environments, {})).toEqual([400, error('name is missing')]);
    expect(await ask('POST', environments, { name: 'taken' })).toEqual([
      400,
      message({ name: ['has already been taken'] }),
    ]);
    expect(await ask('POST', environments, { name: 'x', tier: 'x' })).toEqual([
      400,
      error('tier does not have a valid value'),
    ]);
    expect(await ask('POST', environments, { name: 'x', slug: 'x' })).toEqual([
      400,
      error('slug is automatically generated and cannot be changed'),
    ]);
    expect(await ask('GET', `${environments}/x`)).toEqual([400, error('environment_id is invalid')]);
    expect(await ask('GET', `${environments}/4711`)).toEqual([404, message('404 Not found')]);
    expect(await ask('GET', `${environments}?name=a&search=abc`)).toEqual([
      400,
      error('name, search cannot be used together'),
    ]);
    expect(await ask('GET', `${environments}?search=ab`)).toEqual([
      400,
      message('400 Bad request - Search query is less than 3 characters'),
    ]);
  });
});
