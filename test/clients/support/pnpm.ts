import { CleanHome, clientFile, nodeScript, npmrcLines } from './client.ts';
import type { Client, ClientName, ClientOptions } from './client.ts';

/** pnpm of one major version. The twelfth is a native program. */
export async function makePnpm(name: ClientName, home: string, options: ClientOptions): Promise<Client> {
  const launcher = name === 'pnpm12' ? { file: clientFile(name, 'pnpm'), args: [] } : nodeScript(name, 'bin/pnpm.cjs');
  const clean = await CleanHome.make(
    home,
    launcher,
    { '.npmrc': npmrcLines(options, 'fetch-retries=0') },
    { PNPM_CONFIG_FETCH_RETRIES: '0', PNPM_HOME: `${home}/.local/share/pnpm` },
  );
  const run: Client['run'] = (folder, ...args) => clean.run(folder, args);
  return {
    name,
    home,
    run,
    converse: (folder, args, conversation) => clean.run(folder, args, conversation),
    lockfile: 'pnpm-lock.yaml',
    publish: (folder, tag) => run(folder, 'publish', '--no-git-checks', ...(tag === undefined ? [] : ['--tag', tag])),
    add: (project, ...specs) => run(project, 'add', ...specs),
    install: (project) => run(project, 'install', '--no-frozen-lockfile'),
    installFrozen: (project) => run(project, 'install', '--frozen-lockfile'),
    forget: () => clean.remove('.cache', '.local'),
    tags: {
      list: (folder, name) => run(folder, 'dist-tag', 'ls', name),
      add: (folder, name, version, tag) => run(folder, 'dist-tag', 'add', `${name}@${version}`, tag),
      remove: (folder, name, tag) => run(folder, 'dist-tag', 'rm', name, tag),
    },
    newProject: (manifest) => clean.newProject(manifest),
  };
}
