import { Gitlab } from '@gitbeaker/rest';
import { beforeAll, describe, expect, it } from 'vitest';
import { rootToken } from '../../support/registry.ts';
import { useWorld, world } from './world.ts';

/**
 * The published @gitbeaker/rest, as people use it, against every call that it has for what is here. It does not encode project paths
 * and environment names on protected environments, sends `{}` with DELETE, and follows `Link` for further pages.
 */
let gitlab: InstanceType<typeof Gitlab<false>>;

useWorld();
beforeAll(() => {
  gitlab = new Gitlab({ host: world.registry.origin, token: rootToken });
});

async function refusal(promise: Promise<unknown>): Promise<{ status: number | undefined; text: string }> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason as Error & { cause?: { response?: Response; description?: string } },
  );
  return { status: error?.cause?.response?.status, text: error?.cause?.description ?? '' };
}

describe('@gitbeaker/rest', () => {
  it('protects, shows, edits, lists and unprotects environments, by raw paths and names', async () => {
    const api = gitlab.ProjectProtectedEnvironments;
    for (const project of [1, 'local/packages']) {
      const name = `review/${typeof project} app 1.0`;
      const created = await api.create(project, name, [
        { accessLevel: 40 },
        { userId: world.developer.user.id },
      ] as never);
      expect(created).toMatchObject({ name, required_approval_count: 0, approval_rules: [] });
      const levels = created.deploy_access_levels as unknown as { id: number }[];
      expect(levels).toMatchObject([{ access_level: 40 }, { user_id: world.developer.user.id }]);
      expect(await api.show(project, name)).toEqual(created);
      const edited = await api.edit(project, name, {
        deployAccessLevels: [{ id: levels[0]?.id, _destroy: true }, { accessLevel: 60 }] as never,
      });
      expect(edited.deploy_access_levels).toMatchObject([
        { user_id: world.developer.user.id },
        { access_level: 60, access_level_description: 'Administrators' },
      ]);
      expect((await api.all(project)).map((row) => row.name)).toContain(name);
      await api.remove(project, name);
      expect(await refusal(api.show(project, name))).toEqual({ status: 404, text: '404 Not found' });
    }
  });

  it('shows people what was wrong', async () => {
    const api = gitlab.ProjectProtectedEnvironments;
    expect(await refusal(api.create(1, 'x', [{ userId: 4711 }] as never))).toEqual({
      status: 422,
      text: '["Deploy access levels user 4711 does not exist"]',
    });
    expect(await refusal(api.create(1, 'x', [{ accessLevel: 50 }] as never))).toEqual({
      status: 400,
      text: 'deploy_access_levels[0][access_level] does not have a valid value',
    });
    expect((await refusal(api.all(4711))).text).toBe('404 Project Not Found');
    const stranger = new Gitlab({ host: world.registry.origin, token: 'glpat-nonsense' });
    expect((await refusal(stranger.ProjectProtectedEnvironments.all(1))).status).toBe(401);
  });

  it('follows links over all pages', async () => {
    const project = await world.registry.project({ path: 'paged' });
    for (let index = 0; index < 5; index += 1) {
      await gitlab.ProjectProtectedEnvironments.create(project.id, `env${index}`, [{ accessLevel: 40 }] as never);
    }
    const all = await gitlab.ProjectProtectedEnvironments.all(project.id, { perPage: 2 });
    expect(all.map((row) => row.name)).toEqual(['env0', 'env1', 'env2', 'env3', 'env4']);
    const page = await gitlab.ProjectProtectedEnvironments.all(project.id, { perPage: 2, page: 2, showExpanded: true });
    expect(page.paginationInfo).toMatchObject({ total: 5, current: 2, next: 3, previous: 1, totalPages: 3 });
    expect(await gitlab.ProjectProtectedEnvironments.all('local/paged', { perPage: 2 })).toHaveLength(5);
  });

  it('protects the tiers of groups', async () => {
    const group = await gitlab.Groups.create('Tiers', 'tiers');
    const api = gitlab.GroupProtectedEnvironments;
    await api.create(group.id, 'production', [{ accessLevel: 40 }] as never);
    expect(await api.show(group.id, 'production')).toMatchObject({ name: 'production' });
    expect(await api.all('tiers')).toHaveLength(1);
    const edited = await api.edit(group.id, 'production', { deployAccessLevels: [{ groupId: group.id }] as never });
    expect(edited.deploy_access_levels).toHaveLength(2);
    await api.remove(group.id, 'production');
    expect((await refusal(api.show(group.id, 'production'))).status).toBe(404);
  });

  it('manages environments', async () => {
    const api = gitlab.Environments;
    const created = await api.create('local/packages', 'review/feature-1', { externalUrl: 'https://f1.example.test' });
    expect(created).toMatchObject({
      name: 'review/feature-1',
      slug: expect.stringMatching(/^review-feature-1-[a-z0-9]{6}$/),
      tier: 'development',
      state: 'available',
      external_url: 'https://f1.example.test',
    });
    expect(await api.show(1, created.id)).toMatchObject({ id: created.id, last_deployment: null });
    expect(await api.edit(1, created.id, { tier: 'testing' })).toMatchObject({ tier: 'testing' });
    expect(await api.all(1, { search: 'feature' })).toHaveLength(1);
    expect(await api.all(1, { name: 'nothing' })).toHaveLength(0);
    expect((await refusal(api.remove(1, created.id))).status).toBe(403);
    expect(await api.stop(1, created.id)).toMatchObject({ state: 'stopped' });
    expect(await api.removeReviewApps(1, { before: '2100-01-01T00:00:00Z' })).toMatchObject({
      scheduled_entries: [{ id: created.id }],
    });
    await api.removeReviewApps(1, { before: '2100-01-01T00:00:00Z', dryRun: false });
    expect((await refusal(api.show(1, created.id))).status).toBe(404);
    const stale = await api.create(1, 'stale');
    await api.stopStale(1, '2100-01-01T00:00:00Z');
    expect(await api.show(1, stale.id)).toMatchObject({ state: 'stopped' });
    await api.remove(1, stale.id);
    expect((await refusal(api.create(1, 'bad name!'))).status).toBe(400);
  });

  it('manages users and their tokens', async () => {
    const user = await gitlab.Users.create({
      username: 'newcomer',
      name: 'New Comer',
      email: 'new@example.test',
      password: 'a long password',
      skipConfirmation: true,
    });
    expect(user).toMatchObject({ username: 'newcomer', state: 'active', is_admin: false });
    expect(await gitlab.Users.show(user.id)).toMatchObject({ name: 'New Comer' });
    expect(await gitlab.Users.all({ username: 'NEWCOMER' })).toHaveLength(1);
    expect((await gitlab.Users.all({ perPage: 2 })).length).toBeGreaterThan(6);
    expect(await gitlab.Users.edit(user.id, { name: 'Newer' })).toMatchObject({ name: 'Newer' });
    expect(await gitlab.Users.showCurrentUser()).toMatchObject({ username: 'root', is_admin: true });

    const made = await gitlab.Users.createPersonalAccessToken(user.id, 'ci', ['api']);
    const secret = (made as unknown as { token: string }).token;
    expect(secret).toMatch(/^glpat-/);
    const own = new Gitlab({ host: world.registry.origin, token: secret });
    expect(await own.Users.showCurrentUser()).toMatchObject({ username: 'newcomer' });
    expect(await own.PersonalAccessTokens.show()).toMatchObject({ id: made.id, name: 'ci', active: true });
    expect(await own.PersonalAccessTokens.all()).toHaveLength(1);
    const rotated = (await own.PersonalAccessTokens.rotate('self')) as unknown as { id: number; token: string };
    expect((await refusal(own.Users.showCurrentUser())).status).toBe(401);
    await gitlab.PersonalAccessTokens.remove({ tokenId: rotated.id });
    const last = new Gitlab({ host: world.registry.origin, token: rotated.token });
    expect((await refusal(last.Users.showCurrentUser())).status).toBe(401);

    await gitlab.Users.block(user.id);
    expect(await gitlab.Users.show(user.id)).toMatchObject({ state: 'blocked' });
    await gitlab.Users.unblock(user.id);
    await gitlab.Users.remove(user.id);
    expect(await refusal(gitlab.Users.show(user.id))).toEqual({ status: 404, text: '404 User Not Found' });
  });

  it('manages groups, subgroups, their members and invitations', async () => {
    const group = await gitlab.Groups.create('Team', 'team', { visibility: 'internal' });
    const sub = await gitlab.Groups.create('Sub', 'sub', { parentId: group.id });
    const guests = await gitlab.Groups.create('Guests', 'guests');
    expect(sub).toMatchObject({ full_path: 'team/sub', full_name: 'Team / Sub', parent_id: group.id });
    expect(await gitlab.Groups.show('team/sub')).toMatchObject({ id: sub.id });
    expect((await gitlab.Groups.all({ search: 'team' })).map((row) => row.full_path)).toEqual(['team/sub', 'team']);
    expect(await gitlab.Groups.allSubgroups(group.id)).toHaveLength(1);
    expect(await gitlab.Groups.allDescendantGroups(group.id, {})).toHaveLength(1);
    expect(await gitlab.Groups.edit(group.id, { description: 'People' })).toMatchObject({ description: 'People' });

    const { id } = world.outsider.user;
    expect(await gitlab.GroupMembers.add(group.id, 30, { userId: id })).toMatchObject({
      id,
      access_level: 30,
    });
    expect(await gitlab.GroupMembers.edit(group.id, id, 40)).toMatchObject({ access_level: 40 });
    expect(await gitlab.GroupMembers.all(sub.id, { includeInherited: true })).toHaveLength(2);
    expect(await gitlab.GroupMembers.show(sub.id, id, { includeInherited: true })).toMatchObject({ access_level: 40 });
    expect((await refusal(gitlab.GroupMembers.show(sub.id, id))).status).toBe(404);
    await gitlab.GroupMembers.remove(group.id, id);

    expect(await gitlab.Groups.share(group.id, guests.id, 20, {})).toMatchObject({
      shared_with_groups: [{ group_id: guests.id, group_access_level: 20 }],
    });
    await gitlab.Groups.unshare(group.id, guests.id, {});
    await gitlab.Groups.remove(group.id);
    expect((await refusal(gitlab.Groups.show('team/sub'))).status).toBe(404);
  });

  it('manages projects, their members and invitations', async () => {
    const group = await gitlab.Groups.create('Shop', 'shop');
    const friends = await gitlab.Groups.create('Friends', 'friends');
    const project = await gitlab.Projects.create({ name: 'Web Shop', namespaceId: group.id, visibility: 'private' });
    expect(project).toMatchObject({ path_with_namespace: 'shop/web-shop', visibility: 'private' });
    expect(await gitlab.Projects.show('shop/web-shop')).toMatchObject({
      id: project.id,
      name_with_namespace: 'Shop / Web Shop',
    });
    expect((await gitlab.Projects.all({ search: 'web' })).map((row) => row.id)).toEqual([project.id]);
    const keyset = await gitlab.Projects.all({ pagination: 'keyset', orderBy: 'id', sort: 'asc', perPage: 1 } as never);
    expect(keyset.map((row) => row.id)).toEqual(keyset.map((row) => row.id).toSorted((a, b) => a - b));
    expect(keyset.length).toBeGreaterThan(1);
    expect(await gitlab.Projects.edit(project.id, { description: 'Sells' })).toMatchObject({ description: 'Sells' });
    expect(await gitlab.Groups.allProjects(group.id)).toHaveLength(1);

    const { id } = world.outsider.user;
    await gitlab.ProjectMembers.add(project.id, 30, { userId: id, expiresAt: '2100-01-01' });
    expect(await gitlab.ProjectMembers.show(project.id, id)).toMatchObject({
      access_level: 30,
      expires_at: '2100-01-01',
    });
    expect(await gitlab.ProjectMembers.edit(project.id, id, 40)).toMatchObject({ access_level: 40 });
    expect(await gitlab.ProjectMembers.all(project.id)).toHaveLength(1);
    expect(await gitlab.ProjectMembers.all(project.id, { includeInherited: true })).toHaveLength(2);
    expect(await gitlab.Projects.allUsers(project.id)).toHaveLength(2);
    await gitlab.ProjectMembers.remove(project.id, id);

    await gitlab.Projects.share(project.id, friends.id, 30);
    expect(await gitlab.Projects.allInvitedGroups(project.id)).toMatchObject([{ id: friends.id }]);
    expect(await gitlab.Projects.allGroups(project.id, { withShared: true })).toHaveLength(2);
    expect((await refusal(gitlab.Projects.share(project.id, friends.id, 30))).status).toBe(409);
    await gitlab.Projects.unshare(project.id, friends.id);
    await gitlab.Projects.remove(project.id);
    expect((await refusal(gitlab.Projects.show(project.id))).status).toBe(404);
  });

  it('acts as somebody else, and reads the audit trail and the version', async () => {
    const admin = (await gitlab.Users.createPersonalAccessToken(1, 'sudo', ['api', 'sudo'])) as unknown as {
      token: string;
    };
    const powerful = new Gitlab({ host: world.registry.origin, token: admin.token });
    expect(await powerful.Users.showCurrentUser({ sudo: 'dan' })).toMatchObject({ username: 'dan' });
    expect((await refusal(gitlab.Users.showCurrentUser({ sudo: 'dan' }))).status).toBe(403);
    await powerful.Environments.create(1, 'by-proxy', { sudo: 'dan' });
    const [made] = await gitlab.AuditEvents.all({ projectId: 1 });
    expect(made).toMatchObject({ author_id: world.developer.user.id, details: { author_name: 'dan (by root)' } });
    const events = await gitlab.AuditEvents.all({ projectId: 1 });
    expect(events.length).toBeGreaterThan(3);
    const [event] = events;
    expect(await gitlab.AuditEvents.show(event?.id ?? 0, { projectId: 1 })).toEqual(event);
    expect(await gitlab.AuditEvents.all({})).not.toHaveLength(0);
    expect(await gitlab.Metadata.show()).toMatchObject({
      enterprise: true,
      version: expect.stringMatching(/^\d+\.\d+/),
    });
  });
});
