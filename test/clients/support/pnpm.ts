import { CleanHome, clientFile, commonCommands, nodeScript, npmrcLines, tagCommands, tagFlag } from './client.ts';
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
  const common = commonCommands(clean);
  const { run } = common;
  return {
    ...common,
    name,
    lockfile: 'pnpm-lock.yaml',
    publish: (folder, tag) => run(folder, 'publish', '--no-git-checks', ...tagFlag(tag)),
    install: (project) => run(project, 'install', '--no-frozen-lockfile'),
    installFrozen: (project) => run(project, 'install', '--frozen-lockfile'),
    forget: () => clean.remove('.cache', '.local'),
    tags: tagCommands(run, ['dist-tag'], 'ls', 'rm'),
  };
}
