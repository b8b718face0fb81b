import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../server/accounts/change.ts';
import type { UpstreamRow } from '../../server/upstream/upstream-store.ts';
import { rootToken, TestRegistry } from '../support/registry.ts';
import type { TestUser } from '../support/registry.ts';
import { makeTarball } from '../support/tarballs.ts';
import { addUpstream, pushEnded, pushTo, readPackument, rootActor } from './support/upstream-registry.ts';

/** The administrator's registry, with the group `acme` whose packages go to the company. */
let laptop: TestRegistry;
let company: TestRegistry;
let upstream: UpstreamRow;
let acme: number;
let tools: number;
/** An account with a group and a project of its own. */
let mallory: TestUser;
let malloryActor: Actor;
let own: { group: number; project: number };

beforeEach(async () => {
  [laptop, company] = await Promise.all([TestRegistry.start(), TestRegistry.start()]);
  const { groups } = laptop.directory;
  acme = (await groups.create(rootActor, newGroup('acme'))).id;
  tools = (await laptop.project({ path: 'tools', namespaceId: acme })).id;
  mallory = await laptop.user({ username: 'mallory' });
  malloryActor = { userId: mallory.user.id, username: 'mallory', origin: 'http', address: null };
  const group = await groups.create(malloryActor, newGroup('mallory-group'));
  own = { group: group.id, project: (await laptop.project({ path: 'mine', namespaceId: group.id })).id };
  upstream = await outboxTo(['@acme']);
});
afterEach(async () => {
  await laptop.stop();
  await company.stop();
});

const newGroup = (path: string) => ({
  name: path,
  path,
  parentId: null,
  description: '',
  visibility: 'private' as const,
});

const outboxTo = (pushSelection: string[], name = 'company', scopes: string[] = []) =>
  addUpstream(laptop, `${company.origin}${company.projectPath()}`, {
    name,
    kind: 'gatehouse',
    scopes,
    token: rootToken,
    pushSelection,
    pushFrom: null,
  });

const outbox = () => laptop.registry.upstream.outbox;
const plan = async () =>
  (await outbox().plan(upstream.id, [])).map(({ kind, name, version, tag }) => `${kind} ${name} ${tag ?? version}`);
const asMallory = (name: string, version: string, more: object = {}) =>
  laptop.publish({ name, version, projectId: own.project, token: mallory.token, ...more });
const packageOf = (projectId: number, name: string): number =>
  laptop.registry.packages.store.findPackage(projectId, name)?.id ?? 0;

