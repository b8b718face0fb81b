import { describe, expect, it } from 'vitest';
import type { AuditRow } from '../../../server/contract/directory.ts';
import { undoOf, undoStates } from '../../api/undo.ts';
import { named, row } from '../../test/audit-row.ts';
import { formatDay, formatDayHeading, formatMoment } from '../../ui/text/format.ts';
import { changedFields } from './changed-fields.ts';
import { describeRow } from './describe-row.ts';
import { mergeApprovals } from './merge-approvals.ts';
import { undoResult } from './undo-result.ts';

const moved = row({
  action: 'tag.set',
  before: { tag: 'beta', version: '1.0.0' },
  after: { tag: 'beta', version: '2.0.0' },
});
const protection = { type: 'protected_environment', id: 3, name: 'production' };

it('says of a version from a bundle that it was imported, not published', () => {
  const verb = (after: unknown) => describeRow(row({ after })).verb;
  expect(verb({ version: '1.0.0', tags: [], source: 'bundle' })).toBe('Imported');
  expect(verb({ version: '1.0.0', tags: [] })).toBe('Published');
});

describe('the words for a push to another registry', () => {
  it('say with the registry where it is and what goes there', () => {
    const added = (pushSelection: string[]) =>
      describeRow(row({ action: 'upstream.created', after: { kind: 'npm', url: 'http://a.test', pushSelection } }));
    expect(added(['@acme', 'tiny']).detail).toBe('http://a.test · packages to send: @acme, tiny');
    expect(added(['*']).detail).toBe('http://a.test · packages to send: all packages');
    expect(added([]).detail).toBe('http://a.test');
  });

  it('say how much arrived, and what did not', () => {
    const sent = (after: unknown) => describeRow(row({ action: 'outbox.sent', target: named('second'), after }));
    expect(sent({ sent: 12, not_sent: 0 })).toEqual({ verb: 'Sent 12 changes to', subject: 'second', detail: '' });
    expect(sent({ sent: 1, not_sent: 2 })).toMatchObject({ verb: 'Sent 1 change to', detail: '2 not sent' });
    expect(sent({ sent: 0, not_sent: 1 })).toMatchObject({ verb: 'Sent nothing to', detail: '1 not sent' });
  });
});

describe('the words for what waits for approval', () => {
  it('name the tag, the comment and what is missing, not the id', () => {
    const rejected = describeRow(
      row({
        action: 'tag.request_rejected',
        before: { tag: 'latest', version: '1.0.0' },
        after: { id: 'a-uuid', tag: 'latest', version: '1.1.0', requested_by: 'dan', comment: 'Too early.' },
      }),
    );
    expect(rejected).toEqual({
      verb: 'Rejected moving the tag latest of',
      subject: '@acme/ui',
      detail: '1.0.0 → 1.1.0 · Too early.',
    });
    const approved = describeRow(
      row({
        action: 'release.approved',
        target: { type: 'release', id: null, name: '@acme/ui@1.1.0 as "latest"' },
        after: {
          id: 'a-uuid',
          environments: ['production'],
          missing: '1 approval from Maintainers',
        },
      }),
    );
    expect(approved).toEqual({
      verb: 'Approved',
      subject: '@acme/ui@1.1.0 as "latest"',
      detail: 'environments: production · missing: 1 approval from Maintainers',
    });
  });

  it('speaks of approvers where an environment keeps those of tags, and does not name it beside an approval', () => {
    const target = { type: 'protected_environment', id: 1, name: 'tag-approvers' };
    const rules = (...names: string[]) => names.map((description) => ({ access_level: 40, description }));
    const set = { action: 'environment.protected', target, after: { deploy_access_levels: rules('Maintainers') } };
    expect(describeRow(row(set)).detail).toBe('Maintainers');
    const stricter = { deploy_access_levels: rules('Maintainers'), approval_rules: rules('Ada') };
    const changed = { ...set, action: 'environment.rules_changed', before: set.after, after: stricter };
    expect(describeRow(row(changed))).toMatchObject({ verb: 'Changed', detail: 'must approve: + Ada' });
    const approved = { action: 'release.approved', after: { environments: ['tag-approvers'], missing: '' } };
    expect(describeRow(row(approved)).detail).toBe('');
  });
});

