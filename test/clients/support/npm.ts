import path from 'node:path';
import { CleanHome, nodeScript, npmrcLines } from './client.ts';
import type { Client, ClientName, ClientOptions } from './client.ts';

/** npm of one major version. @param variables further environment variables. */
export async function makeNpm(
  name: ClientName,
  home: string,
  options: ClientOptions,
  variables: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const npmrc = npmrcLines(options, 'fetch-retries=0', 'fetch-timeout=30000', 'fund=false', 'update-notifier=false');
  const clean = await CleanHome.make(
    home,
    nodeScript(name, 'bin/npm-cli.js'),
    // npm 8 looks for globally installed packages beside the Node that runs it, where this project keeps none.
    { '.npmrc': npmrc, 'global/lib/node_modules/.keep': '' },
    { npm_config_prefix: path.join(home, 'global'), ...variables },
  );
  const run: Client['run'] = (folder, ...args) => clean.run(folder, args);
  return {
    name,
    home,
    run,
    converse: (folder, args, conversation) => clean.run(folder, args, conversation),
    lockfile: 'package-lock.json',
    publish: (folder, tag) => run(folder, 'publish', ...(tag === undefined ? [] : ['--tag', tag])),
    add: (project, ...specs) => run(project, 'install', ...specs),
    install: (project) => run(project, 'install'),
    installFrozen: (project) => run(project, 'ci'),
    forget: () => clean.remove('.npm'),
    tags: {
      list: (folder, name) => run(folder, 'dist-tag', 'ls', name),
      add: (folder, name, version, tag) => run(folder, 'dist-tag', 'add', `${name}@${version}`, tag),
      remove: (folder, name, tag) => run(folder, 'dist-tag', 'rm', name, tag),
    },
    newProject: (manifest) => clean.newProject(manifest),
  };
}
