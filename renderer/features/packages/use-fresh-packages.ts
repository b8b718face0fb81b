import { useEffect, useRef, useState } from 'react';
import type { PackageSummary } from '../../../server/contract/packages.ts';

const shownFor = 2500;

/** Ids of the packages that were published to while the list was on screen, for a moment each. */
export function useFreshPackages(packages: readonly PackageSummary[]): ReadonlySet<number> {
  const known = useRef<ReadonlyMap<number, number>>(undefined);
  const [fresh, setFresh] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const before = known.current;
    known.current = new Map(packages.map((pack) => [pack.id, pack.publishedAt]));
    if (before === undefined) return;
    const changed = packages.filter((pack) => before.get(pack.id) !== pack.publishedAt);
    if (changed.length > 0) setFresh(new Set(changed.map((pack) => pack.id)));
  }, [packages]);
  useEffect(() => {
    if (fresh.size === 0) return;
    const timer = setTimeout(() => setFresh(new Set()), shownFor);
    return () => clearTimeout(timer);
  }, [fresh]);
  return fresh;
}
