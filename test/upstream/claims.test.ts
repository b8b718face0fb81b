import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Visibility } from '../../server/contract/levels.ts';
import { encodeName, type TestRegistry } from '../support/registry.ts';
import { FakeUpstream } from './support/fake-upstream.ts';
import { addUpstream, rootActor, startWithClock } from './support/upstream-registry.ts';
import type { Packument } from './support/upstream-registry.ts';

let upstream: FakeUpstream;
let registry: TestRegistry;

beforeEach(async () => {
  upstream = await FakeUpstream.start();
  ({ registry } = await startWithClock());
  await addUpstream(registry, upstream.url);
});
afterEach(async () => {
  await registry.stop();
  await upstream.goAway();
});

/** A group of an ordinary user, with one project. */
async function tenant(path: string, visibility: Visibility) {
  const { user, token } = await registry.user({ username: `${path}-owner` });
  const actor = { userId: user.id, username: user.username, origin: 'http', address: null } as const;
  const group = await registry.directory.groups.create(actor, {
    name: path,
    path,
    parentId: null,
    description: '',
    visibility,
  });
  const project = await registry.project({ path: 'lib', namespaceId: group.id, visibility });
  return { user, token, projectId: project.id };
}

async function versionsFor(token: string, name: string, prefix = registry.instancePath): Promise<string[] | number> {
  const answer = await registry.get(`${prefix}/${encodeName(name)}`, { token });
  return answer.status === 200 ? Object.keys(answer.json<Packument>().versions) : answer.status;
}

