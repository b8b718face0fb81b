import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { rootToken, TestRegistry } from '../support/registry.ts';
import { gatehouse, GatehouseProcess } from '../support/gatehouse-process.ts';
import { FakeUpstream } from './support/fake-upstream.ts';

const path = '/api/v4/projects/1/packages/npm';
let folder: string;
let dataDir: string;
let server: GatehouseProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'));
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

const run = (args: string[], options: { env?: Record<string, string>; input?: string } = {}) =>
  gatehouse(args, { dataDir, ...options });

async function publish(origin: string, name: string, version: string): Promise<void> {
  const body = await makePublishDocument({ name, version });
  const answer = await send(origin, 'PUT', `${path}/${name.replace('/', '%2f')}`, { token: rootToken, body });
  expect(answer.status).toBe(200);
}

const get = (origin: string, rest: string) => send(origin, 'GET', `${path}/${rest}`, { token: rootToken });

describe('gatehouse, with a server that has the folder open', () => {
  it('sets up an upstream, prefetches a lockfile and goes offline', async () => {
    const upstream = await FakeUpstream.start();
    await upstream.publish('left-pad', '1.0.0');
    server = await GatehouseProcess.start({ dataDir });
    const add = ['upstream', 'add', 'npmjs', upstream.url, '--scope', '*', '--token-file', '-'];
    const added = await run(add, { input: 'a-token-that-nobody-sees\n' });
    expect(added).toMatchObject({ code: 0 });
    expect(upstream.requests[0]?.headers.authorization).toBe('Bearer a-token-that-nobody-sees');
    const lockfile = join(folder, 'package-lock.json');
    const packages = { 'node_modules/left-pad': { version: '1.0.0' } };
    await writeFile(lockfile, JSON.stringify({ lockfileVersion: 3, packages }));
    const fetched = await run(['prefetch', lockfile]);
    expect(fetched.stdout).toContain('package-lock.json: 1 of 1 are here, 1 of them fetched now');
    expect((await run(['offline', 'on'])).stdout).toContain('no request leaves');
    const asked = upstream.requests.length;
    expect((await get(server.origin, 'left-pad')).status).toBe(200);
    expect((await get(server.origin, 'left-pad/-/left-pad-1.0.0.tgz')).status).toBe(200);
    const missing = await get(server.origin, 'right-pad');
    expect(missing.text).toContain('offline, not cached: right-pad');
    expect(upstream.requests.length).toBe(asked);
    expect((await run(['offline'])).stdout).toContain('Offline');
    const list = await run(['upstream', 'list', '--json']);
    expect(list.stdout).not.toContain('a-token-that-nobody-sees');
    expect((await run(['upstream', 'test', 'nowhere'])).stderr).toContain('there are npmjs');
    expect((await stat(join(dataDir, 'upstream.key'))).mode & 0o777).toBe(0o600);
    await upstream.goAway();
  });

  it('pushes: dry run first, then for real, and goes on after a crash without sending anything twice', async () => {
    const company = await TestRegistry.start();
    server = await GatehouseProcess.start({ dataDir });
    for (let minor = 0; minor < 12; minor += 1) await publish(server.origin, '@acme/tool', `1.${minor}.0`);
    const add = ['upstream', 'add', 'company', company.origin, '--kind', 'gatehouse', '--token-env', 'TOKEN'];
    const wrong = await run([...add, '--push-url', 'acme/typo'], { env: { TOKEN: rootToken } });
    expect(wrong.stdout).toContain('company has no project acme/typo');
    expect((await run(['upstream', 'set', 'company', '--push-url', 'local/packages'])).code).toBe(0);
    const vague = await run(['push', '--dry-run', 'company', '@acme']);
    expect(vague.code).toBe(1);
    expect(vague.stderr).toContain('--push-from local/packages');
    const named = await run(['upstream', 'set', 'company', '--push-from', 'local/packages']);
    expect(named.stdout).toContain('goes to company from local/packages');
    const plan = await run(['push', '--dry-run', 'company', '@acme']);
    const changes = plan.stdout.trim().split('\n');
    expect(changes).toHaveLength(13);
    expect(changes[0]).toMatch(/Not there yet +Publish 1\.0\.0 of @acme\/tool/);
    expect((await company.get(`${path}/@acme%2ftool`)).status).toBe(404);
    expect((await run(['push', '--status', 'company'])).stdout).toBe('Nothing waits to be sent to company.\n');
    expect((await run(['upstream', 'set', 'company', '--push', '@acme'])).code).toBe(0);
    expect((await run(['push', '--status', 'company'])).stdout).toBe('13 changes to send.\n');
    expect((await run(['offline'])).stdout).toContain('13 changes to send.');
    await run(['offline', 'on']);
    const refused = await run(['push', 'company', '@acme']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Gatehouse is offline');
    await run(['offline', 'auto']);
    const pushing = run(['push', 'company', '@acme']);
    await expect.poll(async () => (await company.get(`${path}/@acme%2ftool`)).status, { timeout: 20_000 }).toBe(200);
    await server.kill();
    await pushing;
    server = await GatehouseProcess.start({ dataDir });
    const done = async (): Promise<string> => (await run(['push', '--status', 'company'])).stdout;
    await expect.poll(done, { timeout: 30_000 }).toContain('13 of 13 changes sent to company');
    expect(company.registry.audit.count({ search: 'package.published' })).toBe(12);
    await company.stop();
  });
});

describe('gatehouse, without a server', () => {
  it('carries a bundle from one folder to another', async () => {
    server = await GatehouseProcess.start({ dataDir });
    await publish(server.origin, '@acme/tool', '1.0.0');
    await server.stop();
    const file = join(folder, 'tool.bundle');
    const exported = await run(['export', '@acme/tool@^1', file, '--with-dependencies']);
    expect(exported).toMatchObject({ code: 0 });
    const other = join(folder, 'other');
    // A dry run makes no registry.
    const dry = await gatehouse(['import', file, '--dry-run'], { dataDir: other });
    expect(dry.code).toBe(1);
    expect(dry.stderr).toContain('There is no registry');
    expect((await gatehouse(['import', file], { dataDir: other })).code).toBe(0);
    expect((await gatehouse(['import', file], { dataDir: other })).stdout).toMatch(/same\s+@acme\/tool@1\.0\.0/);
    await writeFile(file, (await readFile(file)).subarray(0, 2_000));
    const broken = await gatehouse(['import', file], { dataDir: other });
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain('bundle');
    server = await GatehouseProcess.start({ dataDir: other });
    // The first command made the folder, and with it a token of its own.
    const token = (await readFile(join(other, 'initial_root_token'), 'utf8')).trim();
    const answer = await send(server.origin, 'GET', `${path}/@acme%2ftool`, { token });
    expect(answer.json()['dist-tags']).toEqual({ latest: '1.0.0' });
  });
});
