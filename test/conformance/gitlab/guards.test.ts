import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { gatehouse } from '../../support/gatehouse-process.ts';
import { useWorld, world } from './world.ts';

useWorld();

const packages = '/projects/1/packages/npm';
const guards = `${packages}/guards`;
const patterns = async () =>
  (await world.call('GET', guards)).json<{ pattern: string }[]>().map(({ pattern }) => pattern);

afterEach(async () => {
  for (const pattern of await patterns()) await world.call('DELETE', `${guards}/${encodeURIComponent(pattern)}`);
  await world.call('PUT', `${packages}/-/guard_settings`, { on_refusal: 'refuse' });
});

describe('guards over HTTP', () => {
  it('are set, listed, read and deleted by maintainers', async () => {
    const set = await world.call('PUT', `${guards}/*-lts`, { environment: 'production' }, world.maintainer.token);
    expect([set.status, set.json()]).toEqual([
      200,
      {
        id: expect.any(Number),
        pattern: '*-lts',
        environment: 'production',
        tier: 'production',
        protected: false,
        allow_self_approval: false,
        deployers_wait: false,
        created_at: expect.stringMatching(/^\d{4}-/),
        updated_at: expect.stringMatching(/^\d{4}-/),
      },
    ]);
    const body = { pattern: 'latest', environment: 'staging', allow_self_approval: true, deployers_wait: true };
    expect((await world.call('POST', guards, body)).status).toBe(201);
    expect((await world.call('PUT', `${guards}/latest`, { environment: 'production' })).json()).toMatchObject({
      environment: 'production',
      allow_self_approval: true,
      deployers_wait: true,
    });
    const list = await world.call('GET', guards, undefined, world.reporter.token);
    expect(list.headers['x-total']).toBe('2');
    expect(list.json<{ pattern: string }[]>().map(({ pattern }) => pattern)).toEqual(['*-lts', 'latest']);
    expect((await world.call('GET', `${guards}/latest`)).json()).toMatchObject({ pattern: 'latest' });
    expect((await world.call('DELETE', `${guards}/*-lts`)).status).toBe(204);
    expect((await world.call('DELETE', `${guards}/*-lts`)).status).toBe(404);
    expect(await patterns()).toEqual(['latest']);
  });

  it.each([
    [{}, 400, { error: 'pattern is missing, environment is missing' }],
    [{ pattern: 'a b', environment: 'x' }, 422, { message: [expect.stringMatching(/matches no dist-tag/)] }],
    [{ pattern: 'latest', environment: '' }, 422, { message: ["Environment can't be blank"] }],
    [{ pattern: 'latest', environment: ['x'] }, 400, { error: 'environment is invalid' }],
    [{ pattern: 'latest', environment: 'x', deployers_wait: 'x' }, 400, { error: 'deployers_wait is invalid' }],
  ])('refuse %j', async (body, status, expected) => {
    const answer = await world.call('POST', guards, body);
    expect([answer.status, answer.json()]).toEqual([status, expected]);
    expect(await patterns()).toEqual([]);
  });

  it('are changed by nobody below Maintainer, nor by tokens for packages', async () => {
    const { developer, guest, outsider, maintainer, registry } = world;
    const set = (token: string) => world.call('PUT', `${guards}/latest`, { environment: 'production' }, token);
    expect((await set(developer.token)).status).toBe(403);
    expect((await set(outsider.token)).status).toBe(404);
    const forPackages = await registry.token(maintainer.user.id, ['write_package_registry']);
    expect((await set(forPackages)).status).toBe(403);
    expect(await patterns()).toEqual([]);
    // Environments are read by reporters, and with them what names one.
    expect((await world.call('GET', guards, undefined, guest.token)).status).toBe(403);
    expect((await world.call('GET', guards, undefined, null)).status).toBe(401);
  });

  it('say what becomes of a refused change', async () => {
    expect((await world.call('GET', `${packages}/-/guard_settings`)).json()).toEqual({ on_refusal: 'refuse' });
    const changed = await world.call('PUT', `${packages}/-/guard_settings`, { on_refusal: 'stage' });
    expect(changed.json()).toEqual({ on_refusal: 'stage' });
    expect((await world.call('PUT', `${packages}/-/guard_settings`, { on_refusal: 'x' })).status).toBe(400);
  });

  it('leave the addresses of packages to package managers', async () => {
    const { registry } = world;
    for (const name of ['guards', 'access']) {
      await registry.publish({ name, version: '1.0.0' });
      const address = `${registry.projectPath()}/${name}`;
      for (const agent of ['npm/12.2.0', 'yarn/1.22.22', 'Bun/1.3', 'got (https://github.com/sindresorhus/got)']) {
        const answer = await registry.get(address, { headers: { 'user-agent': agent } });
        expect(answer.json(), agent).toMatchObject({ name });
      }
      const named = await registry.get(`${address}/latest`, { headers: { 'user-agent': 'pnpm/12.0.0' } });
      expect(named.json()).toMatchObject({ name, version: '1.0.0' });
    }
    const headers = { 'private-token': world.owner.token, 'user-agent': 'Bun/1.3' };
    expect((await registry.get(`${registry.projectPath()}/guards`, { token: undefined, headers })).json()).toEqual([]);
  });
});

