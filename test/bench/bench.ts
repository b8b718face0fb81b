import type { LoadGenerator } from './measure/load-generator.ts';
import type { BenchOptions } from './options.ts';
import type { Chart } from './report/growth-plot.ts';
import type { Row } from './report/row.ts';

/** What every part of a run works with. */
export interface Bench {
  readonly options: BenchOptions;
  /** An empty folder that goes away at the end. */
  readonly folder: string;
  readonly load: LoadGenerator;
  /** Tells the person who waits what is going on. */
  readonly say: (text: string) => void;
}

export interface PartResult {
  readonly rows: readonly Row[];
  readonly charts?: readonly Chart[];
}

/** A part of the benchmark, which can be run alone. */
export interface Part {
  readonly name: string;
  run(bench: Bench): Promise<PartResult>;
}
