/** Whether any of some texts contains a search text, ignoring case; no search matches everything. */
export function matchesText(search: string | null | undefined, ...texts: readonly string[]): boolean {
  if (!search) return true;
  const wanted = search.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

/** Rows by a key, ascending or descending; equal ones by their id. */
export function sorted<T extends { readonly id: number }>(
  rows: readonly T[],
  key: (row: T) => string | number,
  direction: 'asc' | 'desc',
): T[] {
  const sign = direction === 'asc' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)];
    return sign * (left < right ? -1 : left > right ? 1 : a.id - b.id);
  });
}