describe('mergeApprovals', () => {
  const target = { type: 'package', id: 5, name: '@acme/ui@1.1.0' };
  const staged = { ...target, type: 'staged_version', id: null };
  const end = row({
    id: 4,
    at: 7,
    action: 'package.stage_approved',
    target: staged,
    after: { id: 'a-uuid', tags: ['latest'], requested_by: 'mia' },
  });
  const published = row({ id: 3, at: 7, target, after: { version: '1.1.0', tags: ['latest'] } });
  const approval = (id: number, at: number, comment: string) =>
    row({
      id,
      at,
      action: 'release.approved',
      target: { ...staged, type: 'release' },
      after: { id: 'a-uuid', comment },
    });

  it('leaves one row for the approval that publishes, with whose release it is and the comment', () => {
    const first = approval(1, 5, 'Fine.');
    const asked = row({ id: 0, at: 4, action: 'package.staged', target: staged });
    const rows = mergeApprovals([end, published, approval(2, 7, 'Tried it.'), first, asked]);
    expect(rows.map(({ id }) => id)).toEqual([4, 1, 0]);
    expect(describeRow(end)).toEqual({
      verb: 'Approved and published',
      subject: '@acme/ui@1.1.0',
      detail: 'requested by: mia · tags: latest',
    });
    expect(rows[0] && describeRow(rows[0]).detail).toBe('requested by: mia · comment: Tried it. · tags: latest');
  });

  it('leaves the move of a tag for the approval that moves it, with the comment, and with its undo', () => {
    const [before, after] = ['1.0.0', '1.1.0'].map((version) => ({ tag: 'latest', version }));
    const set = { ...moved, at: 7, before, after };
    const approved = {
      ...approval(2, 7, ''),
      target: { ...staged, name: '@acme/ui@1.1.0 as "latest"' },
      after: { id: 'a-uuid', environments: ['production'], comment: 'Fine.' },
    };
    const [merged, ...others] = mergeApprovals([set, approved]);
    expect(others).toEqual([]);
    expect(merged && describeRow(merged)).toEqual({
      verb: 'Approved moving the tag latest of',
      subject: '@acme/ui',
      detail: '1.0.0 → 1.1.0 · Fine.',
    });
    expect(merged && undoOf(merged)).toEqual(undoOf(set));
    const other = { ...approved, target: { ...staged, name: '@acme/ui@1.1.0 as "beta"' } };
    expect(mergeApprovals([set, other])).toEqual([set, other]);
  });

  it('leaves other publishes and approvals', () => {
    const others = [published, approval(2, 7, ''), row({ ...end, at: 9, after: null })];
    expect(mergeApprovals(others)).toEqual([published, approval(2, 7, ''), { ...end, at: 9, after: null }]);
  });
});

