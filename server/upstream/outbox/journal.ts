import type { AuditEntry } from '../../accounts/change.ts';
import { deprecated, published, tagged, unpublished } from './audited-changes.ts';
import type { OutboxChange } from './outbox-store.ts';

type NewChange = Omit<OutboxChange, 'id'>;

/**
 * The changes of packages that a row of the audit trail speaks of. The journal is fed from there, in the same transaction, because every
 * change of a package writes such a row, whichever door it came through; nothing can be changed and not be in the journal.
 * @param integrityOf integrity of a version that was published here before
 */
export function changesOf(
  at: number,
  entry: AuditEntry,
  integrityOf: (name: string, version: string) => string | undefined,
): NewChange[] {
  const { projectId, target } = entry;
  if (target.type !== 'package' || typeof projectId !== 'number') return [];
  const empty = { at, projectId, name: target.name, version: null, tag: null, value: null };
  switch (entry.action) {
    case 'package.published': {
      const { version, tags, integrity } = published.parse(entry.after);
      const name = target.name.slice(0, target.name.lastIndexOf('@'));
      return [
        { ...empty, kind: 'publish', name, version, value: integrity },
        // Tags are changes of their own: one may meet another meaning upstream while the version itself does not.
        ...tags.map((tag) => ({ ...empty, kind: 'tag.set' as const, name, version, tag, value: version })),
      ];
    }
    case 'tag.set': {
      const { tag, version } = tagged.parse(entry.after);
      return [{ ...empty, kind: 'tag.set', version, tag, value: version }];
    }
    case 'tag.removed': {
      const { tag, version } = tagged.parse(entry.before);
      return [{ ...empty, kind: 'tag.remove', version, tag, value: version }];
    }
    case 'package.deprecated':
      return Object.entries(deprecated.parse(entry.after)).map(([version, message]) => ({
        ...empty,
        kind: 'deprecate',
        version,
        value: message ?? '',
      }));
    case 'package.unpublished': {
      const gone = unpublished.parse(entry.before);
      const versions = 'version' in gone ? [gone.version] : gone.versions;
      return versions.map((version) => ({
        ...empty,
        kind: 'unpublish',
        version,
        value: 'integrity' in gone ? gone.integrity : (integrityOf(target.name, version) ?? null),
      }));
    }
    default:
      return [];
  }
}
