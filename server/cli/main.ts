#!/usr/bin/env node
import nodeModule from 'node:module';
import { exitCodes } from '../contract/errors.ts';
import { nodeCanServe, oldestNode } from '../contract/node-version.ts';
import { compileCacheFolder } from './compile-cache.ts';

// Every start but the first finds its code compiled. Older Nodes, which are refused below, lack this: imported by its name it would end them.
const compiled = compileCacheFolder();
if (compiled !== undefined) nodeModule.enableCompileCache?.(compiled);

// Checked before anything is imported that needs a newer Node.
if (!nodeCanServe(process.versions.node)) {
  process.stderr.write(`gatehouse: Node ${oldestNode} or newer is needed, this is ${process.versions.node}.\n`);
  process.exit(exitCodes.failed);
}

const { runCommand } = await import('./program.ts');
await runCommand();
// A utility process of the desktop app does not end with its event loop. A server ends by itself when its last message is sent.
if ('parentPort' in process && process.argv[2] !== 'serve') process.stdout.write('', () => process.exit());