describe('describeRow', () => {
  it('says where a tag pointed and points', () => {
    expect(describeRow(moved)).toEqual({ verb: 'Moved the tag beta of', subject: '@acme/ui', detail: '1.0.0 → 2.0.0' });
  });

  it('calls a new tag added, and tells a removed one from latest, which only falls back', () => {
    const added = { ...moved, before: { tag: 'beta', version: null } };
    expect(describeRow(added)).toMatchObject({ verb: 'Added the tag beta to', detail: '2.0.0' });
    const set = { ...moved, before: { tag: 'latest', version: null }, after: { tag: 'latest', version: '2.0.0' } };
    expect(describeRow(set)).toMatchObject({ verb: 'Set the tag latest of', detail: '2.0.0' });
    expect(undoResult(set)).toEqual(['latest of @acme/ui is the newest release again.']);
    const removed = (tag: string) =>
      describeRow(row({ action: 'tag.removed', before: { tag, version: '1.0.0' }, after: { tag, version: null } }));
    expect(removed('beta')).toMatchObject({ verb: 'Removed the tag beta from', detail: 'was 1.0.0' });
    expect(removed('latest')).toMatchObject({ verb: 'Reset the tag latest of', detail: 'was 1.0.0' });
  });

  it('says which versions were deprecated and why, and which no longer are', () => {
    const deprecation = (before: Record<string, string | null>, after: Record<string, string | null>) =>
      describeRow(row({ action: 'package.deprecated', before, after }));
    expect(deprecation({ '2.0.0': null }, { '2.0.0': 'Broken' })).toEqual({
      verb: 'Deprecated',
      subject: '@acme/ui@2.0.0',
      detail: 'Broken',
    });
    expect(deprecation({ '1.0.0': null, '1.1.0': null }, { '1.0.0': 'Old', '1.1.0': 'Old' })).toEqual({
      verb: 'Deprecated',
      subject: '@acme/ui',
      detail: '1.0.0, 1.1.0 · Old',
    });
    expect(deprecation({ '2.0.0': 'Broken' }, { '2.0.0': null })).toEqual({
      verb: 'Removed the deprecation of',
      subject: '@acme/ui@2.0.0',
      detail: '',
    });
    expect(deprecation({ '2.0.0': 'Broken' }, { '2.0.0': 'Use 2.0.1' }).verb).toBe('Changed the deprecation of');
  });

  it('names the rules that came and went', () => {
    const rules = (...names: string[]) => ({ deploy_access_levels: names.map((description) => ({ description })) });
    const change = row({
      action: 'environment.rules_changed',
      target: protection,
      before: rules('Maintainers', 'Ada'),
      after: rules('Maintainers', 'Grace'),
    });
    expect(describeRow(change).detail).toBe('may deploy: + Grace, − Ada');
  });

  it('names the user that was changed, and the fields that differ', () => {
    const change = row({
      action: 'user.updated',
      target: { type: 'user', id: 2, name: 'ada' },
      before: { name: 'Ada', admin: false },
      after: { name: 'Ada Lovelace', admin: false },
    });
    expect(describeRow(change)).toEqual({
      verb: 'Changed the user',
      subject: 'ada',
      detail: 'name: Ada → Ada Lovelace',
    });
  });

  it('does not repeat the subject in its fields', () => {
    const change = row({
      action: 'user.created',
      target: { type: 'user', id: 2, name: 'ada' },
      after: { username: 'ada', name: 'Ada Lovelace', email: 'ada@example.test' },
    });
    expect(describeRow(change).detail).toBe('name: Ada Lovelace · email: ada@example.test');
    const group = row({
      action: 'group.created',
      target: { type: 'group', id: 2, name: 'tools/release-crew' },
      after: { name: 'Release crew', path: 'release-crew', visibility: 'private' },
    });
    expect(describeRow(group).detail).toBe('visibility: private');
  });

  it('says of something new only what is not so of every new one', () => {
    const after = { admin: false, enabled: true, state: 'active', minimumAgeDays: 0, email: 'ada@example.test' };
    const created = { action: 'user.created', target: { type: 'user', id: 2, name: 'ada' }, after };
    expect(describeRow(row(created)).detail).toBe('email: ada@example.test');
    const updated = { ...created, before: { ...after, enabled: false, minimumAgeDays: 3 } };
    expect(describeRow(row(updated)).detail).toBe('enabled: no → yes · minimum age: 3 days → 0 days');
    const scopes = { action: 'upstream.updated', before: { scopes: ['@acme'] }, after: { scopes: ['*'] } };
    expect(describeRow(row(scopes)).detail).toBe('scopes: @acme → all packages');
  });
});

