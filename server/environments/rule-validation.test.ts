import { describe, expect, it } from 'vitest';
import type { Selector } from './records.ts';
import { duplicateComplaints } from './rule-validation.ts';

const nobody: Selector = { accessLevel: null, userId: null, groupId: null, groupInheritanceType: 0 };
const kind = 'Deploy access levels';

function complaints(all: readonly Selector[], touched: readonly Selector[] = all): string[] {
  return duplicateComplaints(kind, all, new Set(touched));
}

describe('duplicates', () => {
  it('are rules that let the same people through', () => {
    const role = { ...nobody, accessLevel: 40 } as const;
    const group = { ...nobody, groupId: 7 } as const;
    expect(complaints([role, group, { ...nobody, userId: 7 }, { ...group, groupInheritanceType: 1 }])).toEqual([]);
    expect(complaints([role, { ...role, groupInheritanceType: 1 }])).toEqual([`${kind} has duplicate entries`]);
    expect(complaints([group, { ...group }])).toEqual([`${kind} has duplicate entries`]);
  });

  it('matter only where one of them is new or changed', () => {
    const [old, older, added] = [1, 1, 2].map((userId) => ({ ...nobody, userId }));
    if (!old || !older || !added) throw new Error('unreachable');
    expect(complaints([old, older, added], [added])).toEqual([]);
    expect(complaints([old, older, added], [older])).toHaveLength(1);
  });
});