describe('an outbox', () => {
  it('carries what the group of its scope publishes, and nothing that another account publishes under that scope', async () => {
    expect(upstream.pushFrom).toEqual({ groupId: acme });
    await laptop.publish({ name: '@acme/tool', version: '1.0.0', projectId: tools });
    await asMallory('@acme/evil', '1.0.0');
    await asMallory('@acme/tool', '1.0.1');
    expect(await plan()).toEqual(['publish @acme/tool 1.0.0', 'tag.set @acme/tool latest']);
    expect(await pushTo(laptop, upstream)).toMatchObject({ total: 2, done: 2 });
    expect(await pushTo(laptop, upstream, ['*'])).toMatchObject({ failed: 0, conflicts: 0 });
    expect(await readPackument(company, '@acme/evil')).toBeUndefined();
    const there = await readPackument(company, '@acme/tool');
    expect(Object.keys(there?.versions ?? {})).toEqual(['1.0.0']);
    expect(there?.['dist-tags']).toEqual({ latest: '1.0.0' });
  });

  it('proposes what belongs at a registry by its name, of confirmed projects only', async () => {
    await laptop.publish({ name: '@acme/tool', version: '1.0.0', projectId: tools });
    await laptop.publish({ name: '@open/tool', version: '1.0.0', projectId: tools });
    for (const name of ['@acme/evil', '@open/evil', 'evil']) await asMallory(name, '1.0.0');
    const proposalOf = async (name: string, scopes: string[]) => {
      const { id } = await outboxTo([], name, scopes);
      const { selection, pushFrom, operations } = outbox().pending.describeWaiting(id);
      return { selection, pushFrom, names: [...new Set(operations.map((operation) => operation.name))] };
    };
    // The scope of a claimed group is asked for, and sent, only where the settings name it.
    const pushFrom = { projectIds: [tools] };
    expect(await proposalOf('npm', ['*'])).toEqual({ selection: ['@open/*'], pushFrom, names: ['@open/tool'] });
    expect(await proposalOf('acme', ['@acme'])).toEqual({ selection: ['@acme/*'], pushFrom, names: ['@acme/tool'] });
    expect(await proposalOf('other', ['@other'])).toEqual({ selection: [], pushFrom: null, names: [] });
  });

  it('sends none of it by itself either', async () => {
    await laptop.registry.upstream.updateUpstream(upstream.id, { autoPush: true }, rootActor);
    await asMallory('@acme/evil', '1.0.0');
    await laptop.publish({ name: '@acme/tool', version: '1.0.0', projectId: tools });
    await expect.poll(() => readPackument(company, '@acme/tool'), { timeout: 20_000 }).toBeDefined();
    await pushEnded(laptop, upstream);
    expect(await readPackument(company, '@acme/evil')).toBeUndefined();
  });

  it('unpublishes, tags and deprecates nothing for an account that published the same bytes elsewhere', async () => {
    const release = { name: '@acme/lib', version: '1.0.0' };
    const tarball = await makeTarball(release);
    await laptop.publish({ ...release, tarball, projectId: tools });
    await pushTo(laptop, upstream);
    await asMallory('@acme/lib', '1.0.0', { tarball, tag: 'evil' });
    const copy = packageOf(own.project, '@acme/lib');
    const { editor, unpublisher } = laptop.registry.packages;
    await editor.deprecate(copy, new Map([['1.0.0', 'unsafe']]), malloryActor);
    await editor.removeTag(copy, 'evil', malloryActor);
    await unpublisher.unpublishPackage(copy, malloryActor);
    expect(await plan()).toEqual([]);
    await pushTo(laptop, upstream);
    const there = await readPackument(company, '@acme/lib');
    expect(there?.['dist-tags']).toEqual({ latest: '1.0.0' });
    expect(there?.versions['1.0.0']?.deprecated).toBeUndefined();
  });

  it('unpublishes only what it sent: the same bytes may have been published there by others', async () => {
    const release = { name: '@acme/lib', version: '1.0.0' };
    const tarball = await makeTarball(release);
    await company.publish({ ...release, tarball });
    await laptop.publish({ ...release, tarball, projectId: tools });
    expect(await pushTo(laptop, upstream)).toMatchObject({ done: 2, conflicts: 0 });
    await laptop.registry.packages.unpublisher.unpublishPackage(packageOf(tools, '@acme/lib'), rootActor);
    expect(await pushTo(laptop, upstream)).toMatchObject({ failed: 0, conflicts: 0 });
    const versionsThere = async () => Object.keys((await readPackument(company, '@acme/lib'))?.versions ?? {});
    expect(await versionsThere()).toEqual(['1.0.0']);
    // Once sent from here and taken back, it is not ours when others publish it again.
    const other = { name: '@acme/lib', version: '2.0.0' };
    const bytes = await makeTarball(other);
    const comeAndGo = async () => {
      await laptop.publish({ ...other, tarball: bytes, projectId: tools });
      await pushTo(laptop, upstream);
      expect(await versionsThere()).toEqual(['1.0.0', '2.0.0']);
      await laptop.registry.packages.unpublisher.unpublishPackage(packageOf(tools, '@acme/lib'), rootActor);
      await pushTo(laptop, upstream);
    };
    await comeAndGo();
    expect(await versionsThere()).toEqual(['1.0.0']);
    await company.publish({ ...other, tarball: bytes });
    await comeAndGo();
    expect(await versionsThere()).toEqual(['1.0.0', '2.0.0']);
  });

  it('moves no tag and deprecates nothing for a project that published the same bytes as another one', async () => {
    const release = { name: 'shared', version: '1.0.0' };
    const tarball = await makeTarball(release);
    const second = (await laptop.project({ path: 'second', namespaceId: acme })).id;
    upstream = await addUpstream(laptop, `${company.origin}${company.projectPath()}`, {
      name: 'both',
      kind: 'gatehouse',
      scopes: [],
      token: rootToken,
      pushSelection: ['shared'],
      pushFrom: { projectIds: [tools, second] },
    });
    await laptop.publish({ ...release, tarball, projectId: tools });
    expect(await pushTo(laptop, upstream)).toMatchObject({ done: 2, conflicts: 0 });
    await laptop.publish({ ...release, tarball, projectId: second, tag: 'copy' });
    await laptop.publish({ name: 'shared', version: '6.6.6', projectId: second });
    await laptop.registry.packages.editor.deprecate(packageOf(second, 'shared'), new Map([['1.0.0', 'x']]), rootActor);
    expect(await pushTo(laptop, upstream)).toMatchObject({ failed: 0 });
    const there = await readPackument(company, 'shared');
    expect(there?.['dist-tags']['latest']).toBe('1.0.0');
    expect(there?.versions['1.0.0']?.deprecated).toBeUndefined();
  });

  it('holds groups and projects by number, so a path that is taken over carries nothing', async () => {
    const { groups, projects } = laptop.directory;
    await groups.update(rootActor, acme, { path: 'acme-old' });
    await expect(groups.update(malloryActor, own.group, { path: 'acme' })).rejects.toThrow(/taken/);
    // Only an administrator gives an old path away.
    await groups.update(rootActor, own.group, { path: 'acme' });
    await laptop.directory.claims.release(rootActor, ['@acme']);
    await projects.update(rootActor, own.project, { path: 'tools' });
    await asMallory('@acme/evil', '1.0.0');
    await laptop.publish({ name: '@acme/tool', version: '1.0.0', projectId: tools });
    expect(await plan()).toEqual(['publish @acme/tool 1.0.0', 'tag.set @acme/tool latest']);
    // A group that took the path of the scope is no answer to "whose packages" either.
    await expect(outboxTo(['@acme'], 'second')).rejects.toThrow(/No top group owns the scope/);
  });

  it('carries nothing of a project that is deleted, taken out of the settings or left the group while a push runs', async () => {
    const { upstreams } = laptop.registry.upstream;
    await laptop.publish({ name: '@acme/tool', version: '1.0.0', projectId: tools });
    const other = (await laptop.project({ path: 'other', namespaceId: acme })).id;
    await laptop.publish({ name: '@acme/other', version: '1.0.0', projectId: other });
    await upstreams.update(upstream.id, { token: (await company.user()).token }, rootActor);
    expect((await pushTo(laptop, upstream)).failed).toBeGreaterThan(0);
    await upstreams.update(upstream.id, { token: rootToken, pushFrom: { projectIds: [other] } }, rootActor);
    const left = outbox().status(upstream.id).operations;
    expect(new Set(left.map(({ name }) => name))).toEqual(new Set(['@acme/other']));
    const failed = left.find(({ state }) => state === 'failed')?.changeId ?? 0;
    await outbox().resolve(upstream.id, failed, 'retry');
    await pushEnded(laptop, upstream);
    expect(await readPackument(company, '@acme/other')).toBeDefined();
    expect(await readPackument(company, '@acme/tool')).toBeUndefined();
    await laptop.directory.projects.delete(rootActor, other);
    expect(await plan()).toEqual([]);
    expect(await readPackument(company, '@acme/other')).toBeDefined();
  });

  it('hands over no package that another account has as well, and never deletes theirs', async () => {
    const { upstreams, handOver } = laptop.registry.upstream;
    await upstreams.update(upstream.id, { scopes: ['@acme'], freshSeconds: 0 }, rootActor);
    await laptop.publish({ name: '@acme/tool', version: '1.0.0', projectId: tools });
    await pushTo(laptop, upstream);
    await asMallory('@acme/tool', '2.0.0');
    await expect(handOver.run(upstream.id, '@acme/tool', rootActor)).rejects.toThrow(/1 projects? that do/);
    expect(packageOf(own.project, '@acme/tool')).not.toBe(0);
    expect(packageOf(tools, '@acme/tool')).not.toBe(0);
    await asMallory('@acme/other', '1.0.0');
    await expect(handOver.run(upstream.id, '@acme/other', rootActor)).rejects.toThrow(/No project that goes/);
  });

  it('is refused without anyone whose packages it carries, with what to add', async () => {
    await expect(outboxTo(['tiny-queue'], 'a')).rejects.toThrow(/--push-from/);
    await expect(outboxTo(['@mallory-group'], 'b')).rejects.toThrow(/No top group owns the scope/);
    const silent = await outboxTo([], 'c');
    await expect(outbox().plan(silent.id, ['@acme'])).rejects.toThrow(/--push-from/);
    await expect(outbox().start(silent.id, ['@acme'])).rejects.toThrow(/--push-from/);
  });
});