describe('every kind of change', () => {
  it.each<[string, Partial<AuditRow> & { action: string }]>([
    ['Added the user ada', { action: 'user.created' }],
    ['Changed the user ada', { action: 'user.updated' }],
    ['Blocked the user ada', { action: 'user.blocked' }],
    ['Unblocked the user ada', { action: 'user.unblocked' }],
    ['Deleted the user ada', { action: 'user.deleted' }],
    ['Added the group ada', { action: 'group.created' }],
    ['Deleted the project ada', { action: 'project.deleted' }],
    ['Created the token ada', { action: 'token.created' }],
    ['Rotated the token ada', { action: 'token.rotated' }],
    ['Revoked the token ada', { action: 'token.revoked' }],
    ['Added the member ada', { action: 'member.added' }],
    ['Changed the membership of ada', { action: 'member.updated' }],
    ['Invited the group ada', { action: 'share.added' }],
    ['Claimed the name @acme', { action: 'name.claimed', target: { type: 'claim', id: null, name: '@acme' } }],
    ['Released the name @acme', { action: 'name.released', target: { type: 'claim', id: null, name: '@acme' } }],
    ['Created the environment ada', { action: 'environment.created' }],
    ['Stopped the environment ada', { action: 'environment.stopped' }],
    ['Protected ada', { action: 'environment.protected' }],
    [
      'Set tag approvers',
      { action: 'environment.protected', target: { type: 'protected_environment', id: 1, name: 'tag-approvers' } },
    ],
    ['Protected the tag ada', { action: 'guard.set', after: { environment: 'production' } }],
    ['Required approval for the tag ada', { action: 'guard.set', after: { on_refusal: 'stage' } }],
    ['Changed approval for the tag ada', { action: 'guard.set', before: {}, after: { on_refusal: 'stage' } }],
    ['Ended approval for the tag ada', { action: 'guard.removed', before: { on_refusal: 'stage' } }],
    ['Turned on tag approvals in ada', { action: 'guard.settings_changed', after: { on_refusal: 'stage' } }],
    ['Turned off tag approvals in ada', { action: 'guard.settings_changed', after: { on_refusal: 'refuse' } }],
    ['Changed the protection of the tag ada', { action: 'guard.set', before: { environment: 'staging' }, after: {} }],
    ['Imported advisories', { action: 'advisories.imported', target: named('advisories') }],
    ['Removed all advisories', { action: 'advisories.cleared', target: named('advisories') }],
    ['Turned on Serve other computers', { action: 'reach.opened', target: named('Serve other computers') }],
    ['Turned off Serve other computers', { action: 'reach.closed', target: named('Serve other computers') }],
    ['Took the snapshot base', { action: 'snapshot.taken', target: named('base') }],
    ['Deleted the snapshot base', { action: 'snapshot.deleted', target: named('base') }],
    ['Restored the snapshot before-restore', { action: 'registry.rewound', target: named('before-restore') }],
    ['Restored the backup a.tar', { action: 'registry.restored', target: named('a.tar') }],
    ['Switched to Automatic', { action: 'offline.changed', target: named('offline'), after: { mode: 'auto' } }],
    ['Changed the trusted keys', { action: 'bundles.keys_trusted', target: named('trusted keys') }],
    ['Removed cached packages of npm', { action: 'upstream.cache_dropped', target: named('npm') }],
    ['Removed cached versions of react from npm', { action: 'upstream.cache_dropped', target: named('npm: react') }],
    ['Limited to one group what is sent to work', { action: 'outbox.narrowed', target: named('work') }],
    ['Moved to another registry: ada', { action: 'package.handed_over' }],
  ])('reads as a sentence: %s', (sentence, change) => {
    const { verb, subject } = describeRow(row({ target: named('ada'), ...change }));
    expect(`${verb} ${subject}`).toBe(sentence);
  });

  it('says who the maintainers were and are', () => {
    const change = row({ action: 'package.maintainers_changed', before: ['ada'], after: ['ada', 'dan'] });
    expect(describeRow(change).detail).toBe('maintainers: ada → ada, dan');
    expect(changedFields(change)).toEqual([{ label: 'Maintainers', before: 'ada', after: 'ada\ndan' }]);
  });
});

