import type { AuditRow } from '../../../server/contract/directory.ts';
import { deprecationState, tagState } from '../../api/undo.ts';
import { isOfTagApprovers, isTagApprovers } from '../../api/tag-approvers.ts';
import { isRecord } from '../../api/is-record.ts';
import { formatCount, lowerFirst, plural, upperFirst } from '../../ui/text/format.ts';
import { asRecord, fieldLabel, ruleOf, scalarText } from './field-text.ts';

/** Where a change came from. */
export const originNames: Record<AuditRow['origin'], string> = {
  http: 'Client',
  window: 'This app',
  cli: 'Command line',
  // Its user says that it was Gatehouse itself.
  system: '',
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
  'package.maintainers_changed': 'Changed the maintainers of',
  'package.handed_over': 'Moved to another registry:',
  'user.created': 'Added the user',
  'user.updated': 'Changed the user',
  'group.created': 'Added the group',
  'group.updated': 'Changed the group',
  'project.created': 'Added the project',
  'project.updated': 'Changed the project',
  'environment.updated': 'Changed the environment',
  'advisories.imported': 'Imported',
  'advisories.cleared': 'Removed all',
  'project.publish_age_changed': 'Changed the publish times of',
  'reach.opened': 'Turned on',
  'reach.closed': 'Turned off',
  'snapshot.taken': 'Took the snapshot',
  'snapshot.deleted': 'Deleted the snapshot',
  'registry.rewound': 'Restored the snapshot',
  'registry.restored': 'Restored the backup',
  'package.staged': 'Asked to publish',
  'package.stage_approved': 'Approved and published',
  'package.stage_rejected': 'Rejected the publish of',
  'release.approved': 'Approved',
  'upstream.created': 'Added the registry',
  'upstream.updated': 'Changed the registry',
  'upstream.removed': 'Removed the registry',
  'upstream.cache_dropped': 'Removed cached packages of',
  'outbox.narrowed': 'Limited to one group what is sent to',
  'offline.changed': 'Switched to',
  'bundles.keys_trusted': 'Changed the',
  'tarball.damaged': 'Quarantined a damaged tarball:',
  'environment.protected': 'Protected',
  'environment.unprotected': 'Unprotected',
  'environment.rules_changed': 'Changed the rules of',
  'guard.set': 'Protected the tag',
  'guard.removed': 'Unprotected the tag',
  'member.added': 'Added the member',
  'member.updated': 'Changed the membership of',
  'member.removed': 'Removed the member',
  'share.added': 'Invited the group',
  'share.updated': 'Changed the access of the group',
  'share.removed': 'Removed the invited group',
};

/** The words for a row of the audit trail. An action without words of its own is spelled out: `group.created` is "Created the group". */
export function describeRow(row: AuditRow): RowText {
  if (row.action === 'package.deprecated') return deprecationText(row);
  if (row.action === 'outbox.sent') return sentText(row);
  return { verb: verbOf(row), subject: subjectOf(row), detail: detailOf(row) };
}

function verbOf({ action, target, before, after }: AuditRow): string {
  const tag = (tagState(after) ?? tagState(before))?.tag;
  // Merged with its approval, which names environments.
  if (action === 'tag.set' && 'environments' in asRecord(after)) return `Approved moving the tag ${tag} of`;
  if (tag !== undefined && action.startsWith('tag.')) return tagVerb(action, tag, tagState(before)?.version === null);
  if (action === 'guard.settings_changed') {
    const waits = asRecord(after)['on_refusal'] === 'stage';
    return `${waits ? 'Turned on tag approvals' : 'Turned off tag approvals'} in`;
  }
  if (isOfTagApprovers(target)) {
    return action === 'environment.protected' ? 'Set' : action === 'environment.unprotected' ? 'Removed' : 'Changed';
  }
  const isStaged = asRecord(after ?? before)['on_refusal'] === 'stage';
  if (action === 'guard.set' && isRecord(before))
    return `Changed ${isStaged ? 'approval for' : 'the protection of'} the tag`;
  if (action === 'guard.set' && isStaged) return 'Required approval for the tag';
  if (action === 'guard.removed' && isStaged) return 'Ended approval for the tag';
  if (action === 'package.published' && asRecord(after)['source'] === 'bundle') return 'Imported';
  if (action === 'upstream.cache_dropped' && droppedPackage(target.name)) return 'Removed cached versions of';
  return verbs[action] ?? spellOut(action);
}

