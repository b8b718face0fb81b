import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CleanHome, clientFile, nodeScript } from './support/client.ts';
import type { Launcher } from './support/client.ts';
import { Gatehouse } from './support/gatehouse.ts';
import { succeeded } from './support/run-command.ts';
import type { CommandResult } from './support/run-command.ts';

let gatehouse: Gatehouse;
beforeAll(async () => {
  gatehouse = await Gatehouse.start();
});
afterAll(() => gatehouse.stop());

type Files = Readonly<Record<string, object | string>>;

/** A connected git repository with one commit, pushed, in which a tool runs. */
class Repository {
  readonly #clean: CleanHome;
  readonly #folder: string;

  static async make(
    name: string,
    launcher: Launcher,
    files: Files,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Repository> {
    const home = path.join(gatehouse.workFolder, name);
    const gitconfig = '[user]\nname = Ann\nemail = ann@example.test\n[init]\ndefaultBranch = main\n';
    const clean = await CleanHome.make(
      home,
      launcher,
      { '.gitconfig': gitconfig, 'fresh/.gitignore': '.npmrc\n' },
      variables,
    );
    const folder = path.join(home, 'fresh');
    for (const [file, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
    }
    await gatehouse.connect(folder);
    const repository = new Repository(clean, folder);
    const origin = path.join(home, 'origin.git');
    for (const command of [
      ['init', '--quiet', '--bare', origin],
      ['init', '--quiet'],
      ['remote', 'add', 'origin', origin],
      ['add', '--all'],
      ['commit', '--quiet', '--message', 'feat: begin'],
      ['push', '--quiet', '--set-upstream', 'origin', 'main'],
    ]) {
      succeeded(await clean.run(folder, command, undefined, { file: 'git', args: [] }));
    }
    return repository;
  }

  private constructor(clean: CleanHome, folder: string) {
    this.#clean = clean;
    this.#folder = folder;
  }

  /** @throws Error if it fails. */
  async run(...args: string[]): Promise<CommandResult> {
    return succeeded(await this.#clean.run(this.#folder, args));
  }

  /** Makes a package of the tests' installation resolvable here. */
  async link(name: string): Promise<void> {
    await mkdir(path.join(this.#folder, 'node_modules'), { recursive: true });
    await symlink(clientFile(name, ''), path.join(this.#folder, 'node_modules', name));
  }
}

/** Two packages of which the second needs the first. @param fields of both */
function workspaces(scope: string, fields: object = {}): Files {
  const common = { version: '1.0.0', license: 'MIT', ...fields };
  return {
    'package.json': { name: 'workspaces', private: true, workspaces: ['packages/*'] },
    'package-lock.json': { lockfileVersion: 3, packages: {} },
    'packages/base/package.json': { name: `${scope}/base`, ...common },
    'packages/tool/package.json': { name: `${scope}/tool`, ...common, dependencies: { [`${scope}/base`]: '^1.0.0' } },
  };
}

async function publishedVersions(name: string): Promise<string[]> {
  return Object.keys((await gatehouse.packument(name))?.versions ?? {});
}

/** changesets 2 tells npm to use the public registry unless one of its two sources has another. */
const changesets = [
  { reads: 'the settings of the folder', tool: '@changesets/cli', scope: '@changes3' },
  { reads: 'publishConfig', tool: 'changesets2', scope: '@changes2' },
  { reads: 'npm_config_registry', tool: 'changesets2', scope: '@changes2-env' },
];

test.each(changesets)('$tool publishes to the registry of $reads', async ({ reads, tool, scope }) => {
  const registry = gatehouse.projectRegistry();
  const repository = await Repository.make(
    scope,
    nodeScript(tool, 'bin.js'),
    {
      ...workspaces(scope, reads === 'publishConfig' ? { publishConfig: { registry } } : {}),
      '.changeset/config.json': { access: 'restricted', baseBranch: 'main', changelog: false, commit: false },
      '.changeset/quick-birds-sing.md': `---\n'${scope}/base': minor\n---\n\nSings.\n`,
    },
    reads === 'npm_config_registry' ? { npm_config_registry: registry } : {},
  );
  await repository.run('version');
  await repository.run('publish');
  expect(await publishedVersions(`${scope}/base`)).toEqual(['1.1.0']);
  expect(await publishedVersions(`${scope}/tool`)).toEqual(['1.0.0']);
});

test('semantic-release publishes what the commits ask for, without its plugin for GitHub', async () => {
  const repository = await Repository.make('semantic', nodeScript('semantic-release', 'bin/semantic-release.js'), {
    'package.json': { name: '@semantic/base', version: '0.0.0', license: 'MIT' },
    '.releaserc.json': {
      branches: ['main'],
      plugins: ['@semantic-release/commit-analyzer', '@semantic-release/npm'],
    },
  });
  await repository.run('--no-ci');
  expect(await publishedVersions('@semantic/base')).toEqual(['1.0.0']);
});

test('lerna publishes all packages, and finds afterwards that they are published', async () => {
  const repository = await Repository.make(
    'lerna',
    nodeScript('lerna', 'dist/cli.js'),
    {
      ...workspaces('@lerna-made'),
      'lerna.json': { version: '1.0.0', packages: ['packages/*'] },
    },
    { NX_DAEMON: 'false' },
  );
  await repository.run('publish', 'minor', '--yes');
  expect(await publishedVersions('@lerna-made/base')).toEqual(['1.1.0']);
  expect(await publishedVersions('@lerna-made/tool')).toEqual(['1.1.0']);
  expect((await repository.run('publish', 'from-package', '--yes')).output).toContain('No changed packages to publish');
});

test('nx release publishes all packages', async () => {
  const repository = await Repository.make(
    'nx',
    nodeScript('nx', 'dist/bin/nx.js'),
    {
      ...workspaces('@nx-made'),
      'nx.json': { release: { projects: ['packages/*'] } },
      '.gitignore': '.npmrc\nnode_modules\n.nx\n',
    },
    { NX_DAEMON: 'false', NX_NO_CLOUD: 'true' },
  );
  await repository.link('nx');
  await repository.run('release', 'minor', '--first-release', '--yes');
  expect(await publishedVersions('@nx-made/base')).toEqual(['1.1.0']);
  expect(await publishedVersions('@nx-made/tool')).toEqual(['1.1.0']);
});

test('release-it publishes and pushes', async () => {
  const repository = await Repository.make('release-it', nodeScript('release-it', 'bin/release-it.js'), {
    'package.json': { name: '@release-it-made/base', version: '1.0.0', license: 'MIT' },
  });
  await repository.run('minor', '--ci');
  expect(await publishedVersions('@release-it-made/base')).toEqual(['1.1.0']);
});
