/** Whether any of some texts contains a search text, ignoring case; no search matches everything. */
export function matchesText(search: string | null | undefined, ...texts: readonly string[]): boolean {
  if (!search) return true;
  const wanted = search.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

/** What lists are ordered by, with the field of a row. */
const orderFields = {
  id: 'id',
  name: 'name',
  path: 'path',
  username: 'username',
  similarity: 'name',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  last_activity_at: 'updatedAt',
} as const;

/** Rows ordered by a field, names ignoring case; equal ones by their id. */
export function sorted<
  Order extends keyof typeof orderFields,
  T extends { readonly id: number } & Readonly<Record<(typeof orderFields)[Order], string | number>>,
>(rows: readonly T[], order: Order, direction: 'asc' | 'desc'): T[] {
  const sign = direction === 'asc' ? 1 : -1;
  const keyOf = (row: T) => {
    const value: string | number = row[orderFields[order]];
    return typeof value === 'string' ? value.toLowerCase() : value;
  };
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    return sign * (left < right ? -1 : left > right ? 1 : a.id - b.id);
  });
}
