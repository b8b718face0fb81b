import path from 'node:path';
import type { Bench, Part } from '../bench.ts';
import { compare } from '../measure/rounds.ts';
import { median } from '../measure/statistics.ts';
import { atLeast, atMost, below } from '../report/row.ts';
import type { Row } from '../report/row.ts';
import { fillFolder } from '../scale/filled-folder.ts';
import { Growth } from '../scale/growth.ts';
import * as scaled from '../scale/scaled-server.ts';
import type { FilledFolder, ScaledServer } from '../scale/scaled-server.ts';
import { memoryOf } from '../servers/server-process.ts';

const megabyte = 1024 * 1024;

/** Ten thousand packages of a hundred versions against small registries: what may grow and what may not. */
export const scale: Part = {
  name: 'scale',
  async run(bench) {
    const growth = new Growth();
    const empty = await fill(bench, 0);
    const folders: FilledFolder[] = [];
    for (const packages of bench.options.quick ? [40, 200, 1000] : [100, 1000, 3000, 10_000]) {
      folders.push(await fill(bench, packages));
    }
    const [small, large] = [folders[0], folders.at(-1)];
    if (!small || !large) return { rows: [] };
    const rows = [await compareStarts(bench, empty, folders, growth)];
    const smallServer = await scaled.startScaled(bench, small);
    try {
      for (const folder of folders) {
        const one = folder === small ? smallServer : await scaled.startScaled(bench, folder);
        try {
          const figures = await measureOne(bench, one, growth);
          if (folder === large) rows.push(...(await measureLarge(bench, smallServer, one, figures)));
        } finally {
          if (one !== smallServer) await one.server.stop();
        }
      }
    } finally {
      await smallServer.server.stop();
    }
    return { rows, charts: [growth.chart('packages in the registry')] };
  },
};

async function fill(bench: Bench, packages: number): Promise<FilledFolder> {
  const versions = bench.options.quick ? 20 : 100;
  const dataDir = path.join(bench.folder, 'scale', String(packages));
  const from = performance.now();
  const projects = await fillFolder(dataDir, [{ packages, versions, namePrefix: scaled.namePrefix, padding: 0 }]);
  const seconds = (performance.now() - from) / 1000;
  bench.say(`${packages} packages of ${versions} versions made in ${seconds.toFixed(1)} s`);
  return { dataDir, packages, projects };
}

async function compareStarts(
  bench: Bench,
  empty: FilledFolder,
  folders: readonly FilledFolder[],
  growth: Growth,
): Promise<Row> {
  const times = new Map([empty, ...folders].map((folder) => [folder, [] as number[]]));
  for (let round = 0; round <= bench.options.rounds; round += 1) {
    for (const [folder, found] of times) {
      const time = await scaled.startTime(bench, folder);
      // The first round warms the disk's cache and is not counted.
      if (round > 0) found.push(time);
    }
  }
  const timeOf = (folder: FilledFolder | undefined): number => median((folder && times.get(folder)) ?? []);
  for (const folder of folders) growth.note('start (ms)', folder.packages, timeOf(folder));
  const large = folders.at(-1);
  const full = timeOf(large);
  return {
    part: 'scale',
    work: `start with ${large?.packages} packages`,
    unit: 'ms',
    gatehouse: full,
    bare: timeOf(empty),
    goals: [atMost('the empty start', full / timeOf(empty), 1.5)],
  };
}

/** 95th percentiles in milliseconds. */
interface Figures {
  readonly searchP95: number;
  /** The window's list, and the HTTP API's. */
  readonly listP95: number;
  readonly httpListP95: number;
}

