import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import path from 'node:path';
import { projectFolder } from '../../../scripts/folders.ts';
import type { BenchOptions } from '../options.ts';
import { growthPlot } from './growth-plot.ts';
import type { Chart } from './growth-plot.ts';
import type { Row } from './row.ts';
import { markdownTable } from './table.ts';

const page = path.join(projectFolder, 'docs', 'performance.md');
const plot = path.join(projectFolder, 'docs', 'performance.svg');
const begin = '<!-- figures: written by npm run bench -- --docs -->';
const end = '<!-- end of figures -->';

/** Puts the figures of a run between the marks of docs/performance.md, and the plot beside it. */
export async function writePerformancePage(
  options: BenchOptions,
  rows: readonly Row[],
  charts: readonly Chart[],
): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for figures: "${begin}" … "${end}".`);
  const notes = rows.flatMap(({ work, note }) => (note === undefined ? [] : [`- ${work}: ${note}`]));
  const machine =
    `Measured with Node ${process.versions.node} on ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown processor'}, ` +
    `${Math.round(totalmem() / 1024 ** 3)} GB), ${options.rounds} rounds of ${options.seconds} s each${options.quick ? ', quick run: not for comparison with the goals' : ''}.`;
  const figures = [begin, '', machine, '', markdownTable(rows), '', ...notes, ...(notes.length > 0 ? [''] : [])];
  await writeFile(page, text.slice(0, from) + figures.join('\n') + text.slice(to));
  if (charts.length > 0) await writeFile(plot, growthPlot(charts));
}
