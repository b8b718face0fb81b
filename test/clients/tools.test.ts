import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CleanHome, installedManifest, nodeScript } from './support/client.ts';
import type { Client } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { makeClient } from './support/make-client.ts';
import { refused, succeeded } from './support/run-command.ts';
import { samplePackage } from './support/sample-package.ts';

const elsewhere = 'http://127.0.0.1:9/';

let gatehouse: Gatehouse;
let publisher: Client;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
  publisher = await makeClient('npm12', gatehouse);
});
afterAll(() => gatehouse.stop());

async function publishProgram(name: string, version: string, bin: Readonly<Record<string, string>>): Promise<void> {
  const folder = await samplePackage(publisher, { name, version, bin });
  for (const file of Object.values(bin)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(
      path.join(folder, file),
      `#!/usr/bin/env node\nconsole.log('Ran ${name} ${version}', ...process.argv.slice(2));\n`,
    );
  }
  succeeded(await publisher.publish(folder));
}

test('Corepack fetches a package manager with the variables of "connect", and checks its signature', async () => {
  await publishProgram('pnpm', '10.99.0', { pnpm: 'bin/pnpm.cjs' });
  const { args } = nodeScript('corepack', 'dist/corepack.js');
  const shell = await CleanHome.make(path.join(gatehouse.workFolder, 'corepack'), { file: 'sh', args: ['-c'] }, {});
  const printed = await gatehouse.connect(shell.home, '--tool', 'corepack');
  const run = (before: string) =>
    shell.run(shell.home, [`eval "$1"; ${before} node '${args[0]}' pnpm@10.99.0 --version`, 'sh', printed]);
  expect(refused(await run('unset COREPACK_INTEGRITY_KEYS;')).output).toContain('not signed by any trusted keys');
  expect(refused(await run('unset COREPACK_NPM_TOKEN;')).output).toContain('401');
  expect(succeeded(await run('')).stdout).toContain('Ran pnpm 10.99.0 --version');
});

test('Deno installs a version of today once deno.json lets the scope in', async () => {
  succeeded(await publisher.publish(await samplePackage(publisher, { name: '@acme/today', version: '1.0.0' })));
  const deno = await CleanHome.make(path.join(gatehouse.workFolder, 'deno'), nodeScript('deno', 'bin.cjs'), {
    'app/deno.json': '{}',
  });
  const app = path.join(deno.home, 'app');
  await gatehouse.connect(app);
  expect(refused(await deno.run(app, ['add', 'npm:@acme/today'])).output).toContain('minimum dependency age');
  await writeFile(
    path.join(app, 'deno.json'),
    JSON.stringify({ minimumDependencyAge: { age: 'P1D', exclude: ['npm:@acme/*'] } }),
  );
  succeeded(await deno.run(app, ['add', 'npm:@acme/today']));
  expect(await readFile(path.join(app, 'deno.json'), 'utf8')).toContain('npm:@acme/today@^1.0.0');
});

/** Yarn 1 and Bun create in a folder of their own, which has no settings: theirs come from the home folder. */
const creators = [
  { name: 'npm12', tool: 'npm', reads: 'folder', command: ['create', '--yes'] },
  { name: 'pnpm12', tool: 'npm', reads: 'folder', command: ['create'] },
  { name: 'bun', tool: 'npm', reads: 'home', command: ['create'] },
  { name: 'yarn1', tool: 'yarn1', reads: 'home', command: ['create'] },
] as const;

test.each(creators)(
  '$name creates from a package when its $reads is connected',
  async ({ name, tool, reads, command }) => {
    await publishProgram(`create-${name}`, '1.0.0', { [`create-${name}`]: 'create.js' });
    const client = await makeClient(name, gatehouse, { registry: elsewhere, token: null });
    const folder = await client.newProject();
    const create = () => client.run(folder, ...command, name, 'shed');
    if (reads === 'home') {
      await gatehouse.connect(folder, '--tool', tool);
      refused(await create());
    }
    await gatehouse.connect(reads === 'home' ? client.home : folder, '--tool', tool);
    expect(succeeded(await create()).stdout).toContain(`Ran create-${name} 1.0.0 shed`);
  },
);

test('jsr installs through the registry that the scope @jsr is connected to', async () => {
  succeeded(await publisher.publish(await samplePackage(publisher, { name: '@jsr/std__greet', version: '1.0.0' })));
  const jsr = await CleanHome.make(path.join(gatehouse.workFolder, 'jsr'), nodeScript('jsr', 'dist/bin.js'), {
    '.npmrc': `registry=${elsewhere}\n`,
    'app/package.json': '{"name":"app","private":true}',
    'app/package-lock.json': '{"lockfileVersion":3,"packages":{}}',
  });
  const app = path.join(jsr.home, 'app');
  await gatehouse.connect(app, '--scope', '@jsr');
  const npmrc = await readFile(path.join(app, '.npmrc'), 'utf8');
  succeeded(await jsr.run(app, ['add', '--npm', '@std/greet']));
  expect(installedManifest(app, '@std/greet')['name']).toBe('@jsr/std__greet');
  expect(await readFile(path.join(app, '.npmrc'), 'utf8')).toBe(npmrc);
});
