import { Command } from 'commander';
import { gatehouseVersion } from '../version.ts';
import { accessCommand } from './commands/access.ts';
import { auditCommand } from './commands/audit.ts';
import { rulesCommand } from './commands/rules.ts';
import { serveCommand } from './commands/serve.ts';
import { tokenCommand } from './commands/token.ts';

/** The `gatehouse` command with all its subcommands. */
export function buildProgram(): Command {
  return new Command('gatehouse')
    .description('An npm registry on your laptop that speaks GitLab’s package and protected environment APIs')
    .version(gatehouseVersion())
    .showHelpAfterError('(add --help for help)')
    .exitOverride()
    .addCommand(serveCommand())
    .addCommand(tokenCommand())
    .addCommand(accessCommand())
    .addCommand(rulesCommand())
    .addCommand(auditCommand());
}