describe('what a publish would become', () => {
  const preview = (query: string, token?: string) => world.call('GET', `${packages}/access?${query}`, undefined, token);

  it('is said for one user, for everybody to maintainers, and to others for themselves', async () => {
    const { developer, maintainer, reporter } = world;
    await world.call('POST', '/projects/1/protected_environments', {
      name: 'production',
      deploy_access_levels: [{ access_level: 40 }],
    });
    await world.call('PUT', `${guards}/latest`, { environment: 'production' });
    const own = await preview(`tag=latest&user_id=${developer.user.id}`, developer.token);
    expect(own.json()).toEqual({
      user: { id: developer.user.id, username: 'dan', name: 'User dan' },
      outcome: 'refused',
      reason: 'No rule of production allows @dan, who has the Developer role.',
    });
    await world.call('PUT', `${packages}/-/guard_settings`, { on_refusal: 'stage' });
    expect((await preview(`tag=latest&user_id=${developer.user.id}`)).json()).toMatchObject({ outcome: 'staged' });
    expect((await preview(`tag=next&user_id=${developer.user.id}`)).json()).toMatchObject({ outcome: 'published' });
    expect((await preview(`tag=latest&user_id=${maintainer.user.id}`)).json()).toMatchObject({ outcome: 'published' });
    await world.call('PUT', `${guards}/latest`, { environment: 'production', deployers_wait: true });
    expect((await preview(`tag=latest&user_id=${maintainer.user.id}`)).json()).toMatchObject({
      outcome: 'staged',
      reason: 'Everyone but administrators needs an approval for "latest".',
    });
    await world.call('PUT', `${guards}/latest`, { environment: 'production', deployers_wait: false });
    expect((await preview(`tag=latest&user_id=${reporter.user.id}`)).json()).toMatchObject({
      outcome: 'refused',
      reason: expect.stringMatching(/only the Reporter role/),
    });
    const all = (await preview('tag=latest', maintainer.token)).json<
      { user: { username: string }; outcome: string; reason: string }[]
    >();
    // What may be deployed is not what was asked.
    expect(all[0]?.reason).toBe('@root is an administrator and may publish with every tag.');
    expect(all.map(({ user, outcome }) => `${user.username} ${outcome}`)).toEqual([
      'root published',
      'dan staged',
      'mia published',
      'otto published',
    ]);
    expect((await preview('tag=latest', developer.token)).status).toBe(403);
    expect((await preview('tag=1.0.0')).status).toBe(400);
    expect((await preview('tag=latest&user_id=999')).status).toBe(404);
    await world.call('DELETE', '/projects/1/protected_environments/production');
  });
});

