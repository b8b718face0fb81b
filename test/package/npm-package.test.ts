import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { list } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packNpm } from '../../scripts/pack-npm.ts';
import { clientFile, installedManifest } from '../clients/support/client.ts';
import type { Client, ClientName } from '../clients/support/client.ts';
import { Gatehouse } from '../clients/support/gatehouse.ts';
import { makeClient } from '../clients/support/make-client.ts';
import { succeeded } from '../clients/support/run-command.ts';
import { samplePackage } from '../clients/support/sample-package.ts';
import { oldestNodePath } from '../support/oldest-node.ts';
import { runOrThrow } from '../support/run-command.ts';

// The package for npm, published to a Gatehouse and installed from it: no other registry is asked.

let tarball: string;
let gatehouse: Gatehouse;
let publisher: Client;
const running = new Set<RunningServer>();

interface RunningServer {
  readonly registry: string;
  readonly token: string;
  readonly dataDir: string;
  /** Ends it as Ctrl+C does, and answers its exit code. */
  stop(): Promise<number | null>;
}

beforeAll(async () => {
  tarball = await packNpm();
  gatehouse = await Gatehouse.start();
  publisher = await makeClient('npm12', gatehouse);
  succeeded(await publisher.run(gatehouse.workFolder, 'publish', tarball));
});
afterAll(async () => {
  for (const server of running) await server.stop();
  await gatehouse?.stop();
});

function environmentOf(client: Client, node: string): Record<string, string> {
  return { PATH: `${path.dirname(node)}:/usr/bin:/bin`, HOME: client.home, TMPDIR: tmpdir() };
}

/** Starts `gatehouse serve` by a command of a package manager, in the folder that has it installed. */
async function serve(client: Client, folder: string, command: readonly string[], node: string): Promise<RunningServer> {
  const dataDir = await mkdtemp(path.join(client.home, 'data-'));
  const [file, ...args] = [...command, 'serve', '--json', '--port', '0', '--data-dir', dataDir];
  const child = spawn(file, args, {
    cwd: folder,
    env: environmentOf(client, node),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(([code]) => Promise.reject(new Error(`It ended with ${code}: ${errors}`))),
  ]);
  const { pid, registry, rootTokenFile } = JSON.parse(String(line[0])) as {
    pid: number;
    registry: string;
    rootTokenFile: string;
  };
  const server: RunningServer = {
    registry,
    token: (await readFile(rootTokenFile, 'utf8')).trim(),
    dataDir,
    async stop() {
      running.delete(server);
      if (child.exitCode === null) process.kill(pid, 'SIGINT');
      return (await exited)[0];
    },
  };
  running.add(server);
  return server;
}

test('the package is the server and what describes it, without a map, a source or an install script', async () => {
  const names: string[] = [];
  await list({ file: tarball, onReadEntry: (entry) => void names.push(entry.path.replace('package/', '')) });
  const server = /^server\/(?:[\w-]+\.js|migrations\/\d{4}-[a-z-]+\.sql|better-sqlite3\/.+)$/;
  const other = names.filter((name) => !server.test(name));
  expect(other.toSorted()).toEqual(['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.md', 'package.json']);
  expect(names.filter((name) => name.endsWith('.node'))).toHaveLength(8);
  expect(names.filter((name) => /\.(?:gyp|c|cpp|map)$/.test(name))).toEqual([]);
  const manifest = JSON.parse(await readFile(path.join(path.dirname(tarball), 'npm/package.json'), 'utf8')) as object;
  for (const field of ['scripts', 'dependencies']) expect(manifest).not.toHaveProperty(field);
});

/** How each client runs what a project has installed. */
const runners: Partial<Record<ClientName, string[]>> = {
  npm10: ['npm10', 'bin/npx-cli.js'],
  npm12: ['npm12', 'bin/npx-cli.js'],
};

describe.each(['npm10', 'npm12', 'pnpm12', 'yarn1', 'yarn4', 'bun'] as const)('%s', (name) => {
  test('installs it from Gatehouse into an empty folder, and publishes to it and installs from it', async () => {
    const client = await makeClient(name, gatehouse);
    const project = await client.newProject();
    succeeded(await client.add(project, 'gatehouse@*'));
    const [tool, script = ''] = runners[name] ?? [];
    const bin = path.join(project, 'node_modules/.bin/gatehouse');
    const command = tool === undefined ? [bin] : [process.execPath, clientFile(tool, script), 'gatehouse'];
    const server = await serve(client, project, command, process.execPath);
    const user = await makeClient(name, gatehouse, { registry: server.registry, token: server.token });
    const sample = await samplePackage(user, { name: '@acme/hat', version: '1.0.0' });
    succeeded(await user.publish(sample));
    const consumer = await user.newProject();
    succeeded(await user.add(consumer, '@acme/hat'));
    expect(installedManifest(consumer, '@acme/hat')['version']).toBe('1.0.0');
    expect(await server.stop()).toBe(0);
  });
});

describe('with the oldest Node that it names, and the npm that came with that', () => {
  test('one gets from "npx gatehouse serve" to a published and installed package', async () => {
    const node = await oldestNodePath();
    const client = await makeClient('npm10', gatehouse);
    const npx = [node, clientFile('npm10', 'bin/npx-cli.js'), '--yes', 'gatehouse'];
    const empty = await client.newProject();
    const server = await serve(client, empty, npx, node);
    const connect = async (folder: string): Promise<void> => {
      const [file, ...args] = [...npx, 'connect', '--data-dir', server.dataDir];
      await runOrThrow(file, args, { cwd: folder, env: environmentOf(client, node), timeLimit: 60_000 });
    };
    const npm = async (folder: string, ...args: string[]): Promise<void> => {
      const file = clientFile('npm10', 'bin/npm-cli.js');
      await runOrThrow(node, [file, ...args], { cwd: folder, env: environmentOf(client, node), timeLimit: 60_000 });
    };
    const sample = await samplePackage(client, { name: 'your-package', version: '1.0.0' });
    await connect(sample);
    await npm(sample, 'publish');
    const consumer = await client.newProject();
    await connect(consumer);
    await npm(consumer, 'install', 'your-package');
    expect(installedManifest(consumer, 'your-package')['version']).toBe('1.0.0');
    expect(await server.stop()).toBe(0);
  });
});
