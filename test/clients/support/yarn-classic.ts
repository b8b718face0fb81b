import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CleanHome, commonCommands, nodeScript, npmrcLines, tagCommands } from './client.ts';
import type { Client, ClientOptions } from './client.ts';

/** Yarn 1. It sends its token with reads only if it is told to. */
export async function makeYarnClassic(home: string, options: ClientOptions): Promise<Client> {
  const clean = await CleanHome.make(
    home,
    nodeScript('yarn1', 'bin/yarn.js'),
    {
      '.npmrc': npmrcLines(options, 'always-auth=true'),
      '.yarnrc': `registry "${options.registry}"\ndisable-self-update-check true\n`,
    },
    { YARN_CACHE_FOLDER: `${home}/.cache/yarn` },
  );
  const run: Client['run'] = (folder, ...args) => clean.run(folder, [...args, '--non-interactive']);
  return {
    ...commonCommands(clean),
    name: 'yarn1',
    run,
    lockfile: 'yarn.lock',
    publish: async (folder, tag) => {
      const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as { version: string };
      const rest = tag === undefined ? [] : ['--tag', tag];
      return run(folder, 'publish', '--new-version', version, '--no-git-tag-version', ...rest);
    },
    add: (project, ...specs) => run(project, 'add', ...specs),
    install: (project) => run(project, 'install'),
    installFrozen: (project) => run(project, 'install', '--frozen-lockfile'),
    forget: () => clean.remove('.cache'),
    tags: tagCommands(run, ['tag'], 'list', 'remove'),
  };
}
