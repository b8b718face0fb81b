import { processorSecondsOf } from '../servers/server-process.ts';
import type { Bench } from '../bench.ts';
import type { LoadJob, LoadResult } from './load-job.ts';
import { median } from './statistics.ts';

/** One of those that are compared: a server and what it is asked. */
export interface Contender<Name extends string> {
  readonly name: Name;
  readonly pid: number;
  /** @param round so that what is published is new each time */
  readonly job: (round: number) => LoadJob;
}

export interface RoundResult extends LoadResult {
  /** Share of a core that the server used. */
  readonly serverBusy: number;
}

/** What each contender did in each round. */
export class Comparison<Name extends string> {
  readonly #results: ReadonlyMap<Name, readonly RoundResult[]>;

  constructor(results: ReadonlyMap<Name, readonly RoundResult[]>) {
    this.#results = results;
  }

  of(name: Name): readonly RoundResult[] {
    return this.#results.get(name) ?? [];
  }

  median(name: Name, figure: keyof RoundResult = 'perSecond'): number {
    return median(this.of(name).map((result) => result[figure]));
  }

  /** Median of the ratios of the rounds: what slows a whole round down leaves it alone. */
  ratio(name: Name, other: Name, figure: keyof RoundResult = 'perSecond'): number {
    const others = this.of(other);
    return median(this.of(name).map((result, round) => result[figure] / (others[round]?.[figure] ?? Number.NaN)));
  }

  /** Says so if the generator was busier than the fastest server, so that a figure is a lower bound. */
  get note(): string | undefined {
    const limited = [...this.#results].flatMap(([name, results]) => {
      const load = median(results.map((result) => result.busy));
      const server = median(results.map((result) => result.serverBusy));
      return load > 0.97 && server < 0.9 ? [name] : [];
    });
    return limited.length > 0 ? `the load generator was the limit for ${limited.join(', ')}` : undefined;
  }
}

/** Runs the contenders in turn, as often as the options say, each round in another order. */
export async function compare<Name extends string>(
  bench: Bench,
  work: string,
  contenders: readonly Contender<Name>[],
  rounds = bench.options.rounds,
): Promise<Comparison<Name>> {
  const results = new Map<Name, RoundResult[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const shift = round % contenders.length;
    for (const contender of [...contenders.slice(shift), ...contenders.slice(0, shift)]) {
      const before = processorSecondsOf(contender.pid);
      const from = performance.now();
      const result = await bench.load.run(contender.job(round));
      const wall = (performance.now() - from) / 1000;
      const serverBusy = (processorSecondsOf(contender.pid) - before) / wall;
      results.get(contender.name)?.push({ ...result, serverBusy });
    }
  }
  const comparison = new Comparison(results);
  const figures = contenders.map(
    ({ name }) =>
      `${name} ${Math.round(comparison.median(name))}/s (server ${comparison.median(name, 'serverBusy').toFixed(2)}, load ${comparison.median(name, 'busy').toFixed(2)}, p99 ${comparison.median(name, 'p99').toFixed(1)} ms)`,
  );
  bench.say(`${work}: ${figures.join(' · ')}`);
  return comparison;
}
