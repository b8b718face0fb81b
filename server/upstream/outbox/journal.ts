import { z } from 'zod';
import type { AuditEntry } from '../../accounts/change.ts';
import type { OutboxChange } from './outbox-store.ts';

// The parts of audit rows that the journal reads.
const published = z.object({ version: z.string(), tags: z.array(z.string()), integrity: z.string() });
const tagged = z.object({ tag: z.string(), version: z.string() });
const deprecated = z.record(z.string(), z.string().nullable());
const unpublished = z.union([
  z.object({ version: z.string(), integrity: z.string() }),
  z.object({ versions: z.array(z.string()) }),
]);

type NewChange = Omit<OutboxChange, 'id'>;

/**
 * The changes of packages in a row of the audit trail. The journal is filled from there, in the same transaction: every change of a
 * package writes such a row, so none can be missing from the journal.
 * @param integrityOf integrity of a version that was published to a project before
 */
export function changesOf(
  at: number,
  entry: AuditEntry,
  integrityOf: (projectId: number, name: string, version: string) => string | undefined,
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
        // Tags are changes of their own: one may conflict upstream while the version itself does not.
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
        value: 'integrity' in gone ? gone.integrity : (integrityOf(projectId, target.name, version) ?? null),
      }));
    }
    default:
      return [];
  }
}
