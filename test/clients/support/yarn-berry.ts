import { CleanHome, commonCommands, nodeScript, tagCommands, tagFlag } from './client.ts';
import type { Client, ClientOptions } from './client.ts';

export interface YarnBerryOptions extends ClientOptions {
  /** Minutes that a version must have been published for; Yarn's own default, a day, if it isn't given. */
  readonly minimalAge?: number | undefined;
}

/**
 * Yarn 4 with the settings that a local registry needs: plain HTTP to this machine, the token on reads, and fresh versions.
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
  const common = commonCommands(clean);
  const { run } = common;
  return {
    ...common,
    name: 'yarn4',
    lockfile: 'yarn.lock',
    publish: async (folder, tag) => {
      // It publishes nothing that its lockfile doesn't know.
      const installed = await run(folder, 'install');
      if (installed.code !== 0) return installed;
      return run(folder, 'npm', 'publish', ...tagFlag(tag));
    },
    installFrozen: (project) => run(project, 'install', '--immutable'),
    forget: () => clean.remove('.yarn', '.cache', '.local'),
    tags: tagCommands(run, ['npm', 'tag'], 'list', 'remove'),
    // Its own lockfile tells Yarn that the project ends here.
    newProject: (manifest) => clean.newProject(manifest, { 'yarn.lock': '' }),
  };
}
