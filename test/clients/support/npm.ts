import path from 'node:path';
import { CleanHome, commonCommands, nodeScript, npmrcLines, tagCommands } from './client.ts';
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
  const common = commonCommands(clean);
  const { run } = common;
  return {
    ...common,
    name,
    lockfile: 'package-lock.json',
    add: (project, ...specs) => run(project, 'install', ...specs),
    installFrozen: (project) => run(project, 'ci'),
    forget: () => clean.remove('.npm'),
    tags: tagCommands(run, ['dist-tag'], 'ls', 'rm'),
  };
}
