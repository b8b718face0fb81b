import { enableCompileCache } from 'node:module';
import { exitCodes } from '../contract/errors.ts';

// A start compiles two megabytes of source; the second one finds them compiled. Older Nodes lack it and are told off below.
enableCompileCache?.();

// Said before anything is imported that needs a newer Node than the one that may run this.
if (Number(process.versions.node.split('.')[0]) < 22) {
  process.stderr.write(`gatehouse: Node 22 or newer is needed, this is ${process.versions.node}.\n`);
  process.exit(exitCodes.failed);
}

void import('./run-command.ts').then(({ runCommand }) => runCommand());
