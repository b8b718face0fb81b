import type { AuditRow } from '../../server/contract/directory.ts';

/** A row of the audit trail: a publish by root, but for what is given. */
export function row(more: Partial<AuditRow>): AuditRow {
  return {
    id: 9,
    at: 0,
    actor: { id: 1, name: 'root' },
    origin: 'http',
    address: '127.0.0.1',
    token: null,
    action: 'package.published',
    target: { type: 'package', id: 5, name: '@acme/ui' },
    projectId: 1,
    groupId: null,
    before: null,
    after: null,
    isLost: false,
    ...more,
  };
}

/** A target of a kind that does not matter. */
export const named = (name: string) => ({ type: 'x', id: null, name });
