import { describe, expect, it } from 'vitest';
import { named, row } from '../../test/audit-row.ts';
import { describeRow } from './describe-row.ts';
import { mergeGuards } from './merge-guards.ts';
import { undoResult } from './undo-result.ts';

describe('mergeGuards', () => {
  const approvers = { type: 'protected_environment', id: 1, name: 'tag-approvers' };
  const rules = [
    { access_level: 40, description: 'Maintainers' },
    { access_level: 60, description: 'Administrators' },
  ];
  const guard = {
    environment: 'tag-approvers',
    allow_self_approval: false,
    deployers_wait: false,
    on_refusal: 'stage',
  };
  const tag = { at: 7, projectId: 1, target: named('latest') };
  const set = row({ ...tag, id: 3, action: 'guard.set', after: guard });
  const settings = row({
    ...tag,
    id: 2,
    action: 'guard.settings_changed',
    before: { on_refusal: 'refuse' },
    after: { on_refusal: 'stage' },
  });
  const state = { deploy_access_levels: rules };
  const added = row({ ...tag, id: 1, action: 'environment.protected', target: approvers, after: state });

  it('leaves one row for a tag that requires approval from then on, with who approves', () => {
    const [merged, ...others] = mergeGuards([set, settings, added]);
    expect(others).toEqual([]);
    expect(merged && describeRow(merged)).toEqual({
      verb: 'Required approval for the tag',
      subject: 'latest',
      detail: 'approvers: Maintainers',
    });
  });

  it('leaves one row for a tag that no longer requires it', () => {
    const removed = row({ ...tag, id: 5, action: 'guard.removed', before: guard });
    const gone = row({ ...tag, id: 4, action: 'environment.unprotected', target: approvers, before: state });
    const [merged, ...others] = mergeGuards([gone, removed]);
    expect(others).toEqual([]);
    expect(merged && describeRow(merged)).toMatchObject({ verb: 'Ended approval for the tag', subject: 'latest' });
  });

  it('keeps what happened at another time, in another project or to an environment that people name', () => {
    const rows = [
      { ...settings, at: 6 },
      { ...added, projectId: 2 },
      { ...added, target: { ...approvers, name: 'production' } },
      { ...added, action: 'environment.rules_changed', before: state },
    ];
    expect(mergeGuards([set, ...rows])).toEqual([set, ...rows]);
  });

  it('does not take the approvers from a tag that came with them', () => {
    expect([undoResult(added), undoResult(row({ ...added, before: state, after: null }))]).toEqual([
      undefined,
      undefined,
    ]);
    expect(undoResult(row({ ...added, target: { ...approvers, name: 'production' } }))).toBeDefined();
  });
});
