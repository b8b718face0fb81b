import { CleanHome, clientFile, npmrcLines } from './client.ts';
import type { Client, ClientOptions } from './client.ts';

/** Bun. It has no dist-tag commands. */
export async function makeBun(home: string, options: ClientOptions): Promise<Client> {
  const clean = await CleanHome.make(
    home,
    { file: clientFile('bun', 'bin/bun.exe'), args: [] },
    { '.npmrc': npmrcLines(options) },
    { BUN_INSTALL: `${home}/.bun`, DO_NOT_TRACK: '1' },
  );
  const run: Client['run'] = (folder, ...args) => clean.run(folder, args);
  return {
    name: 'bun',
    home,
    run,
    converse: (folder, args, conversation) => clean.run(folder, args, conversation),
    lockfile: 'bun.lock',
    publish: (folder, tag) => run(folder, 'publish', ...(tag === undefined ? [] : ['--tag', tag])),
    add: (project, ...specs) => run(project, 'add', ...specs),
    install: (project) => run(project, 'install'),
    installFrozen: (project) => run(project, 'install', '--frozen-lockfile'),
    forget: () => clean.remove('.bun', '.cache'),
    tags: null,
    newProject: (manifest) => clean.newProject(manifest),
  };
}
