import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { GatehouseProcess } from '../../support/gatehouse-process.ts';
import { dataDir, start } from './data-folder.ts';

/** What a server holds once its garbage is collected, in bytes. */
export interface HeldMemory {
  /** Objects and buffers that something refers to. */
  readonly live: number;
  /** What the system counts for the process: its code, SQLite, and what allocators keep, too. */
  readonly resident: number;
}

// Twice, since buffers are freed by the collection after the one that finds them unused.
const script = `
import { renameSync, writeFileSync } from 'node:fs';
const file = process.env.MEMORY_REPORT;
process.on('SIGUSR2', () => {
  for (let pass = 0; pass < 2; pass += 1) globalThis.gc({ type: 'major', flavor: 'last-resort' });
  const { heapUsed, external, rss } = process.memoryUsage();
  writeFileSync(file + '.new', JSON.stringify({ live: heapUsed + external, resident: rss }));
  renameSync(file + '.new', file);
});`;

const report = (): string => `${dataDir}-memory.json`;

/** Starts a server on the folder of the test that can be asked for what it holds. */
export function startMeasured(): Promise<GatehouseProcess> {
  return start({
    node: ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(script)}`],
    env: { MEMORY_REPORT: report() },
  });
}

/** Collects the garbage of a server of `startMeasured` and measures what is left; one call at a time. */
export async function heldMemory(server: GatehouseProcess): Promise<HeldMemory> {
  const file = report();
  server.signal('SIGUSR2');
  while (!existsSync(file)) {
    if (server.hasEnded) throw new Error('The server ended before it was measured.');
    await wait(10);
  }
  const held = JSON.parse(readFileSync(file, 'utf8')) as HeldMemory;
  rmSync(file);
  return held;
}
