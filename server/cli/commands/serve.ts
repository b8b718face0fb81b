import { Command, InvalidArgumentError, Option } from 'commander';
import { runServer } from '../run-server.ts';
import type { ServeOptions } from '../run-server.ts';
import { dataDirOption } from '../data-dir.ts';

/** `gatehouse serve`: the registry without a window. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the registry until it is told to stop')
    .addOption(dataDirOption())
    .addOption(new Option('--host <address>', 'address to listen on').env('GATEHOUSE_HOST').default('127.0.0.1'))
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 picks a free one')
        .env('GATEHOUSE_PORT')
        .default(4899)
        .argParser(parsePort),
    )
    .addOption(
      new Option('--max-tarball <mebibytes>', 'largest tarball that a publish may have, in MiB (500)')
        .env('GATEHOUSE_MAX_TARBALL')
        .argParser(parseMebibytes),
    )
    .option('--json', 'say where it listens as one line of JSON', false)
    .option('--allow-host <name...>', 'further host names that clients may use')
    .option('--trust-proxy', 'believe X-Forwarded-* headers', false)
    .addOption(
      new Option('--external-url <url>', 'address that clients are told')
        .env('GATEHOUSE_EXTERNAL_URL')
        .argParser(parseUrl),
    )
    .addOption(
      new Option('--log-level <level>', 'how much to log')
        .env('GATEHOUSE_LOG_LEVEL')
        .choices(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
        .default('warn'),
    )
    .addOption(
      new Option('--control', 'take calls from the desktop app over the control link').default(false).hideHelp(),
    )
    .action((options: ServeOptions) => runServer(options));
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

function parseMebibytes(text: string): number {
  const mebibytes = Number(text);
  if (/^\d{1,5}$/.test(text) && mebibytes >= 1) return mebibytes;
  throw new InvalidArgumentError('The largest tarball is a number of MiB from 1 to 99999.');
}

function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href.replace(/(?<!\/)\/+$/, '');
  throw new InvalidArgumentError('The address must start with http:// or https://.');
}
