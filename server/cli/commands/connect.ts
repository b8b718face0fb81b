import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { dataDirOption } from '../data-dir.ts';
import { remark } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';
import type { CommandRegistry } from '../with-registry.ts';

interface ConnectOptions {
  readonly dataDir: string;
  readonly project: string;
  readonly scope?: string;
  readonly dir: string;
  readonly user: string;
  readonly origin?: string;
  readonly undo: boolean;
}

/** `gatehouse connect`: writes the `.npmrc` lines for a project folder, and takes them out again. */
export function connectCommand(): Command {
  return new Command('connect')
    .description('point the npm, pnpm, yarn or bun of a folder at this registry')
    .addOption(dataDirOption())
    .option('--project <path>', 'project that packages are published to', 'local/packages')
    .addOption(
      new Option('--scope <scope>', 'only for packages of this scope, for instance @acme').argParser(parseScope),
    )
    .option('--dir <folder>', 'folder whose .npmrc is written', '.')
    .option('--user <username>', 'owner of the token', 'root')
    .option('--origin <url>', 'address of the server; default: the running one')
    .option('--undo', 'remove the lines again', false)
    .action((options: ConnectOptions) =>
      withRegistry({ ...options, mayCreate: !options.undo }, async (registry) => {
        const folder = resolve(options.dir);
        if (options.undo) {
          const { restored } = await registry.call('connect.undo', { folder });
          remark(restored ? 'The former .npmrc is back.' : 'There is nothing to undo here.');
          return;
        }
        const projectId = (await registry.project(options.project)).id;
        const userId = (await registry.user(options.user)).id;
        const origin = options.origin?.replace(/(?<!\/)\/+$/, '') ?? (await originOf(registry));
        const scope = options.scope ?? null;
        const { file } = await registry.call('connect.writeFor', { projectId, scope, folder, userId, origin });
        const address = `${origin}/api/v4/projects/${projectId}/packages/npm/`;
        remark(`${file} points at ${address}. "gatehouse connect --undo" takes the lines out again.`);
      }),
    );
}

function parseScope(value: string): string {
  if (/^@[a-z0-9_.][a-z0-9_.-]*$/i.test(value)) return value;
  throw new InvalidArgumentError('A scope is written as @acme.');
}

/** Where the server listens, or would by default. */
async function originOf(registry: CommandRegistry): Promise<string> {
  if (registry.isServed) return (await registry.call('server.status', {})).origin;
  return `http://localhost:${process.env['GATEHOUSE_PORT'] ?? 4899}`;
}
