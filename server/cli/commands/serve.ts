import { Command, InvalidArgumentError, Option } from 'commander';
import type { OpenRegistry } from '../../compose.ts';
import { isLoopback } from '../../contract/loopback.ts';
import { runServer } from '../../serve.ts';
import type { ServeOptions } from '../../serve.ts';
import type { RunningServer } from '../../services.ts';
import { dataDirOption } from '../data-dir.ts';
import { printJson, printText, wholeNumber } from '../terminal.ts';

/** `gatehouse serve`: the registry without a window. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the registry until SIGINT or SIGTERM')
    .addOption(dataDirOption())
    .addOption(
      new Option('--host <address>', 'address to listen on')
        .env('GATEHOUSE_HOST')
        .default('127.0.0.1')
        // Listening on an empty address would serve everyone.
        .argParser((address) => address || '127.0.0.1'),
    )
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 picks a free one')
        .env('GATEHOUSE_PORT')
        .default(4899)
        .argParser(wholeNumber(0, 65_535, 'A port is a number from 0 to 65535.')),
    )
    .addOption(
      new Option('--max-tarball <mebibytes>', 'largest tarball that a publish may have, in MiB (500)')
        .env('GATEHOUSE_MAX_TARBALL')
        .argParser(wholeNumber(1, 99_999, 'The largest tarball is a number of MiB from 1 to 99999.')),
    )
    .option('--json', 'print one line of JSON with the address', false)
    .option('--allow-host <name...>', 'further host names that clients may use')
    .option('--trust-proxy', 'trust X-Forwarded-* headers', false)
    .addOption(
      new Option('--external-url <url>', 'address of the registry in responses')
        .env('GATEHOUSE_EXTERNAL_URL')
        .argParser(parseUrl),
    )
    .addOption(
      new Option('--log-level <level>', 'how much to log')
        .env('GATEHOUSE_LOG_LEVEL')
        .choices(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
        .default('warn'),
    )
    .addOption(new Option('--control', 'serve the desktop app over the control link').default(false).hideHelp())
    .action((options: ServeOptions & { json: boolean }) =>
      runServer(options, (registry, server) => announce(registry, server, options)),
    );
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href.replace(/(?<!\/)\/+$/, '');
  throw new InvalidArgumentError('The address must start with http:// or https://.');
}

/** Says where the server listens and which `.npmrc` lines point at it. */
function announce(registry: OpenRegistry, server: RunningServer, options: { json: boolean; host: string }): void {
  const project = registry.directory.findProject(1) ?? registry.directory.allProjects()[0];
  const scope = project ? `/projects/${project.id}` : '';
  const address = `${server.origin}/api/v4${scope}/packages/npm/`;
  const { path, rootTokenFile } = registry.folder;
  if (options.json) {
    const { origin, port } = server;
    const facts = { origin, port, pid: process.pid, dataDir: path, registry: address, rootTokenFile };
    printJson(facts, 0);
    return;
  }
  printText(`Gatehouse ${registry.version} serves at ${server.origin}
  data folder  ${path}
  root token   ${rootTokenFile}

Put these lines into the .npmrc of a project, with the token from that file:

  registry=${address}
  ${address.replace(/^http:/, '')}:_authToken=\${GATEHOUSE_TOKEN}

`);
  if (!isLoopback(options.host)) {
    printText(
      `Note: it listens on ${options.host}. Every machine that can reach this one can try tokens and read public packages, over plain HTTP.\n\n`,
    );
  }
}
