/** The value in the middle; 0 of nothing. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value that a share of `values` does not exceed (`share` from 0 to 1), between neighbours by interpolation; 0 of nothing. */
export function percentile(values: readonly number[] | Float64Array, share: number): number {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return 0;
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}
