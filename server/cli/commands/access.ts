import { Command } from 'commander';
import { exitCodes } from '../../contract/errors.ts';
import { dataDirOption } from '../data-dir.ts';
import { print, printJson, table } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

interface AccessOptions {
  readonly dataDir: string;
  readonly user?: string;
  readonly json: boolean;
}

/** `gatehouse access`: who may deploy where, and why. Exits 1 if the user of `--user` may not. */
export function accessCommand(): Command {
  return new Command('access')
    .description('show who may deploy to an environment, and why')
    .argument('<project>', 'number or path, for instance local/packages')
    .argument('<environment>', 'name of the environment; it need not exist')
    .addOption(dataDirOption())
    .option('--user <username>', 'check one user: prints yes or no, and exits 1 for no')
    .option('--json', 'print JSON', false)
    .action((project: string, environment: string, options: AccessOptions) =>
      withRegistry(options, async (registry) => {
        const projectId = (await registry.project(project)).id;
        if (options.user === undefined) {
          const [access] = await registry.call('environments.access', { projectId, name: environment });
          const users = access?.users ?? [];
          if (options.json) printJson(users);
          else for (const line of table(users.map(({ user, reason }) => [user.username, reason]))) print(line);
          return;
        }
        const userId = (await registry.user(options.user)).id;
        const decision = await registry.call('environments.decide', { projectId, name: environment, userId });
        if (options.json) printJson(decision);
        else print(`${decision.allowed ? 'yes' : 'no'}: ${decision.reason}`);
        if (!decision.allowed) process.exitCode = exitCodes.failed;
      }),
    );
}
