import { describe, expect, it } from 'vitest';
import { addToGroup, makeGroup, protect, protections, shareProject, statusAndBody, useWorld, world } from './world.ts';

useWorld();

describe('what happens over time', () => {
  it('takes the rules of a member and of a share away with them, and stays protected when none is left', async () => {
    const project = await world.registry.project();
    const person = await world.registry.user();
    await world.registry.member(project.id, person.user.id, 30);
    const group = await makeGroup('deployers');
    await shareProject(group, 30, project.id);
    const path = `/projects/${project.id}/protected_environments`;
    await world.call('POST', path, {
      name: 'production',
      deploy_access_levels: [{ user_id: person.user.id }, { group_id: group.id }],
    });
    expect((await world.call('DELETE', `/projects/${project.id}/members/${person.user.id}`)).status).toBe(204);
    expect((await world.call('GET', `${path}/production`)).json()).toMatchObject({
      deploy_access_levels: [{ group_id: group.id }],
    });
    expect((await world.call('DELETE', `/projects/${project.id}/share/${group.id}`)).status).toBe(204);
    expect((await world.call('GET', `${path}/production`)).json()).toMatchObject({ deploy_access_levels: [] });
    const who = await world.call('GET', `${path}/production/access`);
    expect(who.json<{ username: string }[]>().map((row) => row.username)).toEqual(['root']);
    const events = (await world.call('GET', `/projects/${project.id}/audit_events`)).json<
      { event_name: string; details: { after: { because?: string } | null } }[]
    >();
    expect(events.flatMap(({ details }) => details.after?.because ?? [])).toEqual([
      'The group is no longer invited.',
      'The user is no longer a member.',
    ]);
    expect(events.map((event) => event.event_name)).toEqual([
      'share.removed',
      'environment.rules_changed',
      'member.removed',
      'environment.rules_changed',
      'environment.protected',
      'share.added',
      'member.added',
      'project.created',
    ]);
  });

  it('takes them away with a deleted user or group too', async () => {
    const person = await world.registry.user();
    await world.registry.member(1, person.user.id, 30);
    const group = await makeGroup('short-lived');
    await shareProject(group, 30);
    await protect('orphaned', [{ user_id: person.user.id }, { group_id: group.id }, { access_level: 60 }]);
    expect((await world.call('DELETE', `/users/${person.user.id}`)).status).toBe(204);
    expect((await world.call('DELETE', `/groups/${group.id}`)).status).toBe(202);
    expect((await world.call('GET', `${protections}/orphaned`)).json()).toMatchObject({
      deploy_access_levels: [{ access_level: 60 }],
    });
  });
});

describe('who may deploy', () => {
  it('says yes or no with the rule or the reason, and lists everyone who may', async () => {
    const group = await makeGroup('releasers');
    const insider = await world.registry.user({ username: 'rob' });
    await addToGroup(group, insider.user, 10);
    await shareProject(group, 20);
    await protect('explained', [{ access_level: 40 }, { group_id: group.id }]);
    const ask = async (userId: number, name = 'explained') =>
      (await world.call('GET', `${protections}/${name}/access?user_id=${userId}`)).json();
    // GitLab's label "Developers + Maintainers" would read as two rules.
    await protect('wide', [{ access_level: 30 }]);
    expect(await ask(world.maintainer.user.id, 'wide')).toMatchObject({
      reason: 'The rule for Developers and Maintainers lets @mia deploy to wide.',
    });
    expect(await ask(world.maintainer.user.id)).toEqual({
      allowed: true,
      reason: 'The rule for Maintainers lets @mia deploy to explained.',
      rule: expect.objectContaining({ access_level: 40, access_level_description: 'Maintainers' }),
      user: { id: world.maintainer.user.id, username: 'mia', name: 'User mia' },
    });
    expect(await ask(world.developer.user.id)).toMatchObject({ allowed: false, rule: null });
    // A Guest of the group is a Guest of the project, and a rule needs a Reporter.
    expect(await ask(insider.user.id)).toMatchObject({ allowed: false, rule: null });
    const everyone = await world.call('GET', `${protections}/explained/access`);
    expect(everyone.json<{ username: string }[]>().map((row) => row.username)).toEqual(['root', 'mia', 'otto']);
    expect((await world.call('GET', `${protections}/explained/access?user_id=4711`)).status).toBe(404);
    expect((await world.call('GET', `${protections}/explained/access`, undefined, world.developer.token)).status).toBe(
      403,
    );
    const free = await world.call('GET', `${protections}/unprotected/access?user_id=${world.developer.user.id}`);
    expect(free.json()).toMatchObject({ allowed: true, rule: null });
  });

  it('gives the whole matrix', async () => {
    const project = await world.registry.project();
    await world.call('POST', `/projects/${project.id}/environments`, { name: 'review/one' });
    await world.call('POST', `/projects/${project.id}/protected_environments`, {
      name: 'production',
      deploy_access_levels: [{ access_level: 60 }],
    });
    const matrix = await world.call('GET', `/projects/${project.id}/environments/access`);
    expect(matrix.json()).toMatchObject([
      { environment: 'production', protected: true, users: [{ username: 'root', allowed: true }] },
      { environment: 'review/one', protected: false, users: [{ username: 'root', allowed: true }] },
    ]);
  });
});

describe('of groups', () => {
  it('names tiers, needs an owner, and applies to projects below by the tier of their environments', async () => {
    const group = await makeGroup('tiered');
    const subgroup = await makeGroup('below', group.id);
    const owner = await world.registry.user();
    const maintainer = await world.registry.user();
    await addToGroup(group, owner.user, 50);
    await addToGroup(group, maintainer.user, 40);
    const path = `/groups/${group.id}/protected_environments`;
    const body = { name: 'production', deploy_access_levels: [{ user_id: owner.user.id }, { group_id: subgroup.id }] };
    expect((await world.call('POST', path, body, maintainer.token)).status).toBe(403);
    expect((await world.call('POST', path, body, owner.token)).status).toBe(201);
    const again = await world.call('POST', path, body, owner.token);
    expect(statusAndBody(again)).toEqual([409, { message: "Protected environment 'production' already exists" }]);
    const wrong = await world.call('POST', path, { ...body, name: 'prod' }, owner.token);
    expect(statusAndBody(wrong)).toEqual([400, { error: 'name does not have a valid value' }]);
    expect((await world.call('GET', `${path}/staging`)).json()).toEqual({ message: '404 Not found' });

    const project = await world.registry.project({ namespaceId: subgroup.id });
    const ask = async (name: string, userId: number) =>
      (
        await world.call('GET', `/projects/${project.id}/protected_environments/${name}/access?user_id=${userId}`)
      ).json();
    expect(await ask('live', maintainer.user.id)).toMatchObject({
      allowed: false,
      reason: `The group "tiered" lets others deploy to production environments, not @${maintainer.user.username}.`,
    });
    expect(await ask('live', owner.user.id)).toMatchObject({
      allowed: true,
      reason: expect.stringContaining(' of the group "tiered" allow @') as string,
    });
    expect(await ask('staging', maintainer.user.id)).toMatchObject({ allowed: true });
  });
});
