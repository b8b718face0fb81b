import { accessLevels, levelNames } from '../contract/constants.ts';
import type { EffectiveLevel } from '../contract/levels.ts';
import type { DeployLevel, Selector } from './records.ts';

/** The user who wants to deploy. */
export interface Deployer {
  readonly id: number;
  readonly username: string;
  readonly isAdmin: boolean;
  readonly blocked: boolean;
}

/** A protection that applies to the environment. */
export interface ApplicableProtection {
  /** The name of an environment of the project, or the tier that a group protects. */
  readonly name: string;
  /** The full path of the group that it belongs to; null for the project's own. */
  readonly group: string | null;
  /** Effective access of the deployer in that project or group. */
  readonly level: EffectiveLevel;
  readonly rules: readonly DeployLevel[];
}

export interface DeployFacts {
  readonly deployer: Deployer | null;
  /** Effective access of the deployer in the project. */
  readonly projectLevel: EffectiveLevel;
  /** The project's protection of this name, and those of groups above it for the environment's tier. */
  readonly protections: readonly ApplicableProtection[];
  /** Groups that the deployer is a direct member of, in any role. */
  readonly directGroups: ReadonlySet<number>;
  /** Groups that the deployer belongs to directly, through a parent group, or through an invited group. */
  readonly allGroups: ReadonlySet<number>;
}

/** The reason of a decision; `explainDecision` turns it into a sentence. */
export type DeployReason =
  | 'anonymous'
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
  readonly reason: DeployReason;
  /** The rule that lets the deployer through, or would with access to the project. */
  readonly rule: DeployLevel | null;
  /** The protection of that rule, or the one that refuses. */
  readonly protection?: ApplicableProtection;
}

/**
 * May this user deploy to this environment, and why?
 *
 * 1. Anonymous callers and blocked users never deploy. Administrators deploy everywhere.
 * 2. Where no protection applies, the role decides: Developer and above.
 * 3. Every protection that applies must have a rule that matches: a user rule by id;
 *    a group rule by membership in that group, direct (inheritance 0) or of any kind (1); a role rule by effective access in
 *    the project or group that the protection belongs to. Only administrators have level 60.
 * 4. The user must also be at least Reporter in the project: a rule does not replace lost access, and a Reporter who may only
 *    deploy is a supported case.
 */
export function decideDeployment(facts: DeployFacts): DeployDecision {
  const { deployer, projectLevel, protections } = facts;
  if (!deployer) return refused('anonymous');
  if (deployer.blocked) return refused('blocked');
  if (deployer.isAdmin) return { allowed: true, reason: 'administrator', rule: null };
  if (protections.length === 0) {
    const may = projectLevel >= accessLevels.developer;
    return { allowed: may, reason: may ? 'role' : 'role_too_low', rule: null };
  }
  let decisive: Pick<DeployDecision, 'rule' | 'protection'> | undefined;
  for (const protection of protections) {
    const match = protection.rules.find((rule) => matches(rule, protection, deployer, facts));
    if (!match) return { ...refused(protection.rules.length === 0 ? 'no_rules' : 'no_rule_matches'), protection };
    decisive ??= { rule: match, protection };
  }
  const allowed = projectLevel >= accessLevels.reporter;
  return { allowed, reason: allowed ? 'rule' : 'no_access', rule: null, ...decisive };
}

/** Whether one rule matches a user who is not an administrator. */
export function matches(
  rule: Selector,
  protection: Pick<ApplicableProtection, 'level'>,
  deployer: Pick<Deployer, 'id'>,
  facts: Pick<DeployFacts, 'directGroups' | 'allGroups'>,
): boolean {
  if (rule.userId !== null) return rule.userId === deployer.id;
  if (rule.groupId !== null) {
    return (rule.groupInheritanceType === 1 ? facts.allGroups : facts.directGroups).has(rule.groupId);
  }
  return rule.accessLevel !== null && protection.level >= rule.accessLevel;
}

function refused(reason: DeployReason): DeployDecision {
  return { allowed: false, reason, rule: null };
}

/** A decision as a sentence; `ruleName` describes the rule, if the decision has one. */
export function explainDecision(
  decision: DeployDecision,
  facts: Pick<DeployFacts, 'deployer' | 'projectLevel'>,
  environment: string,
  ruleName: string,
): string {
  const who = facts.deployer ? `@${facts.deployer.username}` : 'nobody';
  const role = levelNames[facts.projectLevel] ?? 'No access';
  const { group = null, name = '', level = 0 } = decision.protection ?? {};
  const owner = group === null ? '' : ` of the group "${group}"`;
  const rule = `The rule for ${ruleName}${owner}`;
  // A rule for one user names that user: "the rule for Ann lets @ann deploy" would read as two people.
  const byName = `The rules of ${environment}${owner} allow ${who} by name`;
  const isByName = (decision.rule?.userId ?? null) !== null;
  switch (decision.reason) {
    case 'anonymous':
      return `Only signed-in users deploy to ${environment}.`;
    case 'blocked':
      return `${who} is blocked.`;
    case 'administrator':
      return `${who} is an administrator and may deploy everywhere.`;
    case 'role':
      return `${environment} is not protected, and ${who} has the ${role} role, which may deploy.`;
    case 'role_too_low':
      return facts.projectLevel === 0
        ? `${who} has no access to the project.`
        : `${environment} is not protected, but ${who} has only the ${role} role; deploying needs Developer or higher.`;
    case 'rule':
      return isByName ? `${byName}.` : `${rule} lets ${who} deploy to ${environment}.`;
    case 'no_rules':
      return group === null
        ? `${environment} is protected and no rule is left: only administrators may deploy.`
        : `The group "${group}" protects ${name} environments and no rule of it is left: only administrators may deploy.`;
    case 'no_rule_matches':
      if (group !== null) {
        const there = level === 0 ? 'no role' : `only the ${levelNames[level] ?? ''} role`;
        const levels = decision.protection?.rules.flatMap(({ accessLevel }) => accessLevel ?? []) ?? [];
        const lowest = Math.min(...levels);
        return lowest <= accessLevels.owner
          ? `The group "${group}" lets its ${levelNames[lowest] ?? ''}s deploy to ${name} environments; ${who} has ${there} there.`
          : `The group "${group}" lets others deploy to ${name} environments, not ${who}.`;
      }
      if (facts.projectLevel === 0) return `No rule of ${environment} allows ${who}, who has no access to the project.`;
      return facts.projectLevel < accessLevels.developer
        ? `No rule of ${environment} allows ${who}. First give ${who} the Developer role (now ${role}), then add a rule.`
        : `No rule of ${environment} allows ${who}, who has the ${role} role.`;
    case 'no_access': {
      const allows = isByName ? byName : `${rule} allows ${who}`;
      return facts.projectLevel === 0
        ? `${allows}, but ${who} has no access to the project any more.`
        : `${allows}, but ${who} has only the ${role} role; deploying needs Reporter or higher.`;
    }
  }
}
