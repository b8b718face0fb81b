import { CommanderError } from 'commander';
import { exitCodes } from '../contract/errors.ts';
import { StartError } from '../storage/start-error.ts';
import { buildProgram } from './program.ts';

// Nothing is imported above this line that needs a newer Node than the one that may run this, except for what is said here first.
if (Number(process.versions.node.split('.')[0]) < 22) {
  process.stderr.write(`gatehouse: Node 22 or newer is needed, this is ${process.versions.node}.\n`);
  process.exit(exitCodes.failed);
}

try {
  // Inside Electron the argument parser would expect the command line of a packed app.
  await buildProgram().parseAsync(process.argv, { from: 'node' });
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  else {
    process.stderr.write(`gatehouse: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof StartError ? exitCodes[error.failure] : exitCodes.failed;
  }
}
