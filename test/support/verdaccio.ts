import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { request } from 'undici';
import { cacheFolder } from './cache-folder.ts';
import { freePort } from './free-port.ts';
import { runOrThrow } from './run-command.ts';
import { plainEnvironment, startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

const verdaccioVersion = '6.10.4';

/** Without what costs time and is not needed here: log, web page, uplinks, audits. */
const configuration = `storage: ./storage
auth:
  htpasswd:
    file: ./htpasswd
    max_users: 10
    algorithm: bcrypt
    rounds: 4
security:
  api:
    jwt:
      sign:
        expiresIn: 7d
  web:
    sign:
      expiresIn: 7d
web:
  enable: false
uplinks: {}
packages:
  '**':
    access: $all
    publish: $authenticated
    unpublish: $authenticated
max_body_size: 400mb
server:
  keepAliveTimeout: 60
userRateLimit:
  windowMs: 1000
  max: 100000
log: { type: stdout, format: json, level: fatal }
`;

/** Starts Verdaccio with its data in `folder`. Installs it into the cache folder first if it is not there. */
export async function startVerdaccio(folder: string): Promise<ServerProcess> {
  const program = await installVerdaccio();
  await mkdir(path.join(folder, 'storage'), { recursive: true });
  await writeFile(path.join(folder, 'config.yaml'), configuration);
  const port = await freePort();
  return startServer({
    args: [program, '--config', path.join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    cwd: folder,
    port,
    readyPath: '/-/ping',
  });
}

async function installVerdaccio(): Promise<string> {
  const folder = path.join(cacheFolder, 'bench', `verdaccio-${verdaccioVersion}`);
  const program = path.join(folder, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  if (existsSync(program)) return program;
  await mkdir(path.dirname(folder), { recursive: true });
  // Several test files may install it at the same time: each beside its place.
  const workspace = await mkdtemp(`${folder}-`);
  const manifest = {
    private: true,
    dependencies: { verdaccio: verdaccioVersion },
    // It depends on a dist-tag of node-fetch that is gone.
    overrides: { 'node-fetch': '^2.7.0' },
  };
  await writeFile(path.join(workspace, 'package.json'), JSON.stringify(manifest));
  await runOrThrow('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: workspace,
    env: plainEnvironment(),
    timeLimit: 300_000,
  });
  await rename(workspace, folder).catch(() => rm(workspace, { recursive: true }));
  return program;
}

/** Makes a user and answers a token to publish with. */
export async function verdaccioToken(origin: string): Promise<string> {
  const { statusCode, body } = await request(`${origin}/-/user/org.couchdb.user:bench`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', password: 'bench-password-1', type: 'user', roles: [] }),
  });
  const { token } = (await body.json()) as { token?: string };
  if (token === undefined) throw new Error(`Verdaccio gave no token (${statusCode}).`);
  return token;
}