describe('what an ordinary user makes takes nothing from an upstream for others', () => {
  it('a group called like a scope', async () => {
    await upstream.publish('@babel/core', '7.0.0');
    const { token } = await registry.user();
    const mallory = await tenant('babel', 'public');
    expect(await versionsFor(token, '@babel/core')).toEqual(['7.0.0']);
    await registry.publish({ ...mallory, name: '@babel/evil', version: '1.0.0' });
    expect(await versionsFor(token, '@babel/core')).toEqual(['7.0.0']);
    expect((await registry.get(`${registry.instancePath}/@babel/core/-/core-7.0.0.tgz`, { token })).status).toBe(200);
  });

  it('a package of a scope that an upstream is set up for, which lists of the instance leave out, too', async () => {
    await addUpstream(registry, upstream.url, { name: 'company', scopes: ['@Corp'] });
    const mallory = await tenant('mallory', 'public');
    await registry.publish({ ...mallory, name: '@corp/evil', version: '1.0.0' });
    await registry.publish({ ...mallory, name: '@other/fine', version: '1.0.0' });
    const { token } = await registry.user();
    const found = async (prefix: string) => {
      const search = await registry.get(`${prefix}/-/v1/search?text=`, { token });
      const all = (await registry.get(`${prefix}/-/all`, { token })).json<Record<string, unknown>>();
      const hits = search.json<{ objects: { package: { name: string } }[] }>().objects;
      return [hits.map((hit) => hit.package.name), Object.keys(all).filter((name) => name.startsWith('@'))];
    };
    expect(await found(registry.instancePath)).toEqual([['@other/fine'], ['@other/fine']]);
    expect((await found(registry.groupPath('mallory')))[1]).toEqual(['@corp/evil', '@other/fine']);
  });

  it('a private package, which stands in front for its members only', async () => {
    await upstream.publish('react', '19.0.0');
    const { token } = await registry.user();
    const mallory = await tenant('mallory', 'private');
    await registry.publish({ ...mallory, name: 'react', version: '99.0.0' });
    for (const prefix of [registry.instancePath, registry.groupPath('mallory')]) {
      expect(await versionsFor(mallory.token, 'react', prefix)).toEqual(['99.0.0']);
    }
    expect(await versionsFor(token, 'react')).toEqual(['19.0.0']);
    // A member is never sent elsewhere for the name, at whatever prefix.
    const other = await registry.project({ visibility: 'public' });
    expect(await versionsFor(mallory.token, 'react', registry.projectPath(other.id))).toBe(404);
    await registry.directory.members.add(
      rootActor,
      { kind: 'project', id: mallory.projectId },
      { userId: 1, level: 10, expiresOn: null },
    );
    await registry.send('DELETE', `${registry.projectPath(mallory.projectId)}/react`);
    expect(await versionsFor(mallory.token, 'react')).toEqual(['19.0.0']);
  });

  it('a public package of another namespace than the owner of its scope', async () => {
    await upstream.publish('@babel/core', '7.0.0');
    const { token } = await registry.user();
    await tenant('babel', 'private');
    const mallory = await tenant('mallory', 'public');
    await registry.publish({ ...mallory, name: '@babel/core', version: '99.0.0' });
    expect(await versionsFor(token, '@babel/core')).toEqual(['7.0.0']);
  });

  it('a private package, for administrators, who see the packages of everybody', async () => {
    await upstream.publish('react', '19.0.0');
    const mallory = await tenant('mallory', 'private');
    const ann = await tenant('ann', 'public');
    const admin = await registry.user({ isAdmin: true });
    for (const name of ['react', 'common', '@mallory/tool']) {
      await registry.publish({ ...mallory, name, version: '99.0.0' });
    }
    await registry.publish({ ...ann, name: 'common', version: '1.0.0' });
    expect(await versionsFor(admin.token, 'react')).toEqual(['19.0.0']);
    expect(await versionsFor(admin.token, 'common')).toEqual(['1.0.0']);
    expect(await versionsFor(admin.token, '@mallory/tool')).toBe(404);
    for (const { id } of registry.registry.upstream.upstreams.all) {
      await registry.registry.upstream.updateUpstream(id, { enabled: false }, rootActor);
    }
    expect(await versionsFor(admin.token, 'common')).toEqual(['1.0.0']);
    expect(await versionsFor(admin.token, '@mallory/tool')).toEqual(['99.0.0']);
  });

  it('a package that an operator prefetches or exports with what depends on it', async () => {
    await upstream.publish('react', '19.0.0');
    const mallory = await tenant('mallory', 'private');
    await registry.publish({ ...mallory, name: 'react', version: '99.0.0' });
    await registry.publish({ name: 'app', version: '1.0.0', manifest: { dependencies: { react: '*' } } });
    const { prefetcher, exporter } = registry.registry.upstream;
    const { id } = prefetcher.fromPackages(['react']);
    await expect.poll(() => prefetcher.job(id)).toMatchObject({ state: 'done', fetched: 1, failures: [] });
    await registry.directory.claims.claim(rootActor, ['app']);
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
    const report = await exporter.export({ file: join(folder, 'app.bundle') }, ['app'], true);
    expect(report.entries.map(({ name, version, origin }) => [name, version, origin])).toEqual([
      ['app', '1.0.0', 'local'],
      ['react', '19.0.0', 'cache'],
    ]);
    await rm(folder, { recursive: true });
  });

  it('a public package at the prefix of a project that does not have it', async () => {
    await upstream.publish('react', '19.0.0');
    const { token } = await registry.user();
    const mallory = await tenant('mallory', 'public');
    await registry.publish({ ...mallory, name: 'react', version: '99.0.0' });
    const other = await registry.project({ visibility: 'public' });
    expect(await versionsFor(token, 'react', registry.projectPath(other.id))).toEqual(['19.0.0']);
  });
});

