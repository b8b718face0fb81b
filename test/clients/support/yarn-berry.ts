import { CleanHome, nodeScript } from './client.ts';
import type { Client, ClientOptions } from './client.ts';

export interface YarnBerryOptions extends ClientOptions {
  /** Minutes that a version must have been published for; Yarn's own default, a day, if it isn't given. */
  readonly minimalAge?: number | undefined;
}

/**
 * Yarn 4 with the settings that a local registry needs: plain HTTP to this machine, the token on reads, and fresh versions
 * (api/clients.md 7, 9).
 */
export async function makeYarnBerry(home: string, options: YarnBerryOptions): Promise<Client> {
  const settings = [
    `npmRegistryServer: "${options.registry}"`,
    'unsafeHttpWhitelist: ["localhost", "127.0.0.1"]',
    'enableTelemetry: false',
    'nodeLinker: node-modules',
    'httpRetry: 0',
    ...(options.token === null ? [] : [`npmAuthToken: "${options.token}"`, 'npmAlwaysAuth: true']),
    ...(options.minimalAge === undefined ? [] : [`npmMinimalAgeGate: ${options.minimalAge}`]),
  ];
  const clean = await CleanHome.make(home, nodeScript('yarn4', 'bin/yarn.js'), {
    '.yarnrc.yml': `${settings.join('\n')}\n`,
  });
  const run: Client['run'] = (folder, ...args) => clean.run(folder, args);
  return {
    name: 'yarn4',
    home,
    run,
    converse: (folder, args, conversation) => clean.run(folder, args, conversation),
    lockfile: 'yarn.lock',
    publish: async (folder, tag) => {
      // It publishes nothing that its lockfile doesn't know.
      const installed = await run(folder, 'install');
      if (installed.code !== 0) return installed;
      return run(folder, 'npm', 'publish', ...(tag === undefined ? [] : ['--tag', tag]));
    },
    add: (project, ...specs) => run(project, 'add', ...specs),
    install: (project) => run(project, 'install'),
    installFrozen: (project) => run(project, 'install', '--immutable'),
    forget: () => clean.remove('.yarn', '.cache', '.local'),
    tags: {
      list: (folder, name) => run(folder, 'npm', 'tag', 'list', name),
      add: (folder, name, version, tag) => run(folder, 'npm', 'tag', 'add', `${name}@${version}`, tag),
      remove: (folder, name, tag) => run(folder, 'npm', 'tag', 'remove', name, tag),
    },
    // Its own lockfile tells Yarn that the project ends here.
    newProject: (manifest) => clean.newProject(manifest, { 'yarn.lock': '' }),
  };
}
