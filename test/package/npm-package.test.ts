import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { list } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packNpm } from '../../scripts/pack-npm.ts';
import { clientFile, installedManifest } from '../clients/support/client.ts';
import type { Client, ClientName } from '../clients/support/client.ts';
import { Gatehouse } from '../clients/support/gatehouse.ts';
import { makeClient } from '../clients/support/make-client.ts';
import { succeeded } from '../clients/support/run-command.ts';
import { samplePackage } from '../clients/support/sample-package.ts';
import { codeBlocks } from '../support/guide-code.ts';
import { oldestNodePath } from '../support/released-node.ts';
import { runOrThrow } from '../support/run-command.ts';

// The package for npm, published to a Gatehouse and installed from it: no other registry is asked.

const projectFolder = path.resolve(import.meta.dirname, '../..');

let tarball: string;
let gatehouse: Gatehouse;
let publisher: Client;
const running = new Set<RunningServer>();

interface RunningServer {
  readonly registry: string;
  readonly token: string;
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

/** An environment of nothing but a home and the programs of one folder. */
function environmentOf(client: Client, programs: string): Record<string, string> {
  return {
    PATH: `${programs}:/usr/bin:/bin`,
    HOME: client.home,
    TMPDIR: path.join(client.home, 'tmp'),
    GATEHOUSE_PORT: '0',
  };
}

/** Starts `gatehouse serve` by a command of a package manager, in the folder that has it installed. */
async function serve(client: Client, folder: string, command: readonly string[]): Promise<RunningServer> {
  const dataDir = await mkdtemp(path.join(client.home, 'data-'));
  const [file, ...args] = [...command, 'serve', '--json', '--data-dir', dataDir];
  const child = spawn(file, args, {
    cwd: folder,
    env: environmentOf(client, path.dirname(process.execPath)),
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
  const server =
    /^server\/(?:[\w-]+\.js|(?:api|index|vitest|node-test)\.d\.ts|migrations\/\d{4}-[a-z-]+\.sql|better-sqlite3\/.+)$/;
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
    const server = await serve(client, project, command);
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
  /** A home whose npm installs from Gatehouse, and what runs scripts in it. */
  async function newcomer(): Promise<{
    client: Client;
    env: Record<string, string>;
    run: (folder: string, script: string) => Promise<string>;
  }> {
    const client = await makeClient('npm10', gatehouse);
    const programs = path.join(client.home, 'programs');
    await mkdir(programs);
    await symlink(await oldestNodePath(), path.join(programs, 'node'));
    for (const name of ['npm', 'npx']) {
      await symlink(clientFile('npm10', `bin/${name}-cli.js`), path.join(programs, name));
    }
    const env = environmentOf(client, programs);
    const run = (folder: string, script: string): Promise<string> =>
      runOrThrow('sh', ['-e', '-c', script], { cwd: folder, env, timeLimit: 120_000 });
    return { client, env, run };
  }

  test('the first screen of the README leads from "npx gatehouse serve" to an installed package', async () => {
    const [serveIt = '', publishIt = '', installIt = ''] = codeBlocks('README.md', 'sh');
    expect(codeBlocks('docs/npm-readme.md', 'sh')).toEqual([serveIt, publishIt, installIt]);
    const { client, env, run } = await newcomer();
    const server = spawn('sh', ['-c', serveIt], { cwd: await client.newProject(), env, stdio: ['ignore', 'pipe', 2] });
    try {
      await saying(server, 'serves at');
      const sample = await samplePackage(client, { name: 'your-package', version: '1.0.0' });
      await run(sample, publishIt);
      const consumer = await client.newProject();
      await run(consumer, installIt);
      expect(installedManifest(consumer, 'your-package')['version']).toBe('1.0.0');
    } finally {
      const ended = once(server, 'exit');
      const holder = path.join(client.home, '.config/Gatehouse/registry/server.json');
      process.kill((JSON.parse(await readFile(holder, 'utf8')) as { pid: number }).pid, 'SIGINT');
      await ended;
    }
  });

  test('the guide leads to a green test of a release tool, under node:test and Vitest', async () => {
    const { client, run } = await newcomer();
    const project = await client.newProject();
    const page = 'docs/guide/testing-release-tools.md';
    const [install = '', runTests = ''] = codeBlocks(page, 'sh');
    const [tool = '', testFile = '', forVitest = '', withoutRunner = ''] = codeBlocks(page, 'js');
    await run(project, install);
    await writeFile(path.join(project, 'release.mjs'), tool);
    await writeFile(path.join(project, 'release.test.mjs'), testFile);
    expect(await run(project, runTests)).toMatch(/pass 2\n/);
    const [testLine = '', registryLine = ''] = forVitest.split('\n');
    const changed = testFile
      .replace(/^import \{ test \}.*$/m, testLine)
      .replace(/^import \{ useRegistry \}.*$/m, registryLine);
    await writeFile(path.join(project, 'release.vitest.test.mjs'), changed);
    await symlink(path.join(projectFolder, 'node_modules/vitest'), path.join(project, 'node_modules/vitest'));
    const vitest = 'node node_modules/vitest/vitest.mjs run release.vitest';
    expect(stripVTControlCharacters(await run(project, vitest))).toMatch(/Tests\s+2 passed/);
    const source = await samplePackage(client, { name: 'a-package', version: '1.0.0' });
    await writeFile(path.join(project, 'plain.mjs'), withoutRunner.replace('path/to/a/package', source));
    expect(await run(project, 'node plain.mjs')).toContain("'dist-tags': { latest: '1.0.0' }");
    const left = await readdir(path.join(client.home, 'tmp'));
    expect(left.filter((name) => name.startsWith('gatehouse-') && !name.startsWith('gatehouse-compiled'))).toEqual([]);
  });

  test('its types are those of the guide', async () => {
    const { client, run } = await newcomer();
    const project = await client.newProject({ type: 'module' });
    await run(project, 'npm install gatehouse');
    const code = `import { startRegistry, type EmbeddedRegistry } from 'gatehouse';
      import { useRegistry } from 'gatehouse/node-test';
      const registry = await startRegistry({ users: { ann: 'developer' }, packages: ['a', { manifest: { name: 'b', version: '1.0.0' } }] });
      const npmrc: string = registry.users.ann.npmrc;
      // @ts-expect-error There is no such user.
      registry.users.ben;
      // @ts-expect-error There is no such role.
      useRegistry({ users: { ann: 'boss' } });
      const any: EmbeddedRegistry = registry;
      const tags: Readonly<Record<string, string>> | undefined = (await any.packument(npmrc))?.['dist-tags'];
      export { tags };`;
    await writeFile(path.join(project, 'types.ts'), code);
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023', '--types', ''];
    const compiler = path.join(projectFolder, 'node_modules/typescript/bin/tsc');
    await runOrThrow(process.execPath, [compiler, ...options, 'types.ts'], { cwd: project, timeLimit: 60_000 });
  });
});

/** Resolves when a process has written a text. @throws Error if it ends before. */
async function saying({ stdout, exitCode }: ChildProcess, text: string): Promise<void> {
  let said = '';
  for await (const chunk of stdout ?? []) {
    said += String(chunk);
    if (said.includes(text)) return;
  }
  throw new Error(`It ended with ${exitCode} and wrote: ${said}`);
}
