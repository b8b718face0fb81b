import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { dataDirOption } from '../data-dir.ts';
import { printText, remark } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';
import type { CommandRegistry } from '../with-registry.ts';

interface ConnectOptions {
  readonly dataDir: string;
  readonly project: string;
  readonly tool: 'npm' | 'yarn' | 'yarn1' | 'corepack';
  readonly scope?: string;
  readonly dir: string;
  readonly user: string;
  readonly origin?: string;
  readonly undo: boolean;
}

/** `gatehouse connect`: writes the registry into the settings of a folder, and takes it out again. */
export function connectCommand(): Command {
  return new Command('connect')
    .description('point the npm, pnpm, yarn or bun of a folder at this registry')
    .addOption(dataDirOption())
    .option('--project <path>', 'project that packages are published to', 'local/packages')
    .addOption(
      new Option(
        '--tool <tool>',
        'npm writes .npmrc, for pnpm, bun and deno too; yarn writes .yarnrc.yml; corepack prints variables',
      )
        .choices(['npm', 'yarn', 'yarn1', 'corepack'])
        .default('npm'),
    )
    .addOption(
      new Option('--scope <scope>', 'only for packages of this scope, for instance @acme').argParser(parseScope),
    )
    .option('--dir <folder>', 'folder whose settings are written', '.')
    .option('--user <username>', 'owner of the token', 'root')
    .option('--origin <url>', 'address of the server; default: the running one')
    .option('--undo', 'remove the lines again', false)
    .action((options: ConnectOptions) =>
      withRegistry({ ...options, mayCreate: !options.undo }, async (registry) => {
        const folder = resolve(options.dir);
        if (options.undo) {
          const { restored } = await registry.call('connect.undo', { folder });
          remark(restored ? 'The former settings are back.' : 'There is nothing to undo here.');
          return;
        }
        const projectId = (await registry.project(options.project)).id;
        const userId = (await registry.user(options.user)).id;
        const origin = options.origin?.replace(/(?<!\/)\/+$/, '') ?? (await originOf(registry));
        if (options.tool === 'corepack') {
          const variables = await registry.call('connect.corepack', { projectId, userId, origin });
          printText(
            Object.entries(variables)
              .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`)
              .join(''),
          );
          remark('Set them with: eval "$(gatehouse connect --tool corepack)"');
          return;
        }
        const target = { projectId, scope: options.scope ?? null, folder, tool: options.tool };
        const { file } = await registry.call('connect.writeFor', { ...target, userId, origin });
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