function tagVerb(action: string, tag: string, isNew: boolean): string {
  switch (action) {
    case 'tag.set':
      if (!isNew) return `Moved the tag ${tag} of`;
      return tag === 'latest' ? 'Set the tag latest of' : `Added the tag ${tag} to`;
    case 'tag.removed':
      return tag === 'latest' ? 'Reset the tag latest of' : `Removed the tag ${tag} from`;
    case 'tag.requested':
      return `Asked to move the tag ${tag} of`;
    case 'tag.request_rejected':
      return `Rejected moving the tag ${tag} of`;
    case 'tag.request_void':
      return `Closed an outdated request to move the tag ${tag} of`;
    default:
      return spellOut(action);
  }
}

/** Of "npm: left-pad", as one dropped package is recorded; undefined where all of a registry were dropped. */
function droppedPackage(name: string): { registry: string; name: string } | undefined {
  const at = name.indexOf(': ');
  return at === -1 ? undefined : { registry: name.slice(0, at), name: name.slice(at + 2) };
}

/** What a deprecation did to the versions that it names; `null` is none. */
function deprecationText({ target, before, after }: AuditRow): RowText {
  const [was, is] = [deprecationState(before) ?? {}, deprecationState(after) ?? {}];
  const versions = Object.keys(is);
  const messages = new Set(Object.values(is));
  const [message] = messages;
  const isLifted = messages.size === 1 && message === null;
  const isChanged = messages.size > 1 || (!isLifted && Object.values(was).some((each) => each !== null));
  const [version] = versions;
  return {
    verb: isLifted ? 'Removed the deprecation of' : isChanged ? 'Changed the deprecation of' : 'Deprecated',
    subject: versions.length === 1 ? `${target.name}@${version}` : target.name,
    detail: [versions.length === 1 ? '' : versions.join(', '), messages.size === 1 ? (message ?? '') : '']
      .filter(Boolean)
      .join(' · '),
  };
}

/** How much of a push arrived. */
function sentText({ target, after }: AuditRow): RowText {
  const [sent, notSent] = ['sent', 'not_sent'].map((name) => Number(asRecord(after)[name] ?? 0));
  return {
    verb: sent ? `Sent ${plural(sent, 'change')} to` : 'Sent nothing to',
    subject: target.name,
    detail: notSent ? `${formatCount(notSent)} not sent` : '',
  };
}

function subjectOf({ action, target, before, after }: AuditRow): string {
  if (action === 'offline.changed') return isRecord(after) ? plain(after['mode'], 'mode') : 'another network mode';
  const dropped = action === 'upstream.cache_dropped' ? droppedPackage(target.name) : undefined;
  if (dropped) return `${dropped.name} from ${dropped.registry}`;
  const isPart = action === 'package.unpublished' || action === 'package.quarantined';
  const version = isPart && isRecord(before) ? before['version'] : undefined;
  if (isOfTagApprovers(target)) return 'tag approvers';
  return typeof version === 'string' ? `${target.name}@${version}` : target.name;
}

function spellOut(action: string): string {
  const [thing = '', what = ''] = action.split('.');
  return `${upperFirst(what.replaceAll('_', ' '))} the ${thing.replaceAll('_', ' ')}`;
}

function detailOf(row: AuditRow): string {
  const before = tagState(row.before);
  const after = tagState(row.after);
  if (after !== undefined || before !== undefined) {
    const comment = isRecord(row.after) ? plain(row.after['comment']) : '';
    const move =
      after?.version === null
        ? `was ${before?.version ?? 'none'}`
        : [before?.version, after?.version].filter(Boolean).join(' → ');
    return comment === '' ? move : `${move} · ${comment}`;
  }
  if (row.action === 'upstream.created') {
    const { url, pushSelection } = asRecord(row.after);
    const sent = plain(pushSelection, 'pushSelection');
    return [plain(url), sent === '' ? '' : `packages to send: ${sent}`].filter(Boolean).join(' · ');
  }
  if (row.target.type === 'protected_environment') {
    const labels = ruleLabels(row);
    const deploy = ruleChanges(labels.deploy, deployers(row.before), deployers(row.after));
    const approve = ruleChanges(labels.approve, approvals(row.before), approvals(row.after));
    const because = isRecord(row.after) ? plain(row.after['because']) : '';
    return [deploy, approve, because].filter(Boolean).join(' · ');
  }
  if (isRecord(row.before) && isRecord(row.after) && typeof row.after['latest'] === 'string') {
    const { tags } = row.before;
    const others = Array.isArray(tags) ? tags.filter((tag) => tag !== 'latest') : [];
    return [`latest → ${row.after['latest']}`, others.length === 0 ? '' : `tags: ${plain(others)}`]
      .filter(Boolean)
      .join(' · ');
  }
  return fieldChanges(row);
}

