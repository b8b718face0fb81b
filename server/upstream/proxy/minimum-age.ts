import { isSelected } from './routing.ts';

export interface MinimumAge {
  readonly minimumAgeDays: number;
  /** Names, scopes, or `name@version`. */
  readonly minimumAgeExceptions: readonly string[];
}

const day = 86_400_000;

/**
 * Versions that are too young to be let through, each with the time at which it may pass. A version without a publish time (GitLab's
 * packuments have none) can't be judged and passes.
 */
export function heldBack(
  name: string,
  times: Readonly<Record<string, unknown>>,
  versions: Iterable<string>,
  policy: MinimumAge,
  now: number,
): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  if (policy.minimumAgeDays <= 0 || isSelected(name, policy.minimumAgeExceptions)) return held;
  for (const version of versions) {
    const text = Object.hasOwn(times, version) ? times[version] : undefined;
    const publishedAt = typeof text === 'string' ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(publishedAt)) continue;
    const releaseAt = publishedAt + policy.minimumAgeDays * day;
    if (releaseAt > now && !policy.minimumAgeExceptions.includes(`${name}@${version}`)) held.set(version, releaseAt);
  }
  return held;
}