describe('recorded values', () => {
  const detail = (action: string, before: unknown, after: unknown, name = 'x') =>
    describeRow(row({ action, before, after, target: { type: 'project', id: 1, name } })).detail;

  it('have days as the system writes them and no raw milliseconds', () => {
    expect(detail('member.updated', { expires_on: null }, { expires_on: '2027-06-30' })).toBe(
      `expires on: ${formatDay('2027-06-30')}`,
    );
    expect(detail('project.publish_age_changed', { publish_age: 0 }, { publish_age: 259_200_000 })).toBe(
      'backdated by: 0 hours → 72 hours',
    );
    expect(
      changedFields({ before: null, after: { size: 1_234_567, at: '2026-11-22T10:00:00.000Z', count: 12_345 } }),
    ).toEqual([
      { label: 'Size', before: '', after: '1.2 MB' },
      { label: 'At', before: '', after: formatMoment(Date.UTC(2026, 10, 22, 10)) },
      { label: 'Count', before: '', after: '12,345' },
    ]);
  });

  it('name settings of other registries as their form does, not as the program', () => {
    const after = { minimumAgeDays: 2, freshSeconds: 60, timeoutMilliseconds: 2500, pushUrl: 'https://a.test' };
    expect(changedFields({ before: null, after }).map(({ label, after: is }) => `${label}: ${is}`)).toEqual([
      'Minimum age: 2 days',
      'Check for new versions after: 60 seconds',
      'Timeout: 2.5 seconds',
      'Publish URL: https://a.test',
    ]);
  });

  it('say which version was unpublished, and not that the whole package was', () => {
    expect(describeRow(row({ action: 'package.unpublished', before: { version: '1.1.0', tags: [] } })).subject).toBe(
      '@acme/ui@1.1.0',
    );
    expect(describeRow(row({ action: 'package.unpublished', before: { versions: ['1.0.0'] } })).subject).toBe(
      '@acme/ui',
    );
    const before = { version: '1.2.0', tags: ['latest', 'beta'], integrity: 'sha512-abc' };
    expect(describeRow(row({ action: 'package.unpublished', before, after: { latest: '1.1.0' } })).detail).toBe(
      'latest → 1.1.0 · tags: beta',
    );
  });

  it('do not let one rule for two roles look like two rules, and show changes of approval rules', () => {
    const developers = { access_level: 30, description: 'Developers + Maintainers' };
    const after = { deploy_access_levels: [developers], approval_rules: [{ ...developers, required_approvals: 2 }] };
    const change = row({ action: 'environment.rules_changed', target: protection, before: {}, after });
    expect(describeRow(change).detail).toBe(
      'may deploy: + Developers and Maintainers · approvers: + Developers and Maintainers (2 approvals)',
    );
    expect(describeRow(row({ ...change, before: null })).detail).toBe(
      'may deploy: Developers and Maintainers · approvers: Developers and Maintainers (2 approvals)',
    );
    const because = 'The user was deleted.';
    const lost = row({
      ...change,
      before: after,
      after: { deploy_access_levels: [developers], approval_rules: [], because },
    });
    expect(describeRow(lost).detail).toBe(`approvers: − Developers and Maintainers (2 approvals) · ${because}`);
  });

  it('say what was switched offline', () => {
    const offline = row({
      action: 'offline.changed',
      target: { type: 'setting', id: null, name: 'offline' },
      before: { mode: 'auto' },
      after: { mode: 'on' },
    });
    expect(describeRow(offline)).toEqual({
      verb: 'Switched to',
      subject: 'Offline',
      detail: 'mode: Automatic → Offline',
    });
  });
});

describe('changedFields', () => {
  it('has every field in full, lists line by line, those that differ first', () => {
    const rule = (description: string) => ({ access_level: null, description });
    const fields = changedFields({
      before: { name: 'production', deploy_access_levels: [rule('Maintainers')], approval_rules: [] },
      after: {
        name: 'production',
        deploy_access_levels: [rule('Maintainers'), rule('Ada')],
        approval_rules: [{ ...rule('Owners'), required_approvals: 2 }],
      },
    });
    expect(fields).toEqual([
      { label: 'Who may deploy', before: 'Maintainers', after: 'Maintainers\nAda' },
      { label: 'Approval rules', before: '', after: 'Owners: 2 approvals' },
      { label: 'Name', before: 'production', after: 'production' },
    ]);
  });

  it('shows any value that was recorded', () => {
    expect(changedFields({ before: null, after: { admin: true, nested: { a: [1, null] }, gone: null } })).toEqual([
      { label: 'Admin', before: '', after: 'yes' },
      { label: 'Nested', before: '', after: 'a: 1\n' },
    ]);
    expect(changedFields({ before: 'odd', after: null })).toEqual([{ label: 'Value', before: 'odd', after: '' }]);
  });
});