describe('guards on the command line', () => {
  const run = (...args: string[]) => gatehouse(args, { dataDir: world.registry.dataDir });

  it('are set, listed, asked and deleted', async () => {
    const set = await run('guard', 'set', '1', 'latest', '--environment', 'production');
    expect(set).toMatchObject({ code: 0 });
    expect(set.stderr).toContain('production is not protected yet: until it is, the Developer role is enough.');
    expect(await run('guard', 'set', '1', '--on-refusal', 'stage')).toMatchObject({ code: 0 });
    expect((await run('guard', 'set', '1', 'latest')).stderr).toMatch(/Give a pattern with --environment/);
    const list = await run('guard', 'list', '1');
    expect(list.stdout).toMatch(/^latest +production +not protected/);
    expect(list.stderr).toMatch(/not allowed: stage/);
    const dan = await run('access', '1', '--tag', 'latest', '--user', 'dan');
    expect(dan).toMatchObject({ code: 0, stdout: expect.stringMatching(/^dan +published/) });
    expect((await run('access', '1', '--tag', 'latest', '--user', 'rita')).code).toBe(1);
    expect((await run('access', '1')).stderr).toMatch(/environment, or a dist-tag/);
    expect((await run('guard', 'delete', '1', 'latest')).code).toBe(0);
    expect(await patterns()).toEqual([]);
  });

  it('are said to decide nothing only while the environment is not protected', async () => {
    const protection = { name: 'qa', deploy_access_levels: [{ access_level: 40 }] };
    await world.call('POST', '/projects/1/protected_environments', protection);
    const set = await run('guard', 'set', '1', 'qa', '--environment', 'qa');
    expect(set).toMatchObject({ code: 0, stderr: 'qa decides who may move qa.\n' });
    await world.call('DELETE', `${guards}/qa`);
    await world.call('DELETE', '/projects/1/protected_environments/qa');
  });

  it('stand in the file of rules, and stay where the file has no list of them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-guards-'));
    const file = join(folder, 'rules.yaml');
    try {
      const text = `version: 1
protected_environments: []
guards:
  - tag: latest
    environment: production
  - tag: "*-lts"
    environment: production
    allow_self_approval: true
    deployers_wait: true
on_refusal: stage
`;
      await writeFile(file, text);
      await world.call('PUT', `${guards}/old`, { environment: 'production' });
      await world.call('PUT', `${guards}/latest`, { environment: 'staging' });
      const planned = await run('rules', 'apply', '1', file, '--dry-run');
      expect(planned.stdout).toBe(`+ guard *-lts
    + production with self-approval, deployers wait
~ guard latest
    - staging
    + production
- guard old
    - production
~ on refusal
    - refuse
    + stage
`);
      expect(await patterns()).toEqual(['latest', 'old']);
      expect((await run('rules', 'apply', '1', file)).stderr).toMatch(/4 guards changed/);
      expect(await patterns()).toEqual(['*-lts', 'latest']);
      await run('rules', 'export', '1', file);
      const exported = await readFile(file, 'utf8');
      expect(exported).toContain('tag: latest');
      expect(exported).toContain('deployers_wait: true');
      expect(exported).toContain('on_refusal: stage');
      expect((await run('rules', 'apply', '1', file)).stderr).toMatch(/Nothing to change/);
      await writeFile(file, 'version: 1\nprotected_environments: []\n');
      await run('rules', 'apply', '1', file);
      expect(await patterns()).toEqual(['*-lts', 'latest']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('a guarded tag', () => {
  it('leads to no bytes that another project of the group published first, whoever moves it', async () => {
    const { registry, developer } = world;
    await world.call('PUT', `${guards}/latest`, { environment: 'production' });
    await registry.publish({ name: 'shared', version: '1.0.0' });
    await registry.publish({ name: 'shared', version: '1.5.0', tag: 'next' });
    const { id } = await registry.project({ path: 'beside' });
    await registry.member(id, developer.user.id, 30);
    const early = { name: 'shared', version: '2.0.0', tag: 'beta', manifest: { description: 'not released' } };
    await registry.publish({ ...early, projectId: id, token: developer.token });

    const released = registry.publish({ name: 'shared', version: '2.0.0' });
    await expect(released).rejects.toThrow(/409.*published shared@2\.0\.0 first/);
    await registry.publish({ name: 'shared', version: '2.0.0', tag: 'next' });
    const tag = (version: string) =>
      registry.send('PUT', `${registry.projectPath()}/-/package/shared/dist-tags/latest`, {
        body: JSON.stringify(version),
      });
    expect((await tag('2.0.0')).status).toBe(409);
    const shown = await registry.get(`${registry.groupPath(1)}/-/package/shared/dist-tags`);
    expect(shown.json()).toMatchObject({ latest: '1.0.0' });
    expect((await tag('1.5.0')).status).toBe(204);
  });
});
