/** Something to reach and how far it was reached. */
export interface Goal {
  /** What it is compared with: `Verdaccio`, `bare node:http`, … */
  readonly against: string;
  /** For instance `≥ 30 ×`. */
  readonly wanted: string;
  /** For instance `41.3 ×`. */
  readonly reached: string;
  readonly met: boolean;
}

/** One line of the table. Figures are medians in `unit`. */
export interface Row {
  readonly part: string;
  readonly work: string;
  readonly unit: string;
  readonly gatehouse: number;
  readonly verdaccio?: number;
  /** Bare Node, or whatever `goals` says it is compared with. */
  readonly bare?: number;
  readonly goals: readonly Goal[];
  /** Anything that a reader must know to judge the figures. */
  readonly note?: string;
}

/** A goal for a ratio that shall not be smaller than `limit`. */
export function atLeast(against: string, ratio: number, limit: number): Goal {
  return { against, wanted: `≥ ${limit} ×`, reached: `${shortNumber(ratio)} ×`, met: ratio >= limit };
}

/** A goal for a ratio that shall not be larger than `limit`. */
export function atMost(against: string, ratio: number, limit: number): Goal {
  return { against, wanted: `≤ ${limit} ×`, reached: `${shortNumber(ratio)} ×`, met: ratio <= limit };
}

/** A goal for a figure of its own that shall not be larger than `limit`. */
export function below(what: string, value: number, limit: number, unit: string): Goal {
  return { against: what, wanted: `≤ ${limit} ${unit}`, reached: `${shortNumber(value)} ${unit}`, met: value <= limit };
}

/** With three or more digits that count. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return '-';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
