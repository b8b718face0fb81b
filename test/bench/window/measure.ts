import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureScrolling } from './scrolling.ts';
import { measureSearch } from './search.ts';
import { measureStart } from './start.ts';
import { openManyPackages } from './many-packages.ts';

/** Runs in a display with an Electron in the environment; `test/bench/window.ts` brings both. */
const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    packages: { type: 'string', default: '10000' },
  },
});

const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-bench-window-'));
try {
  const start = await measureStart(folder, Number(values.rounds));
  const ratio = start.gatehouse / start.empty;
  say(
    `first paint: ${ms(start.gatehouse)}, of an empty window ${ms(start.empty)}: ${ratio.toFixed(2)} times (goal 1.5)`,
  );

  const many = await openManyPackages(folder, Number(values.packages));
  try {
    const search = await measureSearch(many.page);
    say(`search among ${values.packages}: median ${ms(search.median)}, slowest ${ms(search.slowest)} (goal 50 ms)`);
    const scrolling = await measureScrolling(many.page);
    say(`scrolling: ${scrolling.drawn} frames drawn, ${scrolling.dropped} dropped (goal 0)`);
    const report = { start: { ...start, ratio }, packages: Number(values.packages), search, scrolling };
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await many.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
