import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../server/contract/errors.ts';
import { oldestNode } from '../../server/contract/node-version.ts';
import { nodePath } from '../support/released-node.ts';
import { runCommand } from '../support/run-command.ts';
import { makePublishDocument } from '../support/publish-document.ts';

/** The server as `npm run build` bundles it. Every other suite runs the sources. */
const program = path.resolve(import.meta.dirname, '../../out/server/gatehouse.js');
const token = 'built-server-root-token';

let folder: string;
let server: { child: ChildProcess; origin: string } | undefined;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-built-'));
});
afterEach(stop);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(dataDir: string): Promise<string> {
  const child = spawn(
    process.execPath,
    [program, 'serve', '--json', '--data-dir', path.join(folder, dataDir), '--port', '0'],
    { env: { ...process.env, GATEHOUSE_ROOT_TOKEN: token }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(text.toString()) as { port: number };
  server = { child, origin: `http://127.0.0.1:${port}` };
  return server.origin;
}

/** Ends the server, if there is one, and says with which code it went. */
async function stop(): Promise<number | null> {
  if (!server) return null;
  const { child } = server;
  server = undefined;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  return ((await gone) as [number | null])[0];
}

describe('the built server', () => {
  it('answers each of its interfaces, and runs each command beside itself and alone', async () => {
    const origin = await start('full');
    const headers = { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' };
    const registry = `${origin}/api/v4/projects/1/packages/npm`;
    const statusOf = async (url: string, method = 'GET', body?: unknown): Promise<number> =>
      (await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).status;
    const document = await makePublishDocument({ name: '@local/hat', version: '1.0.0' });
    expect(await statusOf(`${registry}/@local%2fhat`, 'PUT', document)).toBe(200);
    expect(await statusOf(`${registry}/@local%2fhat`)).toBe(200);
    expect(await statusOf(`${registry}/-/whoami`)).toBe(200);
    expect(await statusOf(`${registry}/-/v1/search?text=hat`)).toBe(200);
    expect(await statusOf(`${registry}/-/npm/v1/security/advisories/bulk`, 'POST', { '@local/hat': ['1.0.0'] })).toBe(
      200,
    );
    expect(await statusOf(`${origin}/api/v4/projects/1/packages`)).toBe(200);
    expect(await statusOf(`${origin}/api/v4/projects/1/environments`, 'POST', { name: 'production' })).toBe(201);
    expect(await statusOf(`${origin}/nothing/here`)).toBe(404);
    expect(await failures('beside')).toEqual([]);
    expect(await stop()).toBe(0);
    expect(await failures('alone')).toEqual([]);
  });

  it('says which Node it needs under one that lacks what it imports', async () => {
    const old = '20.20.2';
    const { code, output } = await runCommand(await nodePath(old), [program, 'serve'], { timeLimit: 60_000 });
    expect(output).toBe(`gatehouse: Node ${oldestNode} or newer is needed, this is ${old}.\n`);
    expect(code).toBe(exitCodes.failed);
  });
});

/** Runs each command on the server's folder; answers those that fail, with their output. */
async function failures(when: string): Promise<string[]> {
  const file = (name: string): string => path.join(folder, `${when}-${name}`);
  await writeFile(file('pnpm-lock.yaml'), "lockfileVersion: '9.0'\npackages: {}\n");
  await writeFile(file('advisories.json'), '[]');
  const commands = [
    ['doctor'],
    ['backup', file('backup.tar')],
    ['restore', file('backup.tar'), '--data-dir', file('restored')],
    ['snapshot', 'create', when],
    ['snapshot', 'restore', when],
    ['token', 'create', '--user', 'root', '--name', when, '--scope', 'api'],
    ['export', '@local/hat', file('hat.bundle')],
    ['import', file('hat.bundle')],
    ['upstream', 'list'],
    ['offline'],
    ['rules', 'export', 'local/packages'],
    ['access', 'local/packages', 'production'],
    ['advisories', 'import', file('advisories.json')],
    ['audit'],
  ];
  const failed: string[] = [];
  for (const command of commands) {
    const args = command.includes('--data-dir') ? command : [...command, '--data-dir', path.join(folder, 'full')];
    const { code, output } = await runCommand(process.execPath, [program, ...args], { timeLimit: 60_000 });
    if (code !== 0) failed.push(`${command.join(' ')}: ${output}`);
  }
  return failed;
}
