import { describe, expect, it } from 'vitest';
import type { AuditRow } from '../../../server/contract/directory.ts';
import { undoOf } from '../../api/undo.ts';
import { describeRow } from './describe-row.ts';

function row(more: Partial<AuditRow>): AuditRow {
  return {
    id: 9,
    at: 0,
    actor: { id: 1, name: 'root' },
    origin: 'http',
    address: '127.0.0.1',
    action: 'package.published',
    target: { type: 'package', id: 5, name: '@acme/ui' },
    projectId: 1,
    groupId: null,
    before: null,
    after: null,
    ...more,
  };
}

const moved = row({
  action: 'tag.set',
  before: { tag: 'beta', version: '1.0.0' },
  after: { tag: 'beta', version: '2.0.0' },
});
const protection = { type: 'protected_environment', id: 3, name: 'production' };

describe('describeRow', () => {
  it('says where a tag pointed and points', () => {
    expect(describeRow(moved)).toEqual({ verb: 'Set a tag of', subject: '@acme/ui', detail: 'beta: 1.0.0 → 2.0.0' });
  });

  it('names the rules that came and went', () => {
    const rules = (...names: string[]) => ({ deploy_access_levels: names.map((description) => ({ description })) });
    const change = row({
      action: 'environment.rules_changed',
      target: protection,
      before: rules('Maintainers', 'Ada'),
      after: rules('Maintainers', 'Grace'),
    });
    expect(describeRow(change).detail).toBe('+ Grace   − Ada');
  });

  it('spells out actions that it has no words for, and the fields that differ', () => {
    const change = row({
      action: 'user.updated',
      target: { type: 'user', id: 2, name: 'ada' },
      before: { name: 'Ada', admin: false },
      after: { name: 'Ada Lovelace', admin: false },
    });
    expect(describeRow(change)).toEqual({
      verb: 'Updated the user',
      subject: 'ada',
      detail: 'name: Ada → Ada Lovelace',
    });
  });
});

describe('undoOf', () => {
  it('sets a tag to where it was, or removes a new one', () => {
    expect(undoOf(moved)).toEqual({ kind: 'set-tag', packageId: 5, tag: 'beta', version: '1.0.0' });
    expect(undoOf({ ...moved, before: { tag: 'beta', version: null } })).toEqual({
      kind: 'remove-tag',
      packageId: 5,
      tag: 'beta',
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
