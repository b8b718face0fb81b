import path from 'node:path';
import { runInPlace } from '../../scripts/child.ts';
import setUpDesktop from '../support/desktop/setup.ts';

/** `npm run bench:window [-- --json FILE] [--only start] [--rounds N]`: how soon the window is there, and how it bears 10,000 packages. */
const tearDown = await setUpDesktop();
const measure = path.join(import.meta.dirname, 'window/measure.ts');
process.exitCode = await runInPlace(process.execPath, [measure, ...process.argv.slice(2)], process.env);
tearDown();
