import type { TagGuardView } from './guards.ts';

/** Whether a pattern matches a dist-tag. Linear in both lengths: patterns come from outside. */
export function matchesTag(pattern: string, tag: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === tag;
  const last = rest.pop() ?? '';
  if (tag.length < first.length + last.length || !tag.startsWith(first) || !tag.endsWith(last)) return false;
  const end = tag.length - last.length;
  let position = first.length;
  for (const part of rest) {
    const found = tag.indexOf(part, position);
    if (found === -1 || found + part.length > end) return false;
    position = found + part.length;
  }
  return true;
}

/**
 * The guard that applies to a dist-tag: an exact name before any pattern, a longer pattern before a shorter one, and of patterns of
 * one length the first in code point order.
 */
export function selectGuard<T extends Pick<TagGuardView, 'pattern'>>(guards: readonly T[], tag: string): T | undefined {
  return guards.filter(({ pattern }) => matchesTag(pattern, tag)).toSorted(byPrecedence)[0];
}

function byPrecedence(
  { pattern: a }: Pick<TagGuardView, 'pattern'>,
  { pattern: b }: Pick<TagGuardView, 'pattern'>,
): number {
  const exact = Number(a.includes('*')) - Number(b.includes('*'));
  return exact || b.length - a.length || (a < b ? -1 : Number(a > b));
}
