import { CommanderError } from 'commander';
import { exitCodes } from '../contract/errors.ts';
import { StartupError } from '../lib/startup-error.ts';
import { buildProgram } from './program.ts';

/** Runs the command that the arguments of this process name; sets its exit code. Errors end as one line. */
export async function runCommand(): Promise<void> {
  try {
    // Inside Electron the argument parser would expect the command line of a packed app.
    const program = await buildProgram(process.argv[2]);
    await program.parseAsync(process.argv, { from: 'node' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    else {
      process.stderr.write(`gatehouse: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = error instanceof StartupError ? exitCodes[error.failure] : exitCodes.failed;
    }
  }
}
