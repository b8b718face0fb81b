import { accessLevels, levelNames } from '../contract/constants.ts';
import type { EffectiveLevel } from '../contract/levels.ts';
import type { DeployLevel } from './records.ts';

/** Somebody who wants to deploy. */
export interface Deployer {
  readonly id: number;
  readonly username: string;
  readonly isAdmin: boolean;
  readonly blocked: boolean;
}

/** A protection that applies to the environment, with what is known of the deployer in the project or group that it belongs to. */
export interface ApplicableProtection {
  readonly kind: 'project' | 'group';
  /** Effective access of the deployer in that project or group. */
  readonly level: EffectiveLevel;
  readonly rules: readonly DeployLevel[];
}

export interface DeployFacts {
  readonly deployer: Deployer | null;
  /** Effective access of the deployer in the project. */
  readonly projectLevel: EffectiveLevel;
  /** The project's protection of that very name, and those of groups above it that are named like the environment's tier. */
  readonly protections: readonly ApplicableProtection[];
  /** Groups that the deployer is a direct member of, in any role. */
  readonly directGroups: ReadonlySet<number>;
  /** Groups that the deployer belongs to in any way: directly, through a group above, or through an invited group. */
  readonly allGroups: ReadonlySet<number>;
}

/** Why a decision is as it is; `explainDecision` turns it into a sentence. */
export type Because =
  | 'nobody'
  | 'blocked'
  | 'administrator'
  | 'role'
  | 'role_too_low'
  | 'rule'
  | 'no_rules'
  | 'no_rule_matches'
  | 'no_access';

export interface DeployDecision {
  readonly allowed: boolean;
  readonly because: Because;
  /** The rule that lets the deployer through, or that would if he or she still had access to the project. */
  readonly rule: DeployLevel | null;
}

/**
 * May this user deploy to this environment, and why (api/environments.md 4)?
 *
 * 1. Nobody, and nobody who is blocked, deploys. Administrators deploy everywhere.
 * 2. Where no protection applies, the role decides: Developer and above.
 * 3. Every protection that applies must let the user through, and one does as soon as one of its rules matches: a user rule by id;
 *    a group rule by membership in that group, direct (inheritance 0) or of any kind (1); a role rule by effective access in
 *    the project or group that the protection belongs to. Nobody but administrators has level 60.
 * 4. Whom a rule names must still have access to the project, as Reporter at least: a rule outlives lost access, a deployment-only
 *    Reporter is a case that people rely on.
 */
export function decideDeployment(facts: DeployFacts): DeployDecision {
  const { deployer, projectLevel, protections } = facts;
  if (!deployer) return refused('nobody');
  if (deployer.blocked) return refused('blocked');
  if (deployer.isAdmin) return { allowed: true, because: 'administrator', rule: null };
  if (protections.length === 0) {
    const may = projectLevel >= accessLevels.developer;
    return { allowed: may, because: may ? 'role' : 'role_too_low', rule: null };
  }
  let decisive: DeployLevel | null = null;
  for (const protection of protections) {
    const match = protection.rules.find((rule) => matches(rule, protection, deployer, facts));
    if (!match) return refused(protection.rules.length === 0 ? 'no_rules' : 'no_rule_matches');
    decisive ??= match;
  }
  if (projectLevel < accessLevels.reporter) return { allowed: false, because: 'no_access', rule: decisive };
  return { allowed: true, because: 'rule', rule: decisive };
}

/** Whether one rule lets a user through who is no administrator. */
function matches(
  rule: DeployLevel,
  protection: ApplicableProtection,
  deployer: Deployer,
  facts: Pick<DeployFacts, 'directGroups' | 'allGroups'>,
): boolean {
  if (rule.userId !== null) return rule.userId === deployer.id;
  if (rule.groupId !== null) {
    return (rule.groupInheritanceType === 1 ? facts.allGroups : facts.directGroups).has(rule.groupId);
  }
  return rule.accessLevel !== null && protection.level >= rule.accessLevel;
}

function refused(because: Because): DeployDecision {
  return { allowed: false, because, rule: null };
}

/** A decision as a sentence for the person who asked; `ruleName` names the rule, if the decision has one. */
export function explainDecision(
  decision: DeployDecision,
  facts: Pick<DeployFacts, 'deployer' | 'projectLevel'>,
  environment: string,
  ruleName: string,
): string {
  const who = facts.deployer?.username ?? 'nobody';
  const role = levelNames[facts.projectLevel] ?? 'No access';
  switch (decision.because) {
    case 'nobody':
      return `Only signed-in users deploy to ${environment}.`;
    case 'blocked':
      return `${who} is blocked.`;
    case 'administrator':
      return `${who} is an administrator and may deploy everywhere.`;
    case 'role':
      return `${environment} is not protected, and ${who} has the role ${role}, which may deploy.`;
    case 'role_too_low':
      return facts.projectLevel === 0
        ? `${who} has no access to the project.`
        : `${environment} is not protected, but ${who} has only the role ${role}; deploying needs Developer or higher.`;
    case 'rule':
      return `The rule for ${ruleName} lets ${who} deploy to ${environment}.`;
    case 'no_rules':
      return `${environment} is protected and no rule is left: only administrators may deploy.`;
    case 'no_rule_matches':
      return facts.projectLevel === 0
        ? `No rule of ${environment} lets ${who} through, who has no access to the project.`
        : `No rule of ${environment} lets ${who} through, who has the role ${role}.`;
    case 'no_access':
      return facts.projectLevel === 0
        ? `The rule for ${ruleName} lets ${who} through, but ${who} has no access to the project any more.`
        : `The rule for ${ruleName} lets ${who} through, but ${who} has only the role ${role}; a rule needs Reporter or higher.`;
  }
}
