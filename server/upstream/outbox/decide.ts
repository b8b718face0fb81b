import type { OutboxOperation } from '../../contract/upstream.ts';
import { sameIntegrity } from '../../lib/integrity.ts';
import type { OutboxChange } from './outbox-store.ts';

/** A package as it stands at an upstream now. */
export interface RemotePackage {
  /** Each version with its hashes as one SRI text, and its deprecation message (empty for none). */
  readonly versions: ReadonlyMap<string, { readonly integrity: string; readonly deprecated: string }>;
  readonly tags: ReadonlyMap<string, string>;
}

/** What decides about a change besides the change itself. */
export interface LocalFacts {
  /** Hashes of the version as it is here now; undefined if it is not here (any more). */
  readonly integrity: string | undefined;
  /** Whether a version was ever published here: if a tag points at another one upstream, somebody else put it there. */
  readonly isOurs: (version: string) => boolean;
}

export type Decision = Pick<OutboxOperation, 'verdict' | 'here' | 'there' | 'explanation'>;

/** What is to be done about one change, given how things stand here and there. A function of values; asked again right before it is done. */
export function decideChange(change: OutboxChange, remote: RemotePackage, local: LocalFacts): Decision {
  const version = change.version ?? '';
  const tag = change.tag ?? '';
  const present = remote.versions.get(version);
  const tagThere = remote.tags.get(tag);
  switch (change.kind) {
    case 'publish':
      if (local.integrity === undefined)
        return same(null, present?.integrity, 'It is not here any more; nothing is sent.');
      if (!present) return isNew(local.integrity, null, `${version} will be published.`);
      if (sameIntegrity(local.integrity, present.integrity) !== false) {
        return same(local.integrity, present.integrity, `${version} is there with the same bytes.`);
      }
      return conflict(
        local.integrity,
        present.integrity,
        `${version} is there with other bytes. A version can't be replaced: publish yours under another version, or leave theirs.`,
      );
    case 'tag.set':
      if (tagThere === version) return same(version, tagThere, `"${tag}" points there already.`);
      if (!present) return conflict(version, tagThere, `${version}, to which "${tag}" points here, is not there.`);
      if (tagThere !== undefined && !local.isOurs(tagThere)) {
        return conflict(
          version,
          tagThere,
          `"${tag}" points at ${tagThere} there, which does not come from here. Leave theirs, or move it to ${version} all the same.`,
        );
      }
      return isNew(
        version,
        tagThere,
        tagThere === undefined
          ? `"${tag}" will be set to ${version}.`
          : `"${tag}" will move from ${tagThere} to ${version}.`,
      );
    case 'tag.remove':
      if (tag === 'latest') return same(null, tagThere, 'A registry always has a "latest"; nothing is sent.');
      if (tagThere === undefined) return same(null, null, `"${tag}" is not there.`);
      if (!local.isOurs(tagThere)) {
        return conflict(null, tagThere, `"${tag}" points at ${tagThere} there, which does not come from here.`);
      }
      return isNew(null, tagThere, `"${tag}" will be removed.`);
    case 'deprecate': {
      const message = change.value ?? '';
      if (!present) return conflict(message, null, `${version} is not there, so it can't be deprecated.`);
      if (present.deprecated === message) return same(message, present.deprecated, 'It has the same message.');
      return isNew(
        message,
        present.deprecated,
        message === '' ? 'The deprecation will be lifted.' : `${version} will be deprecated.`,
      );
    }
    case 'unpublish':
      if (!present) return same(null, null, `${version} is not there.`);
      if (change.value === null || sameIntegrity(change.value, present.integrity) !== true) {
        return conflict(
          change.value,
          present.integrity,
          `${version} has other bytes there than the one that was unpublished here.`,
        );
      }
      return isNew(change.value, present.integrity, `${version} will be unpublished.`);
  }
}

/** How a package stands once a change was carried out; lets a plan look ahead. */
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

function isNew(here: string | null, there: string | null | undefined, explanation: string): Decision {
  return { verdict: 'new', here, there: there ?? null, explanation };
}

function same(here: string | null, there: string | null | undefined, explanation: string): Decision {
  return { verdict: 'same', here, there: there ?? null, explanation };
}

function conflict(here: string | null, there: string | null | undefined, explanation: string): Decision {
  return { verdict: 'conflict', here, there: there ?? null, explanation };
}