describe('undoResult', () => {
  it('says what will be the case', () => {
    expect(undoResult(moved)).toEqual(['beta of @acme/ui points to 1.0.0 again.']);
    expect(undoResult(row({}))).toBeUndefined();
    const protect = { action: 'environment.protected', target: protection };
    expect(undoResult(row(protect))).toEqual(['production is no longer protected.']);
    const before = { deploy_access_levels: [{ description: 'Maintainers' }, { description: 'Ada' }] };
    expect(undoResult(row({ ...protect, before }))).toEqual(['Who may deploy: Maintainers, Ada']);
  });
});

describe('formatDayHeading', () => {
  it('counts days of the calendar, not of 24 hours', () => {
    const now = new Date(2026, 10, 22, 0, 5).getTime();
    expect(formatDayHeading(now - 60_000, now)).toBe('Today');
    expect(formatDayHeading(now - 10 * 60_000, now)).toBe('Yesterday');
    expect(formatDayHeading(now - 48 * 3_600_000, now)).toBe(
      new Intl.DateTimeFormat(undefined, { dateStyle: 'full' }).format(now - 48 * 3_600_000),
    );
  });
});

describe('undoStates', () => {
  const tag = (id: number, before: string | null, after: string | null, name = 'latest') =>
    row({
      id,
      action: 'tag.set',
      before: { tag: name, version: before },
      after: { tag: name, version: after },
    });
  const deprecated = (
    id: number,
    versions: readonly string[],
    packageId = 5,
    messages: readonly (string | null)[] = [null, 'Old'],
  ) =>
    row({
      id,
      action: 'package.deprecated',
      target: { type: 'package', id: packageId, name: '@acme/ui' },
      before: Object.fromEntries(versions.map((version) => [version, messages[0]])),
      after: Object.fromEntries(versions.map((version) => [version, messages[1]])),
    });
  const rules = (id: number, before: readonly string[] | null, after: readonly string[] | null) => {
    const state = (names: readonly string[] | null) =>
      names && { deploy_access_levels: names.map((name) => ({ user_id: name.length, description: name })) };
    return row({
      id,
      action: 'environment.rules_changed',
      target: protection,
      before: state(before),
      after: state(after),
    });
  };
  const canUndo = (rows: readonly AuditRow[]) =>
    [...undoStates(rows)].filter(([, state]) => state.canUndo).map(([id]) => id);
  const links = (rows: readonly AuditRow[]) =>
    [...undoStates(rows)].map(([id, { undoneBy, undoes }]) => [id, undoneBy?.id, undoes?.id]);

  it('lets only the newest change of a tag be undone, so that an older undo does not overwrite it', () => {
    const rows = [tag(4, '1.2.0', '2.0.0'), tag(3, '1.0.0', '1.1.0', 'beta'), tag(2, '2.0.0', '1.2.0'), row({ id: 1 })];
    expect(canUndo(rows)).toEqual([4, 3]);
    const published = row({ id: 9, after: { version: '3.0.0', tags: ['latest'] } });
    expect(canUndo([published, ...rows])).toEqual([3]);
  });

  it('lets nothing be undone of a version that was unpublished since', () => {
    const rows = [tag(4, '1.0.0', '1.1.0', 'beta'), deprecated(3, ['1.1.0']), deprecated(2, ['1.0.0'])];
    const before = { version: '1.1.0', tags: ['beta'] };
    expect(canUndo([row({ id: 9, action: 'package.unpublished', before }), ...rows])).toEqual([2]);
  });

  it('lets nothing be undone whose user, group or project is gone, and does not call rules undone that went with one', () => {
    const lost = { ...rules(2, ['Ada', 'Maintainers'], ['Ada']), isLost: true };
    const gone = { ...lost, after: { ...(lost.after as object), because: 'The user was deleted.' } };
    const added = rules(1, ['Ada'], ['Ada', 'Maintainers']);
    expect(canUndo([gone, added])).toEqual([]);
    expect(links([gone, added])).toEqual([
      [2, undefined, undefined],
      [1, undefined, undefined],
    ]);
  });

  it('tells the versions of a deprecation apart, and the packages', () => {
    const rows = [
      deprecated(4, ['1.0.0']),
      deprecated(3, ['1.0.0', '1.1.0']),
      deprecated(2, ['1.2.0']),
      deprecated(1, ['1.0.0'], 6),
    ];
    expect(canUndo(rows)).toEqual([4, 2, 1]);
    expect(undoResult(deprecated(1, ['1.0.0']))).toEqual(['@acme/ui@1.0.0 is no longer deprecated.']);
  });

  it('links a change with the one that took it back, and not with one that led elsewhere', () => {
    expect(links([tag(3, '1.1.0', '1.0.0'), tag(2, '1.0.0', '1.1.0'), tag(1, null, '1.0.0')])).toEqual([
      [3, undefined, 2],
      [2, 3, undefined],
      [1, undefined, undefined],
    ]);
    const published = row({ id: 2, after: { version: '1.2.0', tags: ['latest'] } });
    expect(links([tag(3, '1.2.0', '1.0.0'), published, tag(1, '1.0.0', '1.1.0')])).toEqual([
      [3, undefined, undefined],
      [1, undefined, undefined],
    ]);
  });

  it('called what takes a change back undone, too, and so on for every further move between the two', () => {
    const moves = [
      tag(4, '1.0.0', '1.1.0'),
      tag(3, '1.1.0', '1.0.0'),
      tag(2, '1.0.0', '1.1.0'),
      tag(1, '1.1.0', '1.0.0'),
    ];
    expect(links(moves)).toEqual([
      [4, undefined, 3],
      [3, 4, undefined],
      [2, undefined, 1],
      [1, 2, undefined],
    ]);
  });

  it('links deprecations that were undone in several steps, and rules in any order', () => {
    const lifted = ['Old', null];
    const steps = [deprecated(3, ['1.1.0'], 5, lifted), deprecated(2, ['1.0.0'], 5, lifted)];
    expect(links([...steps, deprecated(1, ['1.0.0', '1.1.0'])])).toEqual([
      [3, undefined, 1],
      [2, undefined, 1],
      [1, 2, undefined],
    ]);
    expect(links([rules(2, ['Ada Byron'], ['Ada', 'Grace']), rules(1, ['Grace', 'Ada'], ['Ada Byron'])])).toEqual([
      [2, undefined, 1],
      [1, 2, undefined],
    ]);
    expect(links([rules(2, ['Ada'], null), rules(1, null, ['Ada'])])).toEqual([
      [2, undefined, 1],
      [1, 2, undefined],
    ]);
  });
});

describe('undoOf', () => {
  it('sets a tag to where it was, or removes a new one', () => {
    expect(undoOf(moved)).toEqual({ kind: 'set-tag', packageId: 5, tag: 'beta', version: '1.0.0', expected: '2.0.0' });
    expect(undoOf({ ...moved, before: { tag: 'beta', version: null } })).toEqual({
      kind: 'remove-tag',
      packageId: 5,
      tag: 'beta',
      version: null,
      expected: '2.0.0',
    });
  });

  it('leaves the rules of an environment to the server', () => {
    expect(undoOf(row({ action: 'environment.protected', target: protection }))).toEqual({ kind: 'rules', auditId: 9 });
  });

  it('offers nothing for what cannot be undone', () => {
    expect(undoOf(row({}))).toBeUndefined();
    expect(undoOf(row({ action: 'environment.protected', target: protection, projectId: null }))).toBeUndefined();
    expect(undoOf(row({ action: 'tag.set', before: 'odd' }))).toBeUndefined();
  });
});
