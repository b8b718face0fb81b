import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureScrolling } from './scrolling.ts';
import { measureSearch } from './search.ts';
import { measureStart, type StartTimes } from './start.ts';
import { openManyPackages } from './many-packages.ts';

/** Runs in a display with an Electron in the environment; `test/bench/window.ts` brings both. */
const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    packages: { type: 'string', default: '10000' },
    only: { type: 'string' },
  },
});

const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-bench-window-'));
try {
  const start = await measureStart(folder, Number(values.rounds));
  for (const kind of ['first', 'later'] as const) sayStart(kind, start[kind]);
  if (values.only === 'start') await keep({ start });
  else await measureMany(start);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The goal is about a window that can be used; that something is painted is told beside it. */
function sayStart(kind: string, { gatehouse, empty }: StartTimes['first']): void {
  say(`${kind} start: usable after ${ms(gatehouse.usable)}, an empty window after ${ms(empty.usable)}`);
  say(
    `  ${(gatehouse.usable / empty.usable).toFixed(2)} times (goal 1.5); first paint ${ms(gatehouse.painted)}, ${(gatehouse.painted / empty.painted).toFixed(2)} times`,
  );
  for (const [name, parts] of Object.entries({ gatehouse, empty })) {
    say(
      `  ${name}: ${Object.entries(parts)
        .map(([part, time]) => `${part} ${ms(time)}`)
        .join(', ')}`,
    );
  }
}

async function measureMany(start: StartTimes): Promise<void> {
  const many = await openManyPackages(folder, Number(values.packages));
  try {
    const search = await measureSearch(many.page);
    say(`search among ${values.packages}: median ${ms(search.median)}, slowest ${ms(search.slowest)} (goal 50 ms)`);
    const scrolling = await measureScrolling(many.page);
    say(`scrolling: ${scrolling.drawn} frames drawn, ${scrolling.dropped} dropped (goal 0)`);
    await keep({ start, packages: Number(values.packages), search, scrolling });
  } finally {
    await many.close();
  }
}

async function keep(report: object): Promise<void> {
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
