import { expect, it } from 'vitest';
import { addToGroup, ask, makeGroup, protections, refusal, shareProject, useWorld, world } from './world.ts';

useWorld();

const body = async (path: string, token: string | null | undefined) => (await ask('GET', path, undefined, token))[1];

it('names of private groups stay hidden from a maintainer who may not see them, wherever a project shows its groups', async () => {
  const club = await makeGroup('club');
  await ask('PUT', `/groups/${club.id}`, { name: 'Secret Club', description: 'very secret' });
  await ask('PUT', '/groups/1', { name: 'Secret House' });
  await ask('POST', '/projects/1/share', { group_id: club.id, group_access: 40 });
  const deployer = await world.registry.user();
  await addToGroup(club, deployer.user, 30);
  await ask('POST', protections, {
    name: 'production',
    deploy_access_levels: [{ group_id: club.id, group_inheritance_type: 1 }],
    approval_rules: [{ group_id: club.id, required_approvals: 1 }],
  });
  const { token } = world.maintainer;
  const number = `group ${club.id}`;
  const rule = { group_id: club.id, access_level_description: number };

  expect(await body('/projects/1', token)).toMatchObject({
    shared_with_groups: [],
    name_with_namespace: 'local / packages',
    namespace: { name: 'local' },
  });
  expect(await body('/projects/1/groups?with_shared=true', token)).toEqual([]);
  expect(await body('/projects/1/invited_groups', token)).toEqual([]);
  expect(await body(`${protections}/production`, token)).toMatchObject({
    deploy_access_levels: [rule],
    approval_rules: [rule],
  });
  const access = `${protections}/production/access?user_id=${deployer.user.id}`;
  expect(await body(access, token)).toMatchObject({ allowed: true, rule, reason: expect.stringContaining(number) });
  const events = (await body('/projects/1/audit_events?per_page=100', token)) as {
    event_name: string;
    details: { target_details: string; after: unknown };
  }[];
  expect(events.find((event) => event.event_name === 'share.added')?.details.target_details).toBe(number);
  expect(events.find((event) => event.event_name === 'environment.protected')?.details.after).toMatchObject({
    deploy_access_levels: [{ group_id: club.id, description: number }],
    approval_rules: [{ description: number, required_approvals: 1 }],
  });
  const paths = ['/projects/1', '/projects/1/groups?with_shared=true', `${protections}/production`, access];
  paths.push('/projects/1/environments/access', '/projects/1/audit_events?per_page=100');
  for (const path of paths) expect(JSON.stringify(await body(path, token))).not.toContain('ecret');
  const add = { user_id: deployer.user.id, access_level: 10 };
  await addToGroup(world.registry.directory.groups.get(1), deployer.user, 20);
  expect(await ask('POST', '/projects/1/members', add, token)).toEqual(
    refusal(400, {
      access_level: ['should be greater than or equal to Reporter inherited membership from group local'],
    }),
  );

  // Whoever sees the groups sees their names.
  expect(await body('/projects/1', undefined)).toMatchObject({
    shared_with_groups: [{ group_name: 'Secret Club' }],
    name_with_namespace: 'Secret House / packages',
  });
  expect(await body(`${protections}/production`, undefined)).toMatchObject({
    deploy_access_levels: [{ access_level_description: 'Secret Club' }],
  });
  await addToGroup(club, world.maintainer.user, 10);
  expect(await body('/projects/1', token)).toMatchObject({ shared_with_groups: [{ group_name: 'Secret Club' }] });
  expect(await body(`${protections}/production`, token)).toMatchObject({
    approval_rules: [{ access_level_description: 'Secret Club' }],
  });
});

it('members of private groups stay hidden from those who belong neither to them nor to the project', async () => {
  const { registry } = world;
  const [guild, house] = [await makeGroup('guild'), await makeGroup('house')];
  const [invited, inherited, direct] = [await registry.user(), await registry.user(), await registry.user()];
  await addToGroup(guild, invited.user, 30);
  await addToGroup(house, inherited.user, 30);
  const { id } = await registry.project({ path: 'shown', namespaceId: house.id, visibility: 'public' });
  await ask('POST', `/projects/${id}/share`, { group_id: guild.id, group_access: 30 });
  await registry.member(id, direct.user.id, 30);
  await registry.publish({ name: 'shown', version: '1.0.0', projectId: id });
  const outsider = await registry.user();
  const api = `/projects/${id}`;
  const collaborators = `${api}/packages/npm/-/package/shown/collaborators`;
  const names = async (path: string, token: string) => {
    const answer = await body(path, token);
    return path === collaborators
      ? Object.keys(answer as object)
      : (answer as { username: string }[]).map(({ username }) => username);
  };
  for (const path of [`${api}/members/all`, `${api}/users`, collaborators]) {
    expect(await names(path, outsider.token)).toEqual([direct.user.username]);
    expect(await names(path, direct.token)).toEqual(
      expect.arrayContaining([invited, inherited, direct].map(({ user }) => user.username)),
    );
  }
  expect((await ask('GET', `${api}/members/all/${invited.user.id}`, undefined, outsider.token))[0]).toBe(404);
});

