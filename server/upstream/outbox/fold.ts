import type { OutboxChange } from './outbox-store.ts';

/**
 * What remains to be done of changes that wait, oldest first: a version that was published and unpublished again leaves no trace, of
 * several meanings of a tag or several messages the last one counts. The others are superseded.
 * @param wasCarried whether a version is at the upstream because it was sent there before
 */
export function foldChanges(
  changes: readonly OutboxChange[],
  wasCarried: (name: string, version: string) => boolean,
): { readonly effective: readonly OutboxChange[]; readonly superseded: readonly OutboxChange[] } {
  const superseded = new Set<OutboxChange>();
  const open = new Map<string, OutboxChange[]>();
  const lastOfTag = new Map<string, OutboxChange>();
  const lastMessage = new Map<string, OutboxChange>();
  for (const change of changes) {
    const ofVersion = `${change.name} ${change.version}`;
    if (change.kind === 'unpublish') {
      const earlier = open.get(ofVersion) ?? [];
      for (const before of earlier) superseded.add(before);
      const neverThere = earlier.some((before) => before.kind === 'publish') && change.version !== null;
      if (neverThere && !wasCarried(change.name, change.version ?? '')) superseded.add(change);
      open.delete(ofVersion);
      continue;
    }
    if (change.kind === 'tag.set' || change.kind === 'tag.remove') {
      const ofTag = `${change.name} ${change.tag}`;
      const before = lastOfTag.get(ofTag);
      if (before) superseded.add(before);
      lastOfTag.set(ofTag, change);
    }
    if (change.kind === 'deprecate') {
      const before = lastMessage.get(ofVersion);
      if (before) superseded.add(before);
      lastMessage.set(ofVersion, change);
    }
    if (change.kind !== 'tag.remove') open.set(ofVersion, [...(open.get(ofVersion) ?? []), change]);
  }
  return { effective: changes.filter((change) => !superseded.has(change)), superseded: [...superseded] };
}
