import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { connectFolder, disconnectFolder } from '../../registry/connect/connect-folder.ts';
import { dataDirOption } from '../data-dir.ts';
import { cliActor, projectNamed, withPeople } from '../open-people.ts';
import { remark } from '../print.ts';
import { userNamed } from './token.ts';

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
    .addOption(new Option('--scope <scope>', 'only packages of this scope, for instance @acme').argParser(parseScope))
    .option('--dir <folder>', 'folder whose .npmrc is written', '.')
    .option('--user <username>', 'whose token it is', 'root')
    .option('--origin <url>', 'address of the server; the running one is found by itself')
    .option('--undo', 'take the lines out again', false)
    .action((options: ConnectOptions) =>
      withPeople(options.dataDir, async (people) => {
        const { tokens } = people.people;
        if (options.undo) {
          const restored = await disconnectFolder(options.dir, tokens, cliActor);
          remark(restored ? 'The former .npmrc is back.' : 'There is nothing to undo here.');
          return;
        }
        const project = projectNamed(people, options.project);
        const origin = options.origin?.replace(/(?<!\/)\/+$/, '') ?? originOfServer(options.dataDir);
        const input = {
          folder: options.dir,
          scope: options.scope ?? null,
          registry: `${origin}/api/v4/projects/${project.id}/packages/npm/`,
        };
        const { file } = await connectFolder(input, tokens, cliActor, userNamed(people, options.user).id);
        remark(`${file} points at ${input.registry}. "gatehouse connect --undo" takes the lines out again.`);
      }),
    );
}

function parseScope(value: string): string {
  if (/^@[a-z0-9_.][a-z0-9_.-]*$/i.test(value)) return value;
  throw new InvalidArgumentError('A scope is written as @acme.');
}

const holder = z.object({ port: z.int().positive() });

/** Where the server of this data folder listens, or would by default. */
function originOfServer(dataDir: string): string {
  try {
    return `http://localhost:${holder.parse(JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8'))).port}`;
  } catch {
    return `http://localhost:${process.env['GATEHOUSE_PORT'] ?? 4899}`;
  }
}
