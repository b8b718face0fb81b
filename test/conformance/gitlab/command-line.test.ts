import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClient } from '../../../server/open-client.ts';
import { gatehouse } from '../../support/gatehouse-process.ts';
import { protections, useWorld, world } from './world.ts';

useWorld();

describe('beside a running server', () => {
  let folder: string;
  const run = (...args: string[]) => gatehouse(args, { dataDir: world.registry.dataDir });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-rules-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('makes tokens that the server accepts at once, and refuses at once when they are revoked', async () => {
    const made = await run('token', 'create', '--user', 'dan', '--name', 'ci', '--scope', 'read_api');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const secret = made.stdout.trim();
    const self = await world.call('GET', '/personal_access_tokens/self', undefined, secret);
    expect(self.json()).toMatchObject({ name: 'ci', scopes: ['read_api'], user_id: world.developer.user.id });
    expect((await run('token', 'list', '--user', 'dan')).stdout).toMatch(/ci +read_api +active +never/);
    expect((await run('token', 'revoke', String(self.json()['id']))).code).toBe(0);
    expect((await world.call('GET', '/personal_access_tokens/self', undefined, secret)).status).toBe(401);
    expect((await world.registry.get(world.registry.projectPath(), { token: secret })).status).toBe(401);
  });

  it('refuses a revoked token in the very next request, also for an answer that was kept ready', async () => {
    await world.registry.publish({ name: 'kept', version: '1.0.0' });
    const client = await openClient(world.registry.dataDir);
    const userId = world.developer.user.id;
    const input = { userId, name: 'ci', description: '', scopes: ['api' as const], expiresOn: null };
    const { token: made, secret } = await client.call('directory.createToken', input);
    const path = `${world.registry.projectPath()}/kept`;
    for (let round = 0; round < 3; round += 1) {
      expect((await world.registry.get(path, { token: secret })).status).toBe(200);
    }
    await client.call('directory.revokeToken', { tokenId: made.id });
    expect((await world.registry.get(path, { token: secret })).status).toBe(401);
    expect((await world.call('GET', '/user', undefined, secret)).status).toBe(401);
    await client.close();
  });

  it('applies a file of rules after showing the plan, and writes the same file back', async () => {
    const file = join(folder, 'rules.yaml');
    await world.call('POST', protections, {
      name: 'obsolete',
      deploy_access_levels: [{ access_level: 30 }],
    });
    await world.call('POST', protections, {
      name: 'production',
      deploy_access_levels: [{ access_level: 40 }],
    });
    await writeFile(
      file,
      'version: 1\nprotected_environments:\n  - name: production\n    deploy:\n      - user: dan\n      - role: administrator\n  - name: review/app\n    deploy:\n      - role: developer\n',
    );
    const rehearsal = await run('rules', 'apply', 'local/packages', file, '--dry-run');
    expect(rehearsal).toMatchObject({ code: 0, stderr: '3 environments would change.\n' });
    expect(rehearsal.stdout).toBe(
      '- unprotect obsolete\n    - role developer\n~ change production\n    - role maintainer\n    + user dan\n    + role administrator\n+ protect review/app\n    + role developer\n',
    );
    expect((await world.call('GET', `${protections}/obsolete`)).status).toBe(200);

    expect(await run('rules', 'apply', '1', file)).toMatchObject({ code: 0, stdout: rehearsal.stdout });
    expect((await world.call('GET', protections)).json()).toMatchObject([
      { name: 'production', deploy_access_levels: [{ user_id: world.developer.user.id }, { access_level: 60 }] },
      { name: 'review/app', deploy_access_levels: [{ access_level: 30 }] },
    ]);
    expect(await run('rules', 'apply', '1', file)).toMatchObject({ stderr: 'Nothing to change.\n' });
    const exported = join(folder, 'exported.yaml');
    await run('rules', 'export', 'local/packages', exported);
    expect(await run('rules', 'apply', '1', exported)).toMatchObject({ stderr: 'Nothing to change.\n' });
  });

  it('names a file that cannot be read, and why', async () => {
    const { code, stderr } = await run('rules', 'apply', 'local/packages', join(folder, 'nowhere.yaml'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/nowhere\.yaml cannot be read: ENOENT/);
  });

  it('refuses a file that names people who do not qualify, and changes nothing', async () => {
    const file = join(folder, 'wrong.yaml');
    const before = (await world.call('GET', protections)).text;
    const attempt = async (rules: string) => {
      await writeFile(file, rules);
      const outcome = await run('rules', 'apply', '1', file);
      expect(outcome.code).toBe(1);
      return outcome.stderr;
    };
    const naming = (rule: string) =>
      `version: 1\nprotected_environments:\n  - name: production\n    deploy:\n      - ${rule}\n`;
    expect(await attempt(naming('user: rita'))).toContain('does not have Developer access to the project');
    expect(await attempt(naming('group: nowhere'))).toContain("Group 'nowhere' does not exist");
    expect(await attempt(naming('rule: x'))).toContain('protected_environments.0.deploy.0: must be exactly one of');
    expect(await attempt('a: [')).toContain('not valid YAML');
    expect((await world.call('GET', protections)).text).toBe(before);
  });

  it('says who may deploy and why, and shows the audit trail', async () => {
    await world.call('PUT', `${protections}/production`, {
      deploy_access_levels: [{ access_level: 40 }],
    });
    expect(await run('access', '1', 'production', '--user', 'mia')).toMatchObject({
      code: 0,
      stdout: 'yes: The rule for Maintainers lets @mia deploy to production.\n',
    });
    expect(await run('access', '1', 'production', '--user', 'rita')).toMatchObject({
      code: 1,
      stdout:
        'no: No rule of production allows @rita. First give @rita the Developer role (now Reporter), then add a rule.\n',
    });
    const everyone = await run('access', 'local/packages', 'production');
    expect(everyone.stdout.split('\n').map((line) => line.split(' ')[0])).toEqual(['root', 'dan', 'mia', 'otto', '']);
    const audit = await run('audit', '--project', '1', '--search', 'rules_changed');
    expect(audit.stdout).toMatch(
      /root +http 127\.0\.0\.1 +environment\.rules_changed +protected_environment production/,
    );
    const json = JSON.parse((await run('audit', '--json', '--limit', '2')).stdout) as unknown[];
    expect(json).toHaveLength(2);
  });

  it('exits with the code for wrong usage', async () => {
    expect((await run('token', 'create', '--name', 'x', '--scope', 'everything')).code).toBe(2);
    expect((await run('token', 'create')).code).toBe(2);
    expect((await run('access', 'nowhere', 'production')).stderr).toContain('There are: local/packages');
  });
});
