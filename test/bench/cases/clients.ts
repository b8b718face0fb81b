import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import installClients from '../../clients/support/install.ts';
import { runOrThrow } from '../../support/run-command.ts';
import { plainEnvironment } from '../../support/server-process.ts';
import { interleave, type Bench, type Row } from '../compare.ts';
import type { Registry } from '../contenders.ts';
import { makeUpload, publish, writePackage } from '../packages.ts';

const clients = path.resolve(import.meta.dirname, '../../clients/node_modules');
const npm = path.join(clients, 'npm11/bin/npm-cli.js');
const pnpm = path.join(clients, 'pnpm10/bin/pnpm.cjs');

/** Wall time of `npm publish` and `npm view`. */
export async function npmCommands(bench: Bench, registries: readonly Registry[]): Promise<Row[]> {
  await installClients();
  const rounds = await interleave(bench, registries, async (registry, round) => {
    const folder = path.join(bench.folder, 'npm', `${registry.name}-${round}`);
    await writePackage(path.join(folder, 'small'), { name: `npm-small-${round}`, version: '1.0.0' }, 20 * 1024);
    await writePackage(path.join(folder, 'large'), { name: `npm-large-${round}`, version: '1.0.0' }, 5 * 1024 * 1024);
    return {
      small: await timeOf(bench, registry, path.join(folder, 'small'), [npm, 'publish']),
      large: await timeOf(bench, registry, path.join(folder, 'large'), [npm, 'publish']),
      view: await timeOf(bench, registry, folder, [npm, 'view', `npm-small-${round}`]),
    };
  });
  return [
    { work: 'npm publish, 20 KB', unit: 's', rounds: rounds('small') },
    { work: 'npm publish, 5 MB', unit: 's', rounds: rounds('large') },
    { work: 'npm view', unit: 's', rounds: rounds('view') },
  ];
}

/** A release of 30 workspaces. */
export async function release(bench: Bench, registries: readonly Registry[]): Promise<Row[]> {
  await installClients();
  const rounds = await interleave(bench, registries, async (registry, round) => {
    const folder = path.join(bench.folder, 'release');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'package.json'), '{ "name": "release", "private": true }');
    await writeFile(path.join(folder, 'pnpm-workspace.yaml'), 'packages:\n  - packages/*\n');
    for (let index = 0; index < 30; index += 1) {
      const manifest = { name: `workspace-${index}`, version: `1.0.${round}` };
      await writePackage(path.join(folder, 'packages', String(index)), manifest, 20 * 1024);
    }
    return { release: await timeOf(bench, registry, folder, [pnpm, '-r', 'publish', '--no-git-checks']) };
  });
  return [{ work: 'pnpm -r publish, 30 workspaces', unit: 's', rounds: rounds('release') }];
}

/** `npm ci` with an empty cache, of a lock file without addresses: npm asks for the packument and the tarball of each package. */
export async function install(bench: Bench, registries: readonly Registry[]): Promise<Row[]> {
  await installClients();
  const count = 300;
  const project = path.join(bench.folder, 'project');
  await mkdir(project, { recursive: true });
  const dependencies = Object.fromEntries(Array.from({ length: count }, (_, index) => [`tree-${index}`, '1.0.0']));
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, dependencies }));
  for (const name of Object.keys(dependencies)) {
    const upload = await makeUpload(name, '1.0.0', 20 * 1024);
    for (const registry of registries) await publish(registry, upload);
  }
  const [first] = registries;
  if (first) await timeOf(bench, first, project, [npm, 'install', '--package-lock-only']);
  const rounds = await interleave(bench, registries, async (registry) => {
    await rm(path.join(project, 'node_modules'), { recursive: true, force: true });
    const ci = await timeOf(bench, registry, project, [npm, 'ci']);
    const installed = (await readdir(path.join(project, 'node_modules'))).filter((name) => name.startsWith('tree-'));
    if (installed.length !== count) throw new Error(`npm ci installed ${installed.length} packages, not ${count}.`);
    return { ci };
  });
  return [{ work: `npm ci, ${count} packages`, unit: 's', rounds: rounds('ci') }];
}

/** Seconds that a package manager takes, with a home, a configuration and an empty cache of its own. */
async function timeOf(bench: Bench, { url, token }: Registry, cwd: string, args: readonly string[]): Promise<number> {
  const home = path.join(bench.folder, 'home');
  await rm(home, { recursive: true, force: true });
  await mkdir(home);
  const npmrc = [
    `registry=${url}`,
    `${url.replace(/^http:/, '')}:_authToken=${token}`,
    'audit=false',
    'fund=false',
    'update-notifier=false',
    'omit-lockfile-registry-resolved=true',
    'fetch-retries=0',
  ];
  await writeFile(path.join(home, '.npmrc'), npmrc.join('\n'));
  const env = {
    ...withoutNpmSettings(),
    HOME: home,
    npm_config_userconfig: path.join(home, '.npmrc'),
    npm_config_cache: path.join(home, 'cache'),
  };
  const begun = performance.now();
  await runOrThrow(process.execPath, args, { cwd, env, timeLimit: 300_000 });
  return (performance.now() - begun) / 1_000;
}

function withoutNpmSettings(): Record<string, string> {
  return Object.fromEntries(Object.entries(plainEnvironment()).filter(([name]) => !/^npm_config_/i.test(name)));
}
