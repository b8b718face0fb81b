import { parseArgs } from 'node:util';
import { build, Platform, type Configuration } from 'electron-builder';
import { buildApp, projectFolder } from './build.ts';

/** Where the app of a release looks for updates, and the page that its package names. */
export interface ReleaseAddress {
  readonly publish: NonNullable<Configuration['publish']>;
  readonly homepage: string;
}

/**
 * Reads GATEHOUSE_PUBLISH: `github:OWNER/NAME` for the releases of a repository there, or the https address of a folder that holds the
 * packages and the files beside them. Null where it is not set. Throws an Error for anything else.
 */
export function releaseAddress(text: string | undefined): ReleaseAddress | null {
  if (text === undefined || text === '') return null;
  const repository = /^github:([\w.-]+)\/([\w.-]+)$/.exec(text);
  if (repository !== null) {
    const [, owner = '', repo = ''] = repository;
    return { publish: { provider: 'github', owner, repo }, homepage: `https://github.com/${owner}/${repo}` };
  }
  if (URL.parse(text)?.protocol === 'https:') return { publish: { provider: 'generic', url: text }, homepage: text };
  throw new Error(`GATEHOUSE_PUBLISH is "${text}"; it must be github:OWNER/NAME or an https address.`);
}

/** What a build adds to electron-builder.yml, which electron-builder reads by itself. */
export function releaseConfiguration(address: ReleaseAddress | null): Configuration {
  // A Debian package has to name a page; without a release there is that of the running app.
  const homepage = address?.homepage ?? 'http://localhost:4899';
  return { publish: address?.publish ?? null, extraMetadata: { homepage } };
}

/** Removes signing variables that are empty, as secrets are that a workflow does not have: electron-builder would take them for a certificate. */
export function dropEmptySecrets(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment))
    if (/^(?:WIN_)?CSC_|^APPLE_/.test(name) && environment[name] === '') delete environment[name];
}

/** `npm run dist`: the packages of the desktop app for this system; with `--dir`, the app in a folder, without the tools for packages. */
async function packDesktop(): Promise<void> {
  const { values } = parseArgs({ options: { dir: { type: 'boolean', default: false } } });
  const config = releaseConfiguration(releaseAddress(process.env['GATEHOUSE_PUBLISH']));
  dropEmptySecrets(process.env);
  await buildApp();
  await build({
    projectDir: projectFolder,
    targets: Platform.current().createTarget(values.dir ? 'dir' : null),
    config,
    publish: 'never',
  });
}

if (import.meta.main) await packDesktop();
