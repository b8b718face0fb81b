import { isLoopback } from '../lib/loopback.ts';
import type { RunningServer } from '../services.ts';
import type { OpenRegistry } from '../compose.ts';

/** What a person, or with `json` a program, needs to know of a server that just started. */
export function describeServer(
  registry: OpenRegistry,
  server: RunningServer,
  options: { json: boolean; host: string },
): string {
  const project = registry.directory.findProject(1) ?? registry.directory.allProjects()[0];
  const address = project
    ? `${server.origin}/api/v4/projects/${project.id}/packages/npm/`
    : `${server.origin}/api/v4/packages/npm/`;
  if (options.json) {
    return `${JSON.stringify({
      origin: server.origin,
      port: server.port,
      pid: process.pid,
      dataDir: registry.folder.path,
      registry: address,
      rootTokenFile: registry.folder.rootTokenFile,
    })}\n`;
  }
  const lines = [
    `Gatehouse ${registry.version} serves at ${server.origin}`,
    `  data folder  ${registry.folder.path}`,
    `  root token   ${registry.folder.rootTokenFile}`,
    '',
    'Put these lines into the .npmrc of a project, with the token from that file:',
    '',
    `  registry=${address}`,
    `  ${address.replace(/^http:/, '')}:_authToken=\${GATEHOUSE_TOKEN}`,
    '',
  ];
  if (!isLoopback(options.host)) {
    lines.push(
      `Note: it listens on ${options.host}, so every machine that can reach this one can try tokens and read public packages, over plain HTTP.`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}