describe('a scope that the settings of an upstream name', () => {
  it('is the upstream’s at the instance, whoever publishes it here and makes others members', async () => {
    const company = await FakeUpstream.start();
    await company.publish('@corp/lib', '1.0.0');
    const mallory = await tenant('mallory', 'public');
    await registry.publish({ ...mallory, name: '@corp/lib', version: '99.0.0' });
    await registry.publish({ ...mallory, name: '@corp/new', version: '99.0.0' });
    const { token } = await registry.user();
    const tarball = `${registry.instancePath}/@corp/lib/-/lib-99.0.0.tgz`;
    for (let time = 1; time <= 2; time += 1) {
      expect(await versionsFor(token, '@corp/lib')).toEqual(['99.0.0']);
      expect((await registry.get(tarball, { token })).status).toBe(200);
    }
    // Answers that are kept ready end with the setting.
    await addUpstream(registry, company.url, { name: 'company', scopes: ['@Corp'] });
    expect(await versionsFor(token, '@corp/lib')).toEqual(['1.0.0']);
    expect((await registry.get(tarball, { token })).status).toBe(404);
    expect(await versionsFor(token, '@corp/new')).toBe(404);
    expect(await versionsFor(mallory.token, '@corp/lib')).toEqual(['1.0.0']);
    expect(await versionsFor(token, '@corp/lib', registry.projectPath(mallory.projectId))).toEqual(['99.0.0']);
    const bob = await registry.user();
    await registry.send('POST', `/api/v4/projects/${mallory.projectId}/members`, {
      token: mallory.token,
      body: { user_id: bob.user.id, access_level: 50 },
    });
    const other = await registry.project({ visibility: 'public' });
    expect(await versionsFor(bob.token, '@corp/lib')).toEqual(['1.0.0']);
    expect(await versionsFor(bob.token, '@corp/lib', registry.projectPath(other.id))).toEqual(['1.0.0']);
    await company.goAway();
  });

  it('is that of projects below a group of an administrator for their members', async () => {
    const company = await FakeUpstream.start();
    await company.publish('@corp/lib', '1.0.0');
    await addUpstream(registry, company.url, { name: 'company', scopes: ['@corp'] });
    await registry.publish({ name: '@corp/lib', version: '2.0.0' });
    const [member, other] = [await registry.user(), await registry.user()];
    await registry.member(1, member.user.id, 20);
    expect(await versionsFor(member.token, '@corp/lib')).toEqual(['2.0.0']);
    expect(await versionsFor(other.token, '@corp/lib')).toEqual(['1.0.0']);
    await company.goAway();
  });
});

describe('a claim', () => {
  it('keeps a name local for everybody, also after it was unpublished, until it is released', async () => {
    await upstream.publish('internal-tool', '6.6.6');
    await upstream.publish('@acme/lib', '6.6.6');
    const { token } = await registry.user();
    await registry.publish({ name: 'internal-tool', version: '1.0.0' });
    await registry.directory.claims.claim(rootActor, ['internal-tool', '@ACME']);
    for (const name of ['internal-tool', '@acme/lib', '@Acme/lib']) expect(await versionsFor(token, name)).toBe(404);
    await registry.send('DELETE', `${registry.projectPath()}/internal-tool`);
    expect(await versionsFor(token, 'internal-tool')).toBe(404);
    await registry.restart();
    expect(await versionsFor(token, 'internal-tool')).toBe(404);
    expect(upstream.requests).toEqual([]);
    await registry.directory.claims.release(rootActor, ['Internal-Tool', '@acme']);
    expect(await versionsFor(token, 'internal-tool')).toEqual(['6.6.6']);
    expect(await versionsFor(token, '@acme/lib')).toEqual(['6.6.6']);
  });

  it('is made with the top group of an administrator, and stays when that is deleted', async () => {
    await upstream.publish('@acme/lib', '6.6.6');
    const body = { name: 'acme', path: 'Acme' };
    const group = (await registry.send('POST', '/api/v4/groups', { body })).json<{ id: number }>();
    const { token } = await registry.user();
    expect(await versionsFor(token, '@acme/lib')).toBe(404);
    await registry.send('DELETE', `/api/v4/groups/${group.id}`);
    expect(await versionsFor(token, '@acme/lib')).toBe(404);
    const taken = await registry.send('POST', '/api/v4/groups', { token, body });
    expect(taken.status).toBe(400);
    expect(upstream.requests).toEqual([]);
  });
});