it('a rule complains about a group that is not there as about one that is not invited', async () => {
  const hidden = await makeGroup('not-invited');
  const complaintOf = async (groupId: number) => {
    const rules = { name: 'staging', deploy_access_levels: [{ group_id: groupId }] };
    const answer = await world.call('POST', protections, rules, world.maintainer.token);
    expect(answer.status).toBe(422);
    return answer.text.replaceAll(String(groupId), 'N');
  };
  expect(await complaintOf(hidden.id)).toBe(await complaintOf(99_999));
  const owned = await makeGroup('owned');
  await addToGroup(owned, world.owner.user, 50);
  const ofGroup = async (groupId: number) => {
    const rules = { name: 'staging', deploy_access_levels: [{ group_id: groupId }] };
    const path = `/groups/${owned.id}/protected_environments`;
    const answer = await world.call('POST', path, rules, world.owner.token);
    expect(answer.status).toBe(422);
    return answer.text.replaceAll(String(groupId), 'N');
  };
  expect(await ofGroup(hidden.id)).toBe(await ofGroup(99_999));
});

it('nobody changes or ends what is above the own role: invitations, memberships, inherited roles', async () => {
  const { maintainer, owner } = world;
  const owners = await makeGroup('owners');
  await shareProject(owners, 50);
  const end = `/projects/1/share/${owners.id}`;
  expect(await ask('DELETE', end, undefined, maintainer.token)).toEqual(refusal(403, '403 Forbidden'));
  expect(await body('/projects/1/invited_groups', undefined)).toMatchObject([{}, { id: owners.id }]);
  expect((await ask('DELETE', end, undefined, owner.token))[0]).toBe(204);

  const project = await world.registry.project({ namespaceId: (await makeGroup('estate')).id });
  const members = `/projects/${project.id}/members`;
  const estate = world.registry.directory.groups.get(project.namespaceId);
  await world.registry.member(project.id, maintainer.user.id, 40);
  const lord = (await world.registry.user()).user;
  await world.registry.member(project.id, lord.id, 30);
  await addToGroup(estate, lord, 50);
  const invited = await makeGroup('retinue');
  const guest = (await world.registry.user()).user;
  await addToGroup(invited, guest, 50);
  await shareProject(invited, 50, project.id);
  await world.registry.member(project.id, guest.id, 20);
  for (const { id } of [lord, guest]) {
    const change = { access_level: 40, expires_at: '2099-01-01' };
    expect((await ask('PUT', `${members}/${id}`, change, maintainer.token))[0]).toBe(403);
    expect((await ask('DELETE', `${members}/${id}`, undefined, maintainer.token))[0]).toBe(403);
  }
  expect((await ask('DELETE', `${members}/${guest.id}`))[0]).toBe(204);
});

it('a group keeps an owner whose role does not end', async () => {
  const group = await makeGroup('kept');
  const [first, second] = [await world.registry.user(), await world.registry.user()];
  await addToGroup(group, first.user, 50);
  const member = (id: number) => `/groups/${group.id}/members/${id}`;
  const ending = { access_level: 50, expires_at: '2099-01-01' };
  expect((await ask('PUT', member(first.user.id), ending, first.token))[0]).toBe(403);
  expect((await ask('PUT', member(first.user.id), ending))[0]).toBe(403);
  await addToGroup(group, second.user, 50);
  expect((await ask('PUT', member(second.user.id), ending, first.token))[0]).toBe(200);
  expect((await ask('DELETE', member(first.user.id), undefined, first.token))[0]).toBe(403);
  expect((await ask('PUT', member(first.user.id), { access_level: 30 }, first.token))[0]).toBe(403);
});

it('nobody learns which subgroups a hidden group has', async () => {
  const { id } = await makeGroup('vault');
  await makeGroup('plans', id);
  const exists = (path: string, token?: string) => {
    const [name = '', query] = path.split('?');
    return body(`/namespaces/${name}/exists${query ? `?${query}` : ''}`, token);
  };
  const { token } = world.outsider;
  expect(await exists('vault%2Fplans', token)).toEqual(await exists('vault%2Fnothing', token));
  expect(await exists(`plans?parent_id=${id}`, token)).toMatchObject({ exists: false });
  expect(await exists(`plans?parent_id=${id}`)).toMatchObject({ exists: true });
});
