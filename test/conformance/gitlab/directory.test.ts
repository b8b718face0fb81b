import { describe, expect, it } from 'vitest';
import { addToGroup, ask, invalid, makeGroup, refusal, useWorld, world } from './world.ts';

useWorld();

describe('users', () => {
  it('are made by administrators, completely described', async () => {
    expect(await ask('POST', '/users', {})).toEqual(
      invalid(
        'email is missing, password, reset_password, force_random_password are missing, at least one parameter must be provided, name is missing, username is missing',
      ),
    );
    const body = { email: 'a@example.test', name: 'A', username: 'a-user', force_random_password: true };
    expect(await ask('POST', '/users', body, world.owner.token)).toEqual(refusal(403, '403 Forbidden'));
    expect(await ask('POST', '/users', body, null)).toEqual(refusal(401, '401 Unauthorized'));
    expect((await ask('POST', '/users', body))[0]).toBe(201);
    // Where both are taken, the text names the first.
    expect(await ask('POST', '/users', body)).toEqual(refusal(409, 'Email has already been taken'));
    expect(await ask('POST', '/users', { ...body, username: 'other' })).toEqual(
      refusal(409, 'Email has already been taken'),
    );
    expect(await ask('POST', '/users', { ...body, email: 'b@example.test', username: 'A-USER' })).toEqual(
      refusal(409, 'Username has already been taken'),
    );
    const wrong = { email: 'x', name: '', username: '-', password: 'short' };
    expect(await ask('POST', '/users', wrong)).toEqual(
      refusal(400, {
        email: ['is invalid'],
        name: ["can't be blank"],
        username: [expect.stringContaining('can contain only letters')],
        password: ['is too short (minimum is 8 characters)'],
      }),
    );
  });

  it('are hidden from callers without a token, except by exact name', async () => {
    expect(await ask('GET', '/users', undefined, null)).toEqual(
      refusal(403, '403 Forbidden - Not authorized to access /api/v4/users'),
    );
    expect(await ask('GET', '/users/1', undefined, null)).toEqual(refusal(403, '403 Forbidden - Not authorized!'));
    expect(await ask('GET', '/users?username=MIA', undefined, null)).toMatchObject([200, [{ username: 'mia' }]]);
    expect(await ask('GET', '/user', undefined, null)).toEqual(refusal(401, '401 Unauthorized'));
    expect(await ask('GET', '/users/4711')).toEqual(refusal(404, '404 User Not Found'));
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
    expect(await ask('POST', '/groups', {})).toEqual(invalid('name is missing, path is missing'));
    expect(await ask('POST', '/groups', { name: 'local', path: 'LOCAL' })).toEqual(
      refusal(400, 'Failed to save group {:path=>["has already been taken"]}'),
    );
    expect((await ask('POST', '/groups', { name: 'x', path: '../x' }))[0]).toBe(400);
    expect(await ask('POST', '/groups', { name: 'x', path: 'x', parent_id: 1 }, world.outsider.token)).toEqual(
      refusal(404, '404 Group Not Found'),
    );
  });

  it('are visible to their members, to everybody signed in, or to everybody', async () => {
    const hidden = await makeGroup('hidden');
    const statuses = async (token: string | null) => [
      (await ask('GET', `/groups/${hidden.id}`, undefined, token))[0],
      (await ask('GET', '/groups/open', undefined, token))[0],
      (await ask('GET', '/groups/inner', undefined, token))[0],
    ];
    await ask('POST', '/groups', { name: 'Open', path: 'open', visibility: 'public' });
    await ask('POST', '/groups', { name: 'Inner', path: 'inner', visibility: 'internal' });
    expect(await statuses(null)).toEqual([401, 200, 401]);
    expect(await statuses(world.outsider.token)).toEqual([404, 200, 200]);
    await addToGroup(hidden, world.outsider.user, 10);
    expect(await statuses(world.outsider.token)).toEqual([200, 200, 200]);
    const [, listed] = (await ask('GET', '/groups', undefined, null)) as [number, { path: string }[]];
    expect(listed.map((group) => group.path)).toEqual(['open']);
  });
});

describe('projects', () => {
  it('complain as GitLab does', async () => {
    expect(await ask('POST', '/projects', {})).toEqual(
      invalid('name, path are missing, at least one parameter must be provided'),
    );
    const taken = ['has already been taken'];
    expect(await ask('POST', '/projects', { path: 'packages', namespace_id: 1 })).toEqual(
      refusal(400, { 'project_namespace.name': taken, name: taken, path: taken }),
    );
    expect(await ask('POST', '/projects', { name: 'x', visibility: 'secret' })).toEqual(
      invalid('visibility does not have a valid value'),
    );
    expect((await ask('POST', '/projects', { name: 'x', namespace_id: 1 }, world.outsider.token))[0]).toBe(404);
  });

  it('and groups have descriptions of a limited length, as all of them are in memory and in every list', async () => {
    const tooLong = { description: 'x'.repeat(2001) };
    const complaint = { description: ['is too long (maximum is 2000 characters)'] };
    const { token } = world.outsider;
    expect(await ask('POST', '/projects', { name: 'long', ...tooLong }, token)).toEqual(refusal(400, complaint));
    expect(await ask('PUT', '/projects/1', tooLong)).toEqual(refusal(400, complaint));
    expect((await ask('POST', '/groups', { name: 'long', path: 'long', ...tooLong }, token))[0]).toBe(400);
    expect(await ask('PUT', '/groups/1', tooLong)).toEqual(refusal(400, complaint));
    expect((await ask('GET', '/groups/long', undefined, token))[0]).toBe(404);
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
    expect(await ask('GET', '/projects/1', undefined, null)).toEqual(refusal(401, '401 Unauthorized'));
    expect(await ask('GET', '/projects/4711', undefined, null)).toEqual(refusal(401, '401 Unauthorized'));
    expect(await ask('GET', '/projects/1', undefined, world.outsider.token)).toEqual(
      refusal(404, '404 Project Not Found'),
    );
    expect(await ask('GET', '/projects', undefined, null)).toEqual([200, []]);
    const small = await world.registry.token(world.maintainer.user.id, ['read_package_registry']);
    expect((await ask('GET', '/projects/1', undefined, small))[0]).toBe(403);
  });

  it('are found at their old path after a move, by those who may see them', async () => {
    const group = await makeGroup('before');
    const project = await world.registry.project({ path: 'mover', namespaceId: group.id });
    await ask('PUT', `/groups/${group.id}`, { path: 'after' });
    const moved = await world.call('GET', '/projects/before%2Fmover/members?per_page=1');
    expect([moved.status, moved.headers.location]).toEqual([
      301,
      `${world.registry.origin}/api/v4/projects/${project.id}/members?per_page=1`,
    ]);
    expect((await ask('GET', '/projects/after%2Fmover'))[0]).toBe(200);
    expect(await ask('POST', '/projects/before%2Fmover/members', {})).toEqual(
      refusal(405, 'Non GET methods are not allowed for moved projects'),
    );
    expect((await ask('GET', '/projects/before%2Fmover', undefined, world.outsider.token))[0]).toBe(404);
    await ask('PUT', `/projects/${project.id}`, { path: 'moved-again' });
    expect((await ask('GET', '/projects/after%2Fmover'))[0]).toBe(301);
  });
});