async function measureOne(bench: Bench, one: ScaledServer, growth: Growth): Promise<Figures> {
  const hot = await bench.load.run(scaled.hotJob(bench, one));
  const { p95: searchP95 } = await bench.load.run(scaled.searchJob(bench, one));
  const listP95 = await scaled.listPageTime(one);
  const { p95: httpListP95 } = await bench.load.run(scaled.httpListJob(bench, one));
  growth.note('packument in memory, p99 (ms)', one.packages, hot.p99);
  growth.note('search, p95 (ms)', one.packages, searchP95);
  growth.note('list page of the window, p95 (ms)', one.packages, listP95);
  growth.note('list page over HTTP, p95 (ms)', one.packages, httpListP95);
  bench.say(
    `${one.packages} packages: hot p99 ${hot.p99.toFixed(2)} ms, search p95 ${searchP95.toFixed(2)} ms, list p95 ${listP95.toFixed(2)} ms, over HTTP ${httpListP95.toFixed(2)} ms`,
  );
  return { searchP95, listP95, httpListP95 };
}

async function measureLarge(bench: Bench, small: ScaledServer, large: ScaledServer, figures: Figures): Promise<Row[]> {
  const size = `${large.packages} packages`;
  const both = (job: (one: ScaledServer, round: number) => ReturnType<typeof scaled.hotJob>) =>
    [
      { name: 'large', pid: large.server.pid, job: (round: number) => job(large, round) },
      { name: 'small', pid: small.server.pid, job: (round: number) => job(small, round) },
    ] as const;
  const hot = await compare(
    bench,
    `packument in memory, ${size}`,
    both((one) => scaled.hotJob(bench, one)),
  );
  const publishes = await compare(
    bench,
    `publish, ${size}`,
    both((one, round) => scaled.publishJob(bench, one, round)),
  );
  const memory = await walkAll(bench, large);
  const part = 'scale';
  return [
    {
      part,
      work: `packument in memory, p99, ${size}`,
      unit: 'ms',
      gatehouse: hot.median('large', 'p99'),
      bare: hot.median('small', 'p99'),
      goals: [atMost('the small registry', hot.ratio('large', 'small', 'p99'), 1.2)],
    },
    memory.cold,
    {
      part,
      work: `search, p95, ${size}`,
      unit: 'ms',
      gatehouse: figures.searchP95,
      goals: [below('', figures.searchP95, 20, 'ms')],
    },
    {
      part,
      work: `list page of ${scaled.pageLength} in the window, p95, ${size}`,
      unit: 'ms',
      gatehouse: figures.listP95,
      goals: [below('', figures.listP95, 20, 'ms')],
    },
    {
      part,
      work: `list page of ${scaled.pageLength} over HTTP, p95, ${size}`,
      unit: 'ms',
      gatehouse: figures.httpListP95,
      goals: [below('', figures.httpListP95, 20, 'ms')],
    },
    {
      part,
      work: `publish 20 KB, eight at once, ${size}`,
      unit: '/s',
      gatehouse: publishes.median('large'),
      bare: publishes.median('small'),
      goals: [atLeast('the small registry', publishes.ratio('large', 'small'), 0.8)],
    },
    memory.growth,
  ];
}

/** Reads every package once; what the second half adds to the memory tells whether the caches are bounded. */
async function walkAll(bench: Bench, large: ScaledServer): Promise<{ cold: Row; growth: Row }> {
  const { packages, server } = large;
  const middle = Math.floor(packages / 2);
  const before = memoryOf(server.pid).now / megabyte;
  const first = await bench.load.run(scaled.walkJob(large, 0, middle));
  const halfway = memoryOf(server.pid).now / megabyte;
  await bench.load.run(scaled.walkJob(large, middle, packages));
  const whole = memoryOf(server.pid).now / megabyte;
  bench.say(
    `memory ${before.toFixed(0)} MB, after half of the packages ${halfway.toFixed(0)} MB, after all ${whole.toFixed(0)} MB`,
  );
  return {
    cold: {
      part: 'scale',
      work: 'packument that was never asked for, p99',
      unit: 'ms',
      gatehouse: first.p99,
      goals: [],
      note: `p50 ${first.p50.toFixed(1)} ms with 8 connections, each packument read, rendered and compressed`,
    },
    growth: {
      part: 'scale',
      work: `memory after reading all ${packages} packages`,
      unit: 'MB',
      gatehouse: whole,
      bare: halfway,
      goals: [below('more than after half of them', whole - halfway, 32, 'MB')],
    },
  };
}
