import path from 'node:path';
import { prepareDesktop } from '../../scripts/desktop.ts';
import { passThrough } from '../../scripts/pass-through.ts';

/** `npm run bench:window [-- --json FILE] [--only start] [--rounds N]`: how soon the window is there, and how it bears 10,000 packages. */
const { wrapper, env } = await prepareDesktop();
const measure = [process.execPath, path.join(import.meta.dirname, 'window/measure.ts'), ...process.argv.slice(2)];
const [command = '', ...args] = [...wrapper, ...measure];
process.exitCode = await passThrough(command, args, env);
