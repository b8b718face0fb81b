import { Command, CommanderError } from 'commander';
import { exitCodes } from '../contract/errors.ts';
import { explainFileError } from '../lib/file-error.ts';
import { StartupError } from '../lib/startup-error.ts';
import { gatehouseVersion } from '../lib/version.ts';
import { printText } from './terminal.ts';

/** Makes each subcommand, in the order of the help. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  connect: async () => (await import('./commands/connect.ts')).connectCommand(),
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  backup: async () => (await import('./commands/backup.ts')).backupCommand(),
  restore: async () => (await import('./commands/restore.ts')).restoreCommand(),
  snapshot: async () => (await import('./commands/snapshot.ts')).snapshotCommand(),
  token: async () => (await import('./commands/token.ts')).tokenCommand(),
  user: async () => (await import('./commands/user.ts')).userCommand(),
  advisories: async () => (await import('./commands/advisories.ts')).advisoriesCommand(),
  'publish-age': async () => (await import('./commands/publish-age.ts')).publishAgeCommand(),
  access: async () => (await import('./commands/access.ts')).accessCommand(),
  guard: async () => (await import('./commands/guard.ts')).guardCommand(),
  rules: async () => (await import('./commands/rules.ts')).rulesCommand(),
  audit: async () => (await import('./commands/audit.ts')).auditCommand(),
  upstream: async () => (await import('./commands/upstream.ts')).upstreamCommand(),
  offline: async () => (await import('./commands/offline.ts')).offlineCommand(),
  prefetch: async () => (await import('./commands/prefetch.ts')).prefetchCommand(),
  push: async () => (await import('./commands/push.ts')).pushCommand(),
  export: async () => (await import('./commands/export.ts')).exportCommand(),
  import: async () => (await import('./commands/import.ts')).importCommand(),
};

/** Runs the command that the arguments of this process name; sets its exit code. Errors end as one line. */
export async function runCommand(): Promise<void> {
  // Whatever is written is for this user alone, from the moment it is made.
  process.umask(0o077);
  try {
    // Inside Electron the argument parser would expect the command line of a packed app.
    const program = await buildProgram(process.argv[2]);
    await program.parseAsync(process.argv, { from: 'node' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    else {
      // Indented below the first line, a message passes for nothing that this command says.
      const message = describe(error).replaceAll('\n', '\n  ');
      printText(`gatehouse: ${message}\n`, 'stderr');
      process.exitCode = error instanceof StartupError ? exitCodes[error.failure] : exitCodes.failed;
    }
  }
}

function describe(error: unknown): string {
  return explainFileError(error) ?? (error instanceof Error ? error.message : String(error));
}

/**
 * The `gatehouse` command with the subcommand that is named. Without one, or with an unknown one, it has all of them, for the help.
 * @param name first argument of the command line
 */
export async function buildProgram(name?: string): Promise<Command> {
  const program = new Command('gatehouse')
    .description('An npm registry on your laptop that speaks GitLab’s package and protected environment APIs')
    .version(gatehouseVersion())
    .showHelpAfterError('(add --help for help)');
  const named = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  for (const make of named ? [named] : Object.values(commands)) program.addCommand(await make());
  return throwing(program);
}

/** Makes a command and its subcommands throw instead of ending the process: exit codes are decided in one place. */
function throwing(command: Command): Command {
  command.exitOverride();
  command.configureOutput({ writeErr: (text) => printText(text, 'stderr') });
  for (const below of command.commands) throwing(below);
  return command;
}
