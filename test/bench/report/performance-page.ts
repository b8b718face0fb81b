import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectFolder } from '../../../scripts/build.ts';
import { growthPlot } from './growth-plot.ts';
import type { Report } from './report.ts';
import { markdownTable } from './table.ts';

const page = path.join(projectFolder, 'docs', 'performance.md');
const plot = path.join(projectFolder, 'docs', 'performance.svg');
const plotText = 'Start, reads, search and publishes, by the number of packages and of versions';
const begin = '<!-- figures: written by npm run bench -- --docs -->';
const end = '<!-- end of figures -->';

/** Puts the figures of a run between the marks of docs/performance.md, and the plot beside it. */
export async function writePerformancePage(report: Report): Promise<void> {
  const { rows, charts } = report;
  const text = await readFile(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for figures: "${begin}" … "${end}".`);
  const notes = rows.flatMap(({ work, note }) => (note === undefined ? [] : [`- ${work}: ${note}`]));
  const growth =
    charts.length > 0
      ? [
          'How cost grows with the number of packages, and of versions of one package:',
          `![${plotText}](performance.svg)`,
        ]
      : [];
  const paragraphs = [
    begin,
    report.machine,
    markdownTable(rows),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
    ...growth,
  ];
  const whole = `${text.slice(0, from)}${paragraphs.join('\n\n')}\n\n${text.slice(to)}`;
  await writeFile(page, await format(whole, { ...(await resolveConfig(page)), filepath: page }));
  if (charts.length > 0) await writeFile(plot, growthPlot(charts));
}