/** What the two kinds of rules say; of an environment that keeps the approvers of tags, to which nothing is deployed, as its page does. */
function ruleLabels({ target, before, after }: AuditRow): { deploy: string; approve: string } {
  if (!isOfTagApprovers(target)) return { deploy: 'may deploy', approve: 'approvers' };
  const hasApprovals = [before, after].some((state) => approvals(state)?.length);
  return { deploy: hasApprovals ? 'publish without approval' : '', approve: 'must approve' };
}

/** "may deploy: Maintainers" of new rules, "may deploy: + Ada, − Grace" of others; '' where they stayed. */
function ruleChanges(label: string, was: string[] | undefined, is: string[] = []): string {
  const added = is
    .filter((name) => was?.includes(name) !== true)
    .map((name) => (was === undefined ? name : `+ ${name}`));
  const removed = (was ?? []).filter((name) => !is.includes(name)).map((name) => `− ${name}`);
  const changes = [...added, ...removed].join(', ');
  return changes === '' || label === '' ? changes : `${label}: ${changes}`;
}

/** The names of the rules of a state; undefined without a state. */
const deployers = (state: unknown) =>
  isRecord(state) ? rulesOf(state['deploy_access_levels']).map(({ name }) => name) : undefined;
const approvals = (state: unknown) =>
  isRecord(state)
    ? rulesOf(state['approval_rules']).map(({ name, approvals: count }) =>
        count === undefined ? name : `${name} (${plural(count, 'approval')})`,
      )
    : undefined;
const rulesOf = (rules: unknown) => (Array.isArray(rules) ? rules.flatMap((rule: unknown) => ruleOf(rule) ?? []) : []);

// Digests and ids are not for reading, and the rest of the line says the others.
const unreadable = new Set(['id', 'integrity', 'shasum', 'version', 'on_refusal']);

/** "role: Developer → Maintainer", for up to three fields that differ and do not only repeat the subject. */
function fieldChanges({ before, after, target }: AuditRow): string {
  const [was, is] = [asRecord(before), asRecord(after)];
  // Who approved is beside who asked for it.
  const first = 'requested_by';
  const names = [...new Set([first, ...Object.keys(was), ...Object.keys(is)])].filter((name) => !unreadable.has(name));
  const differing = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  const isNew = before === null || before === undefined;
  const telling = differing.filter((name) => {
    if (isNew && (defaults.has(is[name]) || (name === 'enabled' && is[name] === true) || name === 'deployers_wait'))
      return false;
    return [was[name], is[name]].some((value) => value !== undefined && value !== null && !repeats(value, target.name));
  });
  const shown = telling.slice(0, 3).flatMap((name) => {
    const [from, to] = [plain(was[name], name), plain(is[name], name)];
    if (from === '' && to === '') return [];
    const label = lowerFirst(fieldLabel(name));
    return [from !== '' && to !== '' ? `${label}: ${from} → ${to}` : `${label}: ${to || from}`];
  });
  return shown.join(' · ');
}

// What something new has unless it is set.
const defaults = new Set<unknown>([false, 0, '', 'active', 'available']);

/** Whether a value only says the subject again: "Release crew" of the group tools/release-crew. */
function repeats(value: unknown, subject: string): boolean {
  if (typeof value !== 'string') return false;
  return value === subject || slug(value) === slug(subject.slice(subject.lastIndexOf('/') + 1));
}

const slug = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');

function plain(value: unknown, name = ''): string {
  // Made by Gatehouse, and in no list.
  if (/^environments?$/.test(name) && typeof value === 'string' && isTagApprovers(value)) return '';
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return scalarText(name, value);
  if (!Array.isArray(value)) return '';
  return value
    .map((each) => plain(each, name))
    .filter(Boolean)
    .join(', ');
}
