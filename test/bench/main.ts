import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildIfStale } from '../../scripts/build.ts';
import type { Bench, Part } from './bench.ts';
import { install } from './cases/install.ts';
import { largePublish } from './cases/large-publish.ts';
import { publish } from './cases/publish.ts';
import { reads } from './cases/reads.ts';
import { scale } from './cases/scale.ts';
import { start } from './cases/start.ts';
import { versions } from './cases/versions.ts';
import { LoadGenerator } from './measure/load-generator.ts';
import { readOptions, usage } from './options.ts';
import type { BenchOptions } from './options.ts';
import { profileServer } from './profile/profile-server.ts';
import type { Chart } from './report/growth-plot.ts';
import { writePerformancePage } from './report/performance-page.ts';
import { makeReport, readReports } from './report/report.ts';
import type { Report } from './report/report.ts';
import type { Row } from './report/row.ts';
import { textTable } from './report/table.ts';
import { builtProgram } from './servers/gatehouse.ts';

const parts: readonly Part[] = [reads, publish, largePublish, start, install, scale, versions];

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return;
  }
  if (options.from.length > 0) {
    await tell(options, await readReports(options.from));
    return;
  }
  const chosen = chooseParts(options);
  if (options.program === builtProgram) await buildIfStale();
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const load = new LoadGenerator();
  const bench: Bench = { options, folder, load, say: (text) => process.stderr.write(`${text}\n`) };
  try {
    if (options.profile) process.stdout.write(await profileServer(bench));
    else await tell(options, await measure(bench, chosen));
  } finally {
    load.stop();
  }
}

async function measure(bench: Bench, chosen: readonly Part[]): Promise<Report> {
  const rows: Row[] = [];
  const charts: Chart[] = [];
  for (const part of chosen) {
    const result = await part.run(bench);
    rows.push(...result.rows);
    charts.push(...(result.charts ?? []));
  }
  return makeReport(bench.options, rows, charts);
}

async function tell(options: BenchOptions, report: Report): Promise<void> {
  process.stdout.write(`\n${textTable(report.rows)}\n`);
  for (const { work, note } of report.rows) if (note) process.stdout.write(`  ${work}: ${note}\n`);
  if (options.json) await writeFile(options.json, `${JSON.stringify(report, undefined, 2)}\n`);
  if (options.docs) await writePerformancePage(report);
}

function chooseParts({ only }: BenchOptions): readonly Part[] {
  const unknown = only.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined) {
    throw new Error(`There is no part "${unknown}". Parts: ${parts.map((part) => part.name).join(', ')}.`);
  }
  return only.length === 0 ? parts : parts.filter((part) => only.includes(part.name));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
