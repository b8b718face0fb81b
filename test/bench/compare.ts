/** What a run of the benchmark works with. */
export interface Bench {
  readonly rounds: number;
  /** An empty folder that goes away at the end. */
  readonly folder: string;
  /** Reports progress. */
  readonly say: (text: string) => void;
}

/** One line of the table. */
export interface Row {
  readonly work: string;
  readonly unit: string;
  /** What each contender did in each round. */
  readonly rounds: Readonly<Record<string, readonly number[]>>;
  readonly goal?: string;
  readonly note?: string;
}

/** Figures of one round by the name of what was measured. */
type Figures = Readonly<Record<string, number>>;

/**
 * Measures each contender once per round, in turning order, after a round that only warms up. Answers the rounds of each figure by the
 * contender's name.
 */
export async function interleave<C extends { readonly name: string }>(
  bench: Bench,
  contenders: readonly C[],
  measure: (contender: C, round: number) => Promise<Figures>,
): Promise<(figure: string) => Record<string, number[]>> {
  const measured: { name: string; figures: Figures }[] = [];
  for (let round = 0; round <= bench.rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const figures = await measure(contender, round);
      if (round > 0) measured.push({ name: contender.name, figures });
    }
  }
  return (figure) =>
    Object.fromEntries(
      contenders.map(({ name }) => [
        name,
        measured.filter((one) => one.name === name).map(({ figures }) => figures[figure] ?? Number.NaN),
      ]),
    );
}

/** The middle of these numbers; NaN if there are none. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** Medians, and medians of the ratios of each round to the first contender. */
export function textTable(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.rounds)))];
  const [first = ''] = names;
  const others = names.slice(1);
  const lines = [['work', 'unit', ...names, ...others.map((name) => `${first} : ${name}`), 'goal']];
  for (const { work, unit, rounds, goal = '' } of rows) {
    const own = rounds[first] ?? [];
    const ratios = others.map((name) => own.map((value, round) => value / (rounds[name]?.[round] ?? Number.NaN)));
    lines.push([
      work,
      unit,
      ...names.map((name) => short(median(rounds[name] ?? []))),
      ...ratios.map((values) => short(median(values))),
      goal,
    ]);
  }
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const table = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const notes = rows.flatMap(({ work, note }) => (note === undefined ? [] : [`${work}: ${note}`]));
  return [...table, ...notes].join('\n');
}

function short(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
