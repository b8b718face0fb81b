import { Command, Option } from 'commander';
import { GatehouseError } from '../../contract/errors.ts';
import { hasEffect, type OnRefusal, onRefusal, type TagGuardView } from '../../contract/guards.ts';
import { dataDirOption } from '../data-dir.ts';
import { print, printJson, remark, table } from '../terminal.ts';
import { withRegistry } from '../with-registry.ts';

interface SetOptions {
  readonly dataDir: string;
  readonly environment?: string;
  readonly allowSelfApproval?: boolean;
  readonly deployersWait?: boolean;
  readonly onRefusal?: OnRefusal;
}

const project = ['<project>', 'number or path, for instance local/packages'] as const;
const pattern = 'a dist-tag, or a pattern with *, for instance "*-lts"';

/** `gatehouse guard`: which environment decides who may move which dist-tags. */
export function guardCommand(): Command {
  return new Command('guard')
    .description('let environments decide who may move dist-tags')
    .addCommand(listCommand())
    .addCommand(setCommand())
    .addCommand(deleteCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('show the guards of a project')
    .argument(...project)
    .addOption(dataDirOption())
    .option('--json', 'print JSON', false)
    .action((reference: string, options: { dataDir: string; json: boolean }) =>
      withRegistry(options, async (registry) => {
        const projectId = (await registry.project(reference)).id;
        const list = await registry.call('guards.list', { projectId });
        if (options.json) printJson(list);
        else {
          for (const line of table(list.guards.map(describe))) print(line);
          remark(list.guards.length === 0 ? 'No tag is guarded.' : `A change that is not allowed: ${list.onRefusal}.`);
        }
      }),
    );
}

function describe(guard: TagGuardView): string[] {
  return [
    guard.pattern,
    guard.environment,
    guard.protected ? 'protected' : 'not protected',
    guard.allowSelfApproval ? 'self-approval' : '',
    guard.deployersWait ? 'deployers wait' : '',
  ];
}

function setCommand(): Command {
  return new Command('set')
    .description('guard dist-tags by an environment, or change what becomes of a change that is not allowed')
    .argument(...project)
    .argument('[pattern]', pattern)
    .addOption(dataDirOption())
    .option('--environment <name>', 'who may deploy there may move the tags; it need not exist')
    .option('--allow-self-approval', 'users may approve their own requests')
    .option('--no-allow-self-approval', 'others have to approve it')
    .option('--deployers-wait', 'users who may deploy need an approval, too; administrators never do')
    .option('--no-deployers-wait', 'users who may deploy publish at once')
    .addOption(
      new Option('--on-refusal <what>', 'refuse what is not allowed, or let it wait for approval').choices(
        onRefusal.options,
      ),
    )
    .action((reference: string, tags: string | undefined, options: SetOptions) =>
      withRegistry(options, async (registry) => {
        const { environment, allowSelfApproval, deployersWait } = options;
        if ((tags === undefined) !== (environment === undefined) || (tags ?? options.onRefusal) === undefined) {
          throw new GatehouseError('invalid_request', 'Give a pattern with --environment, or --on-refusal.');
        }
        const projectId = (await registry.project(reference)).id;
        if (tags !== undefined && environment !== undefined) {
          const settings = { environment, allowSelfApproval, deployersWait };
          await registry.call('guards.set', { projectId, pattern: tags, ...settings });
          remark(`${environment} decides who may move ${tags}.`);
          const { guards, onRefusal } = await registry.call('guards.list', { projectId });
          if (deployersWait === true && (options.onRefusal ?? onRefusal) === 'refuse')
            remark('Only administrators publish then, until --on-refusal stage lets the others wait.');
          if (guards.some((guard) => guard.pattern === tags && !hasEffect(guard)))
            remark(`${environment} is not protected yet: until it is, the Developer role is enough.`);
        }
        if (options.onRefusal === undefined) return;
        await registry.call('guards.settings', { projectId, onRefusal: options.onRefusal });
        remark(`A change that is not allowed: ${options.onRefusal}.`);
      }),
    );
}

function deleteCommand(): Command {
  return new Command('delete')
    .description('end a guard; the role alone decides then')
    .argument(...project)
    .argument('<pattern>', pattern)
    .addOption(dataDirOption())
    .action((reference: string, tags: string, options: { dataDir: string }) =>
      withRegistry(options, async (registry) => {
        const projectId = (await registry.project(reference)).id;
        await registry.call('guards.remove', { projectId, pattern: tags });
        remark(`${tags} is not guarded any more.`);
      }),
    );
}
