import { describe, expect, it } from 'vitest';
import { addToGroup, ask, invalid, makeGroup, refusal, shareProject, useWorld, world } from './world.ts';

useWorld();

describe('members', () => {
  const members = '/projects/1/members';

  it('are added by maintainers, up to their own role', async () => {
    const person = (await world.registry.user()).user;
    const add = (body: unknown, token?: string | null) => ask('POST', members, body, token);
    const who = { user_id: person.id };
    expect(await add(who)).toEqual(invalid('access_level is missing'));
    expect(await add({ access_level: 30 })).toEqual(
      invalid('user_id, username are missing, at least one parameter must be provided'),
    );
    expect(await add({ ...who, username: 'x', access_level: 30 })).toEqual(
      invalid('user_id, username are mutually exclusive'),
    );
    expect(await add({ user_id: 4711, access_level: 30 })).toEqual(refusal(404, '404 User Not Found'));
    expect(await add({ ...who, access_level: 35 })).toEqual(
      refusal(400, { access_level: ['is not included in the list'] }),
    );
    expect(await add({ ...who, access_level: 30, expires_at: '2020-01-01' })).toEqual(
      refusal(400, { expires_at: ['cannot be a date in the past'] }),
    );
    expect(await add({ ...who, access_level: 30 }, world.developer.token)).toEqual(refusal(403, '403 Forbidden'));
    expect(await add({ ...who, access_level: 50 }, world.maintainer.token)).toEqual(refusal(403, '403 Forbidden'));
    expect(await add({ ...who, access_level: 30 }, world.maintainer.token)).toMatchObject([
      201,
      { id: person.id, access_level: 30, membership_state: 'active', created_by: { username: 'mia' } },
    ]);
    expect(await add({ ...who, access_level: 30 })).toEqual(refusal(409, 'Member already exists'));
    expect(await ask('PUT', `${members}/${world.owner.user.id}`, { access_level: 10 }, world.maintainer.token)).toEqual(
      refusal(403, '403 Forbidden'),
    );
  });

  it('cannot be given less than they inherit, and are listed once with their strongest role', async () => {
    const group = await makeGroup('heirs');
    const project = await world.registry.project({ namespaceId: group.id });
    const { user } = await world.registry.user();
    await addToGroup(group, user, 30);
    const path = `/projects/${project.id}/members`;
    expect(await ask('POST', path, { user_id: user.id, access_level: 20 })).toEqual(
      refusal(400, {
        access_level: ['should be greater than or equal to Developer inherited membership from group heirs'],
      }),
    );
    expect((await ask('POST', path, { user_id: user.id, access_level: 40 }))[0]).toBe(201);
    const guests = await makeGroup('invited-heirs');
    await addToGroup(guests, world.guest.user, 50);
    await shareProject(guests, 20, project.id);
    const [, all] = (await ask('GET', `${path}/all`)) as [number, { id: number; access_level: number }[]];
    expect(all.map((member) => [member.id, member.access_level])).toEqual([
      [world.guest.user.id, 20],
      [user.id, 40],
    ]);
    expect(await ask('GET', `${path}/${world.guest.user.id}`)).toEqual(refusal(404, '404 Not found'));
    expect((await ask('GET', `${path}/all/${world.guest.user.id}`))[0]).toBe(200);
  });

  it('may leave by themselves; a group keeps an owner', async () => {
    const { user, token } = await world.registry.user();
    await world.registry.member(1, user.id, 10);
    expect(await ask('DELETE', `${members}/${user.id}`, undefined, token)).toEqual([204, '']);
    expect(await ask('DELETE', `${members}/${user.id}`)).toEqual(refusal(404, '404 Not found'));
    expect(await ask('DELETE', '/groups/1/members/1')).toMatchObject([
      403,
      { message: expect.stringMatching(/A group needs an owner/) },
    ]);
    expect(await ask('GET', members, undefined, null)).toEqual(refusal(401, '401 Unauthorized'));
  });

  it('lose what is below a group with the group, unless asked otherwise', async () => {
    const group = await makeGroup('upper');
    const below = await makeGroup('lower', group.id);
    const project = await world.registry.project({ namespaceId: below.id });
    const { user } = await world.registry.user();
    await addToGroup(group, user, 20);
    await addToGroup(below, user, 30);
    await world.registry.member(project.id, user.id, 40);
    expect((await ask('DELETE', `/groups/${group.id}/members/${user.id}?skip_subresources=true`))[0]).toBe(204);
    expect((await ask('GET', `/projects/${project.id}/members/${user.id}`))[0]).toBe(200);
    await addToGroup(group, user, 20);
    expect((await ask('DELETE', `/groups/${group.id}/members/${user.id}`))[0]).toBe(204);
    expect((await ask('GET', `/projects/${project.id}/members/all/${user.id}`))[0]).toBe(404);
  });

  it('show e-mail addresses to themselves and to administrators, and not to those who manage them', async () => {
    const one = `${members}/${world.guest.user.id}`;
    const own = { id: world.guest.user.id, email: world.guest.user.email };
    expect(await ask('GET', one)).toMatchObject([200, own]);
    expect(await ask('GET', one, undefined, world.guest.token)).toMatchObject([200, own]);
    for (const { token } of [world.developer, world.maintainer, world.owner]) {
      const [status, shown] = await ask('GET', one, undefined, token);
      expect(status).toBe(200);
      expect(shown).not.toHaveProperty('email');
    }
  });

  it('are kept from those who belong only to something below a group, which they may know of', async () => {
    const above = await makeGroup('above');
    const below = await makeGroup('below', above.id);
    await addToGroup(below, world.guest.user, 30);
    const list = (token: string) => ask('GET', `/groups/${above.id}/members/all`, undefined, token);
    expect(await list(world.guest.token)).toEqual(refusal(403, '403 Forbidden'));
    expect(await list(world.reporter.token)).toEqual(refusal(404, '404 Group Not Found'));
  });

  it('can be added several at a time', async () => {
    const people = [await world.registry.user(), await world.registry.user()];
    const ids = people.map(({ user }) => user.id).join(',');
    expect(await ask('POST', members, { user_id: ids, access_level: 20 })).toEqual([201, { status: 'success' }]);
    expect(await ask('POST', members, { user_id: ids, access_level: 20 })).toMatchObject([201, { status: 'error' }]);
  });

  it('are added at most a hundred at a time', async () => {
    const { id } = (await world.registry.user()).user;
    const body = { access_level: 10, user_id: Array.from({ length: 101 }, () => id) };
    const tooMany = invalid('user_id names more than 100 users');
    expect(await ask('POST', members, body, world.maintainer.token)).toEqual(tooMany);
    expect((await ask('GET', `${members}/${id}`))[0]).toBe(404);
  });
});

