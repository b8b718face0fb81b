import type { AuditRow } from '../../../server/contract/directory.ts';
import { tagState } from '../../api/undo.ts';
import { formatBytes } from '../../ui/text/format.ts';
import { isRecord } from '../../ui/text/is-record.ts';

/** Where a change came from. */
export const originNames: Record<AuditRow['origin'], string> = {
  http: 'Client',
  window: 'This app',
  cli: 'Command line',
  system: 'System',
};

/** What happened, in a few words, and to what. */
export interface RowText {
  verb: string;
  subject: string;
  /** Before and after, where a line can show them. */
  detail: string;
}

const verbs: Readonly<Record<string, string>> = {
  'package.published': 'Published',
  'package.unpublished': 'Unpublished',
  'package.quarantined': 'Quarantined a damaged version of',
  'package.deprecated': 'Changed the deprecation of',
  'package.maintainers_changed': 'Changed the maintainers of',
  'tag.set': 'Set a tag of',
  'tag.removed': 'Removed a tag of',
  'tag.requested': 'Asked for a move of a tag of',
  'tag.request_rejected': 'Rejected a move of a tag of',
  'tag.request_void': 'Dropped a request, as the tag moved otherwise, of',
  'package.staged': 'Staged',
  'package.stage_approved': 'Released',
  'package.stage_rejected': 'Rejected',
  'release.approved': 'Approved',
  'upstream.created': 'Added the registry',
  'upstream.updated': 'Changed the registry',
  'upstream.removed': 'Removed the registry',
  'outbox.narrowed': 'Limited the outbox to the packages of one group:',
  'tarball.damaged': 'Quarantined a damaged tarball:',
  'environment.protected': 'Protected',
  'environment.unprotected': 'Unprotected',
  'environment.rules_changed': 'Changed who may deploy to',
  'guard.set': 'Guarded the tag',
  'guard.removed': 'Removed the guard of the tag',
  'guard.settings_changed': 'Changed what becomes of refused tags in',
  'member.added': 'Added the member',
  'member.updated': 'Changed the membership of',
  'member.removed': 'Removed the member',
  'share.added': 'Invited the group',
  'share.updated': 'Changed the invitation of the group',
  'share.removed': 'Removed the invited group',
};

/** The words for a row of the audit trail. An action without words of its own is spelled out: `group.created` is "Created the group". */
export function describeRow(row: AuditRow): RowText {
  return { verb: verbs[row.action] ?? spellOut(row.action), subject: row.target.name, detail: detailOf(row) };
}

function spellOut(action: string): string {
  const [thing = '', what = ''] = action.split('.');
  const words = what.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} the ${thing.replaceAll('_', ' ')}`;
}

function detailOf(row: AuditRow): string {
  const before = tagState(row.before);
  const after = tagState(row.after);
  if (after !== undefined || before !== undefined) {
    const tag = after?.tag ?? before?.tag ?? '';
    const comment = isRecord(row.after) ? plain(row.after['comment']) : '';
    const move = `${tag}: ${before?.version ?? 'none'} → ${after?.version ?? 'none'}`;
    return comment === '' ? move : `${move}, ${comment}`;
  }
  if (row.target.type === 'protected_environment') {
    const was = ruleNames(row.before);
    const is = ruleNames(row.after);
    const added = is.filter((name) => !was.includes(name)).map((name) => `+ ${name}`);
    const removed = was.filter((name) => !is.includes(name)).map((name) => `− ${name}`);
    return [...added, ...removed].join('   ');
  }
  return fieldChanges(row.before, row.after);
}

function ruleNames(state: unknown): string[] {
  if (!isRecord(state) || !Array.isArray(state['deploy_access_levels'])) return [];
  return state['deploy_access_levels'].flatMap((rule: unknown) =>
    isRecord(rule) && typeof rule['description'] === 'string' ? [rule['description']] : [],
  );
}

// Digests and ids are not for reading, and the subject of a publish has the version.
const unreadable = new Set(['id', 'integrity', 'shasum', 'version']);

/** "role: Developer → Maintainer", for up to three fields that differ. */
function fieldChanges(before: unknown, after: unknown): string {
  const was = isRecord(before) ? before : {};
  const is = isRecord(after) ? after : {};
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !unreadable.has(name));
  const differing = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  const shown = differing.slice(0, 3).flatMap((name) => {
    const [from, to] = [plain(was[name], name), plain(is[name], name)];
    if (from === '' && to === '') return [];
    const label = name.replaceAll('_', ' ');
    return [from !== '' && to !== '' ? `${label}: ${from} → ${to}` : `${label}: ${to || from}`];
  });
  return shown.join(', ');
}

function plain(value: unknown, name?: string): string {
  if (value === undefined || value === null || value === '') return '';
  if (name === 'size' && typeof value === 'number') return formatBytes(value);
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value))
    return value
      .map((each) => plain(each))
      .filter(Boolean)
      .join(' ');
  return '';
}
