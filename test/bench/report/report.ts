import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import type { BenchOptions } from '../options.ts';
import type { Chart } from './growth-plot.ts';
import type { Row } from './row.ts';

/** All that a run found, as `--json` writes it and `--from` reads it. */
export interface Report {
  /** Where and how it was measured, as a sentence. */
  readonly machine: string;
  readonly rows: readonly Row[];
  readonly charts: readonly Chart[];
}

/** The report of a run on this machine. */
export function makeReport(options: BenchOptions, rows: readonly Row[], charts: readonly Chart[]): Report {
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(totalmem() / 1024 ** 3);
  const quick = options.quick ? ', as a quick run that is not for comparison with the goals' : '';
  const machine = `Measured with Node ${process.versions.node} on ${availableParallelism()} cores (${processor}, ${memory} GB), in ${options.rounds} rounds of ${options.seconds} s${quick}.`;
  return { machine, rows, charts };
}

/** Reads reports of earlier runs as one; the later one's rows and charts win where both have them. */
export async function readReports(files: readonly string[]): Promise<Report> {
  const reports = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Report));
  const rows = new Map(reports.flatMap((report) => report.rows).map((row) => [`${row.part} ${row.work}`, row]));
  const charts = new Map(reports.flatMap((report) => report.charts).map((chart) => [chart.axis, chart]));
  const machine = [...new Set(reports.map((report) => report.machine))].join(' ');
  return { machine, rows: [...rows.values()], charts: [...charts.values()] };
}
