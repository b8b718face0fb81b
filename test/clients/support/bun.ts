import { CleanHome, clientFile, commonCommands, npmrcLines } from './client.ts';
import type { Client, ClientOptions } from './client.ts';

/** Bun. It has no dist-tag commands. */
export async function makeBun(home: string, options: ClientOptions): Promise<Client> {
  const clean = await CleanHome.make(
    home,
    { file: clientFile('bun', 'bin/bun.exe'), args: [] },
    { '.npmrc': npmrcLines(options) },
    { BUN_INSTALL: `${home}/.bun`, DO_NOT_TRACK: '1' },
  );
  const common = commonCommands(clean);
  const { run } = common;
  return {
    ...common,
    name: 'bun',
    lockfile: 'bun.lock',
    installFrozen: (project) => run(project, 'install', '--frozen-lockfile'),
    forget: () => clean.remove('.bun', '.cache'),
    tags: null,
  };
}
