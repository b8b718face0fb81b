import { describe, expect, it } from 'vitest';
import { type ApplicableRule, type ApprovalFacts, decideApprovals, mayApprove } from './approval-decision.ts';

const maintainers = rule(1, 'Maintainers', 2);
const security = rule(2, 'Security', 1);

/** Ada (1) asks; Ben (2) and Cleo (3) are maintainers; Cleo and Dan (4) are in the security group; Eve (5) is neither. */
const matching: Readonly<Record<number, readonly number[]>> = { 1: [1, 2, 3], 2: [3, 4] };

function rule(id: number, description: string, requiredApprovals: number): ApplicableRule {
  return {
    id,
    name: description,
    description,
    requiredApprovals,
    ownerPath: null,
    accessLevel: 40,
    userId: null,
    groupId: null,
    groupInheritanceType: 0,
  };
}

function facts(approvedBy: readonly (number | [number, string])[], more: Partial<ApprovalFacts> = {}): ApprovalFacts {
  return {
    rules: [maintainers, security],
    approvals: approvedBy.map((given) =>
      typeof given === 'number'
        ? { userId: given, representedAs: null }
        : { userId: given[0], representedAs: given[1] },
    ),
    requesterId: 1,
    allowSelfApproval: false,
    matches: (userId, { id }) => matching[id]?.includes(userId) ?? false,
    mayDeploy: (userId) => userId <= 3,
    ...more,
  };
}

describe('decideApprovals', () => {
  it.each<[string, ApprovalFacts, boolean, number]>([
    ['nothing is approved', facts([]), false, 3],
    ['one of two maintainers approved', facts([2]), false, 2],
    ['one approval counts for each rule that its user matches', facts([3]), false, 1],
    ['every rule is met', facts([2, 3]), true, 0],
    ['two approvals of one person count once', facts([3, 3]), false, 1],
    ['an approval as one rule does not count for another', facts([2, [3, 'Maintainers']]), false, 1],
    ['an approval as a rule that its user does not match counts nowhere', facts([[4, 'Maintainers']]), false, 3],
    ['the requester does not count', facts([1, 3]), false, 1],
    ['the requester counts where the guard allows it', facts([1, 3], { allowSelfApproval: true }), true, 0],
    ['an approval of a user who matches no rule counts nowhere', facts([5]), false, 3],
    ['an approval ends to count when its user matches no more', facts([2, 3], { matches: (id) => id === 3 }), false, 1],
    ['without rules one person with deploy access is enough', facts([2], { rules: [] }), true, 0],
    ['without rules an approval without deploy access is not', facts([4], { rules: [] }), false, 1],
    ['without rules the requester does not count', facts([1], { rules: [] }), false, 1],
    ['the requester was deleted', facts([2, 3], { requesterId: null }), true, 0],
  ])('%s', (_, given, complete, missing) => {
    const progress = decideApprovals(given);
    expect({ complete: progress.complete, missing: progress.missing }).toEqual({ complete, missing });
  });

  it('says for each rule who approved', () => {
    expect(decideApprovals(facts([4, 2])).rules).toEqual([
      { rule: maintainers, required: 2, approvedBy: [2] },
      { rule: security, required: 1, approvedBy: [4] },
    ]);
  });
});

describe('mayApprove', () => {
  it.each<[string, ApprovalFacts, number, boolean]>([
    ['a user whom a rule matches', facts([]), 4, true],
    ['a user whom no rule matches', facts([]), 5, false],
    ['the requester', facts([]), 1, false],
    ['the requester where the guard allows it', facts([], { allowSelfApproval: true }), 1, true],
    ['without rules, a user with deploy access', facts([], { rules: [] }), 2, true],
    ['without rules, a user without deploy access', facts([], { rules: [] }), 4, false],
  ])('%s', (_, given, userId, expected) => {
    expect(mayApprove(given, userId)).toBe(expected);
  });
});
