import { Command } from 'commander';
import { gatehouseVersion } from '../version.ts';
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

/** The `gatehouse` command with all its subcommands. */
export function buildProgram(): Command {
  const program = new Command('gatehouse')
    .description('An npm registry on your laptop that speaks GitLab’s package and protected environment APIs')
    .version(gatehouseVersion())
    .showHelpAfterError('(add --help for help)')
    .addCommand(serveCommand())
    .addCommand(connectCommand())
    .addCommand(doctorCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(snapshotCommand())
    .addCommand(tokenCommand())
    .addCommand(userCommand())
    .addCommand(advisoriesCommand())
    .addCommand(publishAgeCommand())
    .addCommand(accessCommand())
    .addCommand(rulesCommand())
    .addCommand(auditCommand())
    .addCommand(upstreamCommand())
    .addCommand(offlineCommand())
    .addCommand(prefetchCommand())
    .addCommand(pushCommand())
    .addCommand(exportCommand())
    .addCommand(importCommand());
  return throwing(program);
}

/** Lets a command and all below it throw where they would end the process, so that exit codes are decided in one place. */
function throwing(command: Command): Command {
  command.exitOverride();
  for (const below of command.commands) throwing(below);
  return command;
}
