import type { NewVersion, VersionRow } from '../../server/registry/package-store.ts';

/** A version to insert that is as one that is there, but for `changes`: many of them in a moment, which would take minutes over HTTP. */
export function versionLike(
  row: VersionRow,
  changes: Pick<NewVersion, 'manifest' | 'publishedAt'> & Partial<NewVersion>,
): NewVersion {
  return { ...row, bundle: null, readme: null, imported: false, ...changes };
}
