import type { BundleEntry, BundleReport } from '../../../../server/contract/bundles.ts';
import type { Tone } from '../../../ui/theme/theme.ts';
import { formatCount, plural } from '../../../ui/text/format.ts';

const verdictMarks: Record<BundleEntry['verdict'], { label: string; tone: Tone }> = {
  new: { label: 'New', tone: 'accent' },
  same: { label: 'Already here', tone: 'plain' },
  conflict: { label: 'Conflict', tone: 'danger' },
  refused: { label: 'Refused', tone: 'warn' },
};

/** What stands beside an entry: the verdict, and once the bundle was imported what came of it. */
export function entryMark(
  { verdict, explanation }: Pick<BundleEntry, 'verdict' | 'explanation'>,
  applied: boolean,
): { label: string; tone: Tone; detail?: string } {
  if (verdict === 'same') return verdictMarks.same;
  const mark = applied && verdict === 'new' ? ({ label: 'Imported', tone: 'accent' } as const) : verdictMarks[verdict];
  return { ...mark, detail: explanation };
}

/** How many entries of a bundle are of each verdict. */
export function countVerdicts(entries: readonly BundleEntry[]): Record<BundleEntry['verdict'], number> {
  const counts = { new: 0, same: 0, conflict: 0, refused: 0 };
  for (const { verdict } of entries) counts[verdict] += 1;
  return counts;
}

/** The result of importing a bundle in a line; in the past tense once it was done. */
export function bundleSummary({ entries, applied }: Pick<BundleReport, 'entries' | 'applied'>): string {
  const counts = countVerdicts(entries);
  const parts = [
    counts.new > 0 ? `${plural(counts.new, 'version')} ${applied ? 'imported' : 'to import'}` : '',
    counts.same > 0 ? `${formatCount(counts.same)} already here` : '',
    counts.conflict > 0 ? plural(counts.conflict, 'conflict') : '',
    counts.refused > 0 ? `${formatCount(counts.refused)} refused` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'The bundle is empty' : parts.join(', ');
}

export const trustTexts: Record<BundleReport['keyTrust'], string> = {
  own: 'Signed by this registry',
  trusted: 'Signed with a trusted key',
  refused: 'Signed with an unknown key: only bundles with a trusted one can be imported',
  unknown: 'Signed with an unknown key. Compare its fingerprint with the one that its sender gave you.',
};
