import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface NpmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Npm {
  /** Runs npm with these arguments in `folder`; never rejects for npm's own failures. */
  readonly run: (folder: string, ...args: string[]) => Promise<NpmResult>;
  /** Publishes a small package and returns npm's result. */
  readonly publish: (
    manifest: { name: string; version: string; [key: string]: unknown },
    ...args: string[]
  ) => Promise<NpmResult>;
  /** The registry that it is pointed at, as it stands in its configuration. */
  readonly registry: string;
}

/**
 * A real npm with a home, cache and configuration of its own below `base`, pointed at a project of the registry at `origin`. Nothing that it does
 * reaches another registry.
 */
export async function makeNpm(base: string, origin: string, token: string, projectId = 1): Promise<Npm> {
  const home = path.join(base, 'npm-home');
  await mkdir(home, { recursive: true });
  const registry = `${origin}/api/v4/projects/${projectId}/packages/npm/`;
  const userconfig = path.join(home, '.npmrc');
  const lines = [`registry=${registry}`, `${registry.replace(/^http:/, '')}:_authToken=${token}`, 'fetch-retries=0'];
  await writeFile(userconfig, `${lines.join('\n')}\n`);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    npm_config_userconfig: userconfig,
    npm_config_globalconfig: path.join(home, 'global-npmrc'),
    npm_config_cache: path.join(base, 'npm-cache'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_loglevel: 'notice',
  };
  const run: Npm['run'] = (folder, ...args) => runNpm(folder, args, env);
  let folders = 0;
  return {
    run,
    registry,
    publish: async (manifest, ...args) => {
      folders += 1;
      const folder = path.join(base, `package-${folders}`);
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
      await writeFile(path.join(folder, 'index.js'), `module.exports = '${manifest.version}';\n`);
      await writeFile(path.join(folder, 'README.md'), `# ${manifest.name}\n\nA package of the tests.\n`);
      return run(folder, 'publish', ...args);
    },
  };
}

function runNpm(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<NpmResult> {
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd: folder, env, timeout: 60_000, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', (error) => resolve({ code: 1, stdout, stderr: `${stderr}${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }));
  });
}