describe('shares', () => {
  it('complain as GitLab does', async () => {
    const group = await makeGroup('sharers');
    const share = (body: unknown, token?: string) => ask('POST', '/projects/1/share', body, token);
    expect(await share({})).toEqual(
      invalid('group_id is missing, group_access is missing, group_access does not have a valid value'),
    );
    expect(await share({ group_id: group.id, group_access: 35 })).toEqual(
      invalid('group_access does not have a valid value'),
    );
    expect(await share({ group_id: 4711, group_access: 30 })).toEqual(refusal(404, 'Not Found'));
    expect(await share({ group_id: group.id, group_access: 30 }, world.maintainer.token)).toEqual(
      refusal(404, 'Not Found'),
    );
    await addToGroup(group, world.maintainer.user, 10);
    expect(await share({ group_id: group.id, group_access: 50 }, world.maintainer.token)).toEqual(
      refusal(403, '403 Forbidden'),
    );
    expect(await share({ group_id: group.id, group_access: 30, expires_at: null }, world.maintainer.token)).toEqual([
      201,
      { id: expect.any(Number), project_id: 1, group_id: group.id, group_access: 30, expires_at: null },
    ]);
    expect(await share({ group_id: group.id, group_access: 30 })).toEqual(
      refusal(409, 'Group already shared with this group'),
    );
    expect(await ask('DELETE', `/projects/1/share/${group.id}`)).toEqual([204, '']);
    expect(await ask('DELETE', `/projects/1/share/${group.id}`)).toEqual(refusal(404, '404 Group Link Not Found'));
    expect((await share({ group_id: 1, group_access: 30 }))[0]).toBe(409);
  });
});
