import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { request } from 'undici';
import { cacheFolder } from '../../support/cache-folder.ts';
import { runCommand } from '../../support/run-command.ts';
import { npmCommand } from './npm-command.ts';
import { freePort } from '../../support/free-port.ts';
import { plainEnvironment, startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

export const verdaccioVersion = '6.10.4';

/** Everything that costs it time and that it can do without here is off: log, web page, uplinks, audits. Tokens are JWT. */
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

/** Installs Verdaccio into the cache folder if it is not there, and answers the path of its program. */
export async function installVerdaccio(): Promise<string> {
  const folder = path.join(cacheFolder, 'bench', `verdaccio-${verdaccioVersion}`);
  const program = path.join(folder, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  const manifest = {
    name: 'gatehouse-bench-verdaccio',
    private: true,
    dependencies: { verdaccio: verdaccioVersion },
    // It asks for a dist-tag of node-fetch that is gone.
    overrides: { 'node-fetch': '^2.7.0' },
  };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  const [command, ...args] = npmCommand();
  const { code, output } = await runCommand(
    command,
    [...args, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: folder, env: plainEnvironment(), timeLimit: 300_000 },
  );
  if (code !== 0) throw new Error(`Verdaccio could not be installed:\n${output}`);
  return program;
}

/** Writes its configuration into a new folder, which then holds its data too. */
export async function prepareVerdaccio(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'storage'), { recursive: true });
  await writeFile(path.join(folder, 'config.yaml'), configuration);
}

/** Starts it on a prepared folder. */
export async function startVerdaccio(program: string, folder: string): Promise<ServerProcess> {
  const port = await freePort();
  return startServer({
    command: process.execPath,
    args: [program, '--config', path.join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`],
    cwd: folder,
    port,
    readyPath: '/-/ping',
  });
}

/** Makes a user and answers the token to publish with. */
export async function verdaccioToken(origin: string): Promise<string> {
  const { statusCode, body } = await request(`${origin}/-/user/org.couchdb.user:bench`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', password: 'bench-password-1', type: 'user', roles: [] }),
  });
  const answer = (await body.json()) as { token?: string };
  if (answer.token === undefined) throw new Error(`Verdaccio gave no token (${statusCode}).`);
  return answer.token;
}
