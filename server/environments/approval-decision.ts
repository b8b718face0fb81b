import type { ApprovalRule } from './records.ts';

/** An approval rule of a protection that applies to the guard's environment. */
export interface ApplicableRule extends ApprovalRule {
  /** As GitLab describes the rule: the role, or the name of the user or group. */
  readonly name: string;
  /** The name as the reader may know it: a group that is hidden from them is only numbered. */
  readonly description: string;
  /** The group whose protection has the rule; null for the project's own. */
  readonly ownerPath: string | null;
}

/** An approval that was given. */
export interface GivenApproval {
  readonly userId: number;
  /** The name of the one rule that the approval counts for, as GitLab's `represented_as`; null for every rule that its user matches. */
  readonly representedAs: string | null;
}

export interface ApprovalFacts {
  readonly rules: readonly ApplicableRule[];
  readonly approvals: readonly GivenApproval[];
  /** The user who asked for the release; null once that user is deleted. */
  readonly requesterId: number | null;
  readonly allowSelfApproval: boolean;
  /** Whether a user matches a rule now and still has access to the project. */
  readonly matches: (userId: number, rule: ApplicableRule) => boolean;
  /** Whether a user may deploy to the environment now: what counts where there is no approval rule. */
  readonly mayDeploy: (userId: number) => boolean;
}

/** How far one rule is met. */
export interface RuleProgress {
  /** Null where there is no approval rule: then one approval by a user with deploy access is needed. */
  readonly rule: ApplicableRule | null;
  readonly required: number;
  /** Users whose approval counts, in the order in which they approved. */
  readonly approvedBy: readonly number[];
}

export interface ApprovalProgress {
  readonly rules: readonly RuleProgress[];
  readonly complete: boolean;
  /** Approvals that are still missing, over all rules. */
  readonly missing: number;
}

/**
 * Whether a release has every approval that the environment asks for. Each rule of each protection is counted by itself; an approval
 * counts for as long as its user matches the rule. The requester's own approval counts only where the guard allows it.
 */
export function decideApprovals(facts: ApprovalFacts): ApprovalProgress {
  const counted = facts.approvals.filter(({ userId }) => isIndependent(facts, userId));
  const byRule = facts.rules.map((rule): RuleProgress => {
    const approvals = counted.filter(
      ({ userId, representedAs }) =>
        (representedAs === null || representedAs === rule.name) && facts.matches(userId, rule),
    );
    return { rule, required: rule.requiredApprovals, approvedBy: usersOf(approvals) };
  });
  const rules = byRule.length > 0 ? byRule : [withoutRules(facts, counted)];
  const missing = rules.reduce((sum, { required, approvedBy }) => sum + Math.max(0, required - approvedBy.length), 0);
  return { rules, missing, complete: missing === 0 };
}

/** Whether an approval by this user would count for a rule that is not met yet. */
export function mayApprove(facts: ApprovalFacts, userId: number): boolean {
  if (!isIndependent(facts, userId)) return false;
  return facts.rules.length === 0 ? facts.mayDeploy(userId) : facts.rules.some((rule) => facts.matches(userId, rule));
}

/** Whether an approval by this user counts as that of another person than the one who asked, or need not be. */
export function isIndependent({ allowSelfApproval, requesterId }: ApprovalFacts, userId: number): boolean {
  return allowSelfApproval || userId !== requesterId;
}

function withoutRules({ mayDeploy }: ApprovalFacts, approvals: readonly GivenApproval[]): RuleProgress {
  return { rule: null, required: 1, approvedBy: usersOf(approvals.filter(({ userId }) => mayDeploy(userId))) };
}

function usersOf(approvals: readonly GivenApproval[]): number[] {
  return [...new Set(approvals.map(({ userId }) => userId))];
}
