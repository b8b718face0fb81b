import type { Chart } from '../report/growth-plot.ts';

/** Gathers figures by size while they are measured. */
export class Growth {
  readonly #points = new Map<string, (readonly [number, number])[]>();

  note(name: string, size: number, value: number): void {
    const points = this.#points.get(name) ?? [];
    points.push([size, value]);
    this.#points.set(name, points);
  }

  chart(axis: string): Chart {
    return { axis, series: [...this.#points].map(([name, points]) => ({ name, points })) };
  }
}
