import type { OutboxOperation } from '../../contract/outbox.ts';
import { sameIntegrity } from '../../lib/integrity.ts';
import type { OutboxChange } from './outbox-store.ts';

/** The present state of a package at an upstream. */
export interface RemotePackage {
  /** With the hashes as one SRI text, and the deprecation message (empty for none). */
  readonly versions: ReadonlyMap<string, { readonly integrity: string; readonly deprecated: string }>;
  readonly tags: ReadonlyMap<string, string>;
}

/** What a change is compared with on this side. */
export interface LocalFacts {
  /** Hashes of the version as it is here now; undefined if it is not here any more. */
  readonly integrity: string | undefined;
  /** Whether a version at the upstream was sent there from this project: other versions, and tags on them, belong to others. */
  readonly isOurs: (version: string) => boolean;
  /** Whether the version of the change was sent there from this project. */
  readonly wasSent: () => boolean;
}

/** How a change compares with the upstream. */
export type Comparison = Pick<OutboxOperation, 'verdict' | 'here' | 'there' | 'explanation'>;

/** Whether one change is to be pushed, is there already or conflicts. Called for a plan, and again right before the change is pushed. */
export function compareChange(change: OutboxChange, remote: RemotePackage, local: LocalFacts): Comparison {
  const version = change.version ?? '';
  const tag = change.tag ?? '';
  const present = remote.versions.get(version);
  const tagThere = remote.tags.get(tag);
  switch (change.kind) {
    case 'publish': {
      const is = between(local.integrity, present?.integrity);
      if (local.integrity === undefined) return is('same', 'It is not here any more; nothing is sent.');
      if (!present) return is('new');
      const isSame = sameIntegrity(local.integrity, present.integrity) !== false;
      if (isSame) return is('same', `${version} is there with the same bytes.`);
      return is('conflict', 'This version is there with other content. Publish yours as another version.');
    }
    case 'tag.set': {
      const is = between(version, tagThere);
      if (tagThere === version) return is('same', `"${tag}" points there already.`);
      if (!present) return is('conflict', `${version}, to which "${tag}" points here, is not there.`);
      if (tagThere === undefined) return is('new');
      if (local.isOurs(tagThere)) return is('new', `"${tag}" points at ${tagThere} there.`);
      return is('conflict', `"${tag}" points at ${tagThere} there, which was not sent from here.`);
    }
    case 'tag.remove': {
      const is = between(null, tagThere);
      if (tag === 'latest') return is('same', 'A registry always has a "latest"; nothing is sent.');
      if (tagThere === undefined) return is('same', `"${tag}" is not there.`);
      if (local.isOurs(tagThere)) return is('new');
      return is('conflict', `"${tag}" points at ${tagThere} there, which was not sent from here.`);
    }
    case 'deprecate': {
      const message = change.value ?? '';
      const is = between(message, present?.deprecated);
      if (!present) return is('conflict', `${version} is not there, so it can't be deprecated.`);
      if (present.deprecated === message) {
        return is('same', message === '' ? 'It is not deprecated there.' : 'It has the same message there.');
      }
      if (!local.isOurs(version)) {
        return is('conflict', `${version} there was not sent from here.`);
      }
      return is('new');
    }
    case 'unpublish': {
      if (!present) return between(null, null)('same', `${version} is not there.`);
      if (!local.wasSent()) {
        return between(change.value, present.integrity)(
          'same',
          `${version} was not sent there from here, so it stays.`,
        );
      }
      const is = between(change.value, present.integrity);
      const isSame = change.value !== null && sameIntegrity(change.value, present.integrity) === true;
      if (isSame) return is('new');
      return is('conflict', `${version} has other content there than the one that was unpublished here.`);
    }
  }
}

/** Without an explanation where the change itself says all. */
function between(
  here: string | null | undefined,
  there: string | null | undefined,
): (verdict: Comparison['verdict'], explanation?: string) => Comparison {
  return (verdict, explanation = '') => ({ verdict, here: here ?? null, there: there ?? null, explanation });
}

/** The state of the package after a change, for a plan of several. */
export function applyChange(change: OutboxChange, remote: RemotePackage, local: LocalFacts): RemotePackage {
  const versions = new Map(remote.versions);
  const tags = new Map(remote.tags);
  const version = change.version ?? '';
  switch (change.kind) {
    case 'publish':
      versions.set(version, { integrity: local.integrity ?? '', deprecated: '' });
      break;
    case 'tag.set':
      tags.set(change.tag ?? '', version);
      break;
    case 'tag.remove':
      tags.delete(change.tag ?? '');
      break;
    case 'deprecate':
      versions.set(version, { integrity: versions.get(version)?.integrity ?? '', deprecated: change.value ?? '' });
      break;
    case 'unpublish':
      versions.delete(version);
      for (const [tag, target] of tags) if (target === version) tags.delete(tag);
      break;
  }
  return { versions, tags };
}

/**
 * What remains to be done of pending changes, oldest first: a version that was published and unpublished again leaves nothing, nor does
 * its deprecation that was removed again, and of several targets of a tag or several deprecation messages the last one counts. The
 * others are superseded.
 * Changes of different projects never touch each other.
 * @param wasSent whether the version of a change was sent to the upstream before
 */
export function mergeChanges(
  changes: readonly OutboxChange[],
  wasSent: (change: OutboxChange) => boolean,
): { readonly effective: readonly OutboxChange[]; readonly superseded: readonly OutboxChange[] } {
  const superseded = new Set<OutboxChange>();
  const ofVersion = new Map<string, OutboxChange[]>();
  const last = new Map<string, OutboxChange>();
  const replaceLast = (key: string, change: OutboxChange): void => {
    const before = last.get(key);
    if (before) superseded.add(before);
    last.set(key, change);
  };
  for (const change of changes) {
    const { kind, projectId, name, version, tag } = change;
    const key = `${projectId} ${name} ${version}`;
    const earlier = ofVersion.get(key) ?? [];
    if (kind === 'unpublish') {
      for (const before of earlier) superseded.add(before);
      const isNew = earlier.some((before) => before.kind === 'publish');
      if (isNew && !wasSent(change)) superseded.add(change);
      ofVersion.delete(key);
      continue;
    }
    if (kind === 'tag.set' || kind === 'tag.remove') replaceLast(`tag ${projectId} ${name} ${tag}`, change);
    if (kind === 'deprecate') {
      const isTakenBack = change.value === '' && last.has(`deprecate ${key}`);
      replaceLast(`deprecate ${key}`, change);
      // The version goes up as it is, not deprecated.
      if (isTakenBack && earlier.some((before) => before.kind === 'publish')) superseded.add(change);
    }
    if (kind !== 'tag.remove') ofVersion.set(key, [...earlier, change]);
  }
  return { effective: changes.filter((change) => !superseded.has(change)), superseded: [...superseded] };
}
