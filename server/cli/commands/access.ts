import { Command } from 'commander';
import { exitCodes, GatehouseError } from '../../contract/errors.ts';
import { dataDirOption } from '../data-dir.ts';
import { print, printJson, remark, table } from '../terminal.ts';
import { type CommandRegistry, withRegistry } from '../with-registry.ts';

interface AccessOptions {
  readonly dataDir: string;
  readonly user?: string;
  readonly tag?: string;
  readonly json: boolean;
}

/** `gatehouse access`: who may deploy where or publish with which dist-tag, and why. Exits 1 if the user of `--user` may not. */
export function accessCommand(): Command {
  return new Command('access')
    .description('show who may deploy to an environment, or publish with a dist-tag, and why')
    .argument('<project>', 'number or path, for instance local/packages')
    .argument('[environment]', 'name of the environment; it need not exist')
    .addOption(dataDirOption())
    .option('--tag <tag>', 'instead of an environment: what "npm publish --tag TAG" would do')
    .option('--user <username>', 'check one user: prints yes or no, and exits 1 for no')
    .option('--json', 'print JSON', false)
    .action((project: string, environment: string | undefined, options: AccessOptions) =>
      withRegistry(options, async (registry) => {
        const projectId = (await registry.project(project)).id;
        if (options.tag !== undefined && environment === undefined) {
          await previewPublish(registry, { ...options, projectId, tag: options.tag });
          return;
        }
        if (options.tag !== undefined || environment === undefined) {
          throw new GatehouseError('invalid_request', 'Give an environment, or a dist-tag with --tag.');
        }
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

/** What a publish with a dist-tag would become, for one user or for everyone whose role lets them publish. */
async function previewPublish(
  registry: CommandRegistry,
  { projectId, tag, user, json }: AccessOptions & { readonly projectId: number; readonly tag: string },
): Promise<void> {
  const userId = user === undefined ? undefined : (await registry.user(user)).id;
  const { guard, users } = await registry.call('guards.access', { projectId, tag, userId });
  if (json) printJson({ guard, users });
  else {
    remark(guard ? `"${tag}" is guarded by ${guard.environment}.` : `Nothing guards "${tag}".`);
    for (const line of table(users.map((each) => [each.user.username, each.outcome, each.reason]))) print(line);
  }
  const [asked] = users;
  if (userId !== undefined && asked?.outcome !== 'published') process.exitCode = exitCodes.failed;
}
