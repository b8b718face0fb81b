import type { Tier } from '../contract/constants.ts';
import type { RuleLevel } from '../contract/levels.ts';

/** What a protection belongs to: a project, or a group whose protections are named by tiers. */
export interface ProtectionOwner {
  readonly kind: 'project' | 'group';
  readonly id: number;
}

/** What a rule matches: exactly one of the three for deploy access levels, at least one for approval rules. */
export interface Selector {
  readonly accessLevel: RuleLevel | null;
  readonly userId: number | null;
  readonly groupId: number | null;
  /** 0: direct members of the group; 1: inherited and invited ones too. Ignored for roles and users. */
  readonly groupInheritanceType: 0 | 1;
}

export interface DeployLevel extends Selector {
  readonly id: number;
}

/** Who approves a release to the environment, and how often. Counts where a dist-tag is guarded by the environment. */
export interface ApprovalRule extends Selector {
  readonly id: number;
  readonly requiredApprovals: number;
}

export interface Protection {
  readonly id: number;
  readonly owner: ProtectionOwner;
  readonly name: string;
  /** In the order in which they were added. */
  readonly deployLevels: readonly DeployLevel[];
  readonly approvalRules: readonly ApprovalRule[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface EnvironmentRecord {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly slug: string;
  readonly externalUrl: string | null;
  readonly description: string | null;
  readonly tier: Tier;
  readonly state: 'available' | 'stopping' | 'stopped';
  readonly createdAt: number;
  readonly updatedAt: number;
}
