import { Command } from 'commander';
import { gatehouseVersion } from '../lib/version.ts';
import { accessCommand } from './commands/access.ts';
import { advisoriesCommand } from './commands/advisories.ts';
import { auditCommand } from './commands/audit.ts';
import { connectCommand } from './commands/connect.ts';
import { backupCommand } from './commands/backup.ts';
import { doctorCommand } from './commands/doctor.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { offlineCommand } from './commands/offline.ts';
import { prefetchCommand } from './commands/prefetch.ts';
import { pushCommand } from './commands/push.ts';
import { upstreamCommand } from './commands/upstream.ts';
import { publishAgeCommand } from './commands/publish-age.ts';
import { restoreCommand } from './commands/restore.ts';
import { rulesCommand } from './commands/rules.ts';
import { serveCommand } from './commands/serve.ts';
import { snapshotCommand } from './commands/snapshot.ts';
import { tokenCommand } from './commands/token.ts';
import { userCommand } from './commands/user.ts';

/** What makes each subcommand, in the order in which the help lists them. Behind functions, since naming one would load its file. */
const commands: Readonly<Record<string, () => Command>> = {
  serve: () => serveCommand(),
  connect: () => connectCommand(),
  doctor: () => doctorCommand(),
  backup: () => backupCommand(),
  restore: () => restoreCommand(),
  snapshot: () => snapshotCommand(),
  token: () => tokenCommand(),
  user: () => userCommand(),
  advisories: () => advisoriesCommand(),
  'publish-age': () => publishAgeCommand(),
  access: () => accessCommand(),
  rules: () => rulesCommand(),
  audit: () => auditCommand(),
  upstream: () => upstreamCommand(),
  offline: () => offlineCommand(),
  prefetch: () => prefetchCommand(),
  push: () => pushCommand(),
  export: () => exportCommand(),
  import: () => importCommand(),
};

/**
 * The `gatehouse` command. Only the subcommand that is named is made, so that the others are not even loaded; all are where none is, or
 * one that does not exist, as the help and the error then speak of them.
 * @param name first argument of the command line
 */
export function buildProgram(name: string | undefined): Command {
  const program = new Command('gatehouse')
    .description('An npm registry on your laptop that speaks GitLab’s package and protected environment APIs')
    .version(gatehouseVersion())
    .showHelpAfterError('(add --help for help)');
  const named = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  for (const make of named ? [named] : Object.values(commands)) program.addCommand(make());
  return throwing(program);
}

/** Lets a command and all below it throw where they would end the process, so that exit codes are decided in one place. */
function throwing(command: Command): Command {
  command.exitOverride();
  for (const below of command.commands) throwing(below);
  return command;
}
