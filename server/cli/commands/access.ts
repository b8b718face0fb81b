import { Command } from 'commander';
import { exitCodes } from '../../contract/errors.ts';
import { dataDirOption } from '../data-dir.ts';
import { projectNamed, withPeople } from '../open-people.ts';
import { print, printJson, table } from '../print.ts';
import { userNamed } from './token.ts';

interface AccessOptions {
  readonly dataDir: string;
  readonly user?: string;
  readonly json: boolean;
}

/** `gatehouse access`: who may deploy where, and why. Exits 1 if the user who was asked about may not. */
export function accessCommand(): Command {
  return new Command('access')
    .description('say who may deploy to an environment, and why')
    .argument('<project>', 'number or path, for instance local/packages')
    .argument('<environment>', 'its name; it need not exist')
    .addOption(dataDirOption())
    .option('--user <username>', 'ask about one user: says yes or no, and exits 1 for no')
    .option('--json', 'print the answer as JSON', false)
    .action((project: string, environment: string, options: AccessOptions) =>
      withPeople(options.dataDir, (people) => {
        const { id } = projectNamed(people, project);
        const { access } = people.environments;
        if (options.user === undefined) {
          const everyone = access.everyone(id, environment);
          if (options.json) printJson(everyone);
          else for (const line of table(everyone.map(({ user, reason }) => [user.username, reason]))) print(line);
          return;
        }
        const answer = access.ofUser(id, environment, userNamed(people, options.user).id);
        if (options.json) printJson(answer);
        else print(`${answer.allowed ? 'yes' : 'no'}: ${answer.reason}`);
        if (!answer.allowed) process.exitCode = exitCodes.failed;
      }),
    );
}
