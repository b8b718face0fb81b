import { z } from 'zod';
import { tiers } from './constants.ts';
import { ruleLevel } from './levels.ts';

/** A deploy access level: it allows a role, one user, or the members of one group. */
export const deployRule = z.object({
  id: z.int(),
  kind: z.enum(['role', 'user', 'group']),
  accessLevel: ruleLevel.nullable(),
  userId: z.int().nullable(),
  groupId: z.int().nullable(),
  /** 0: direct members of the group; 1: inherited and invited ones too. */
  groupInheritanceType: z.union([z.literal(0), z.literal(1)]),
  /** "Maintainers", a person's name or a group's name. */
  description: z.string(),
  /** `@username`, or the full path of a group: names are not unique. Empty for a role. */
  detail: z.string(),
});
export type DeployRule = z.infer<typeof deployRule>;

/** Who approves a deployment, and how often. Stored and returned in GitLab's shape; enforced nowhere, since nothing deploys here. */
export const approvalRule = deployRule.extend({ requiredApprovals: z.int() });
export type ApprovalRule = z.infer<typeof approvalRule>;

export const tier = z.enum(tiers);

export const protectedEnvironment = z.object({
  id: z.int(),
  /** Of a group: the tier. */
  name: z.string(),
  tier,
  rules: z.array(deployRule),
  approvalRules: z.array(approvalRule),
  updatedAt: z.int(),
});
export type ProtectedEnvironment = z.infer<typeof protectedEnvironment>;

/** A protection of a group above the project. It applies to every environment of its tier, besides the project's own. */
export const inheritedProtection = protectedEnvironment
  .omit({ name: true })
  .extend({ group: z.object({ id: z.int(), fullPath: z.string() }) });
export type InheritedProtection = z.infer<typeof inheritedProtection>;

/** A rule as people enter it: exactly one of the three selectors. */
export const deployRuleInput = z.union([
  z.object({ accessLevel: ruleLevel }),
  z.object({ userId: z.int() }),
  z.object({
    groupId: z.int(),
    groupInheritanceType: z.union([z.literal(0), z.literal(1)]).default(0),
  }),
]);
export type DeployRuleInput = z.input<typeof deployRuleInput>;

const requiredApprovals = z.int().min(1).max(5);
/** An approval rule as people enter it: a new one, or one that exists, by its id. */
export const approvalRuleInput = z.union([
  z.object({ id: z.int(), requiredApprovals, groupInheritanceType: z.union([z.literal(0), z.literal(1)]) }),
  deployRuleInput.and(z.object({ requiredApprovals })),
]);
export type ApprovalRuleInput = z.input<typeof approvalRuleInput>;
const approvalRules = z.array(approvalRuleInput).optional();

/** The rules of an environment that is to be protected. */
export const protectionRules = { rules: z.array(deployRuleInput), approvalRules };

/** Whether one person may deploy to one environment, and why. */
export const deployAccess = z.object({
  user: z.object({ id: z.int(), username: z.string(), name: z.string() }),
  allowed: z.boolean(),
  /** A sentence for people: the rule that allows it, or what is missing. */
  reason: z.string(),
  /** The rule that allows it. */
  rule: deployRule.nullable(),
});
export type DeployAccess = z.infer<typeof deployAccess>;

/** A protected environment where a user may deploy, or one where the user's approval counts, and why; no rule for administrators. */
export const environmentTarget = deployAccess.pick({ reason: true, rule: true }).extend({
  project: z.object({ id: z.int(), fullPath: z.string() }),
  environment: z.string(),
  right: z.enum(['deploy', 'approve']),
});
export type EnvironmentTarget = z.infer<typeof environmentTarget>;

export const environmentAccess = z.object({
  environment: z.string(),
  protected: z.boolean(),
  tier,
  /** Everyone who may deploy, administrators included. */
  users: z.array(deployAccess),
});
export type EnvironmentAccess = z.infer<typeof environmentAccess>;

/** What applying a file of rules does, or would do, to one environment; the rules as people read them. */
export const rulePlanStep = z.object({
  action: z.enum(['protect', 'change', 'unprotect', 'keep']),
  environment: z.string(),
  add: z.array(z.string()),
  remove: z.array(z.string()),
});
export type RulePlanStep = z.infer<typeof rulePlanStep>;

/** What such a file changes about the guard of a dist-tag, or, without a tag, about what refused changes become. Null for no guard. */
export const guardPlanStep = z.object({
  tag: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type GuardPlanStep = z.infer<typeof guardPlanStep>;

const projectId = z.object({ projectId: z.int() });
const named = projectId.extend({ name: z.string() });

/** What has protections: a project, or a group, which protects tiers of environments in every project below it. */
export const protectionOwner = z.union([projectId, z.object({ groupId: z.int() })]);
export type ProtectionOwner = z.infer<typeof protectionOwner>;

const owned = <T extends z.ZodRawShape>(shape: T) => protectionOwner.and(z.object({ name: z.string(), ...shape }));

export const environmentMethods = {
  'environments.listProtected': { input: protectionOwner, output: z.array(protectedEnvironment) },
  /** The protections of the groups above the project, nearest group first. */
  'environments.listInherited': { input: projectId, output: z.array(inheritedProtection) },
  'environments.protect': {
    input: owned(protectionRules),
    output: protectedEnvironment,
  },
  'environments.unprotect': { input: owned({}), output: z.null() },
  /** Replaces the rules as a whole (a list that is left out stays); refused with `conflict` if the environment changed since `updatedAt`. */
  'environments.replaceRules': {
    input: owned({ ...protectionRules, updatedAt: z.int() }),
    output: protectedEnvironment,
  },

  /** Who may deploy where: every environment and every protected name of the project, or only `name`, which need not exist. */
  'environments.access': {
    input: named.partial({ name: true }),
    output: z.array(environmentAccess),
  },
  /** Whether one person may deploy to one environment, and why. */
  'environments.decide': { input: named.extend({ userId: z.int() }), output: deployAccess },
  /** The protected environments of all projects where a user may deploy or approve, in the order of paths and names. */
  'environments.targetsOf': { input: z.object({ userId: z.int() }), output: z.array(environmentTarget) },

  /** Puts back what one row of the audit trail says was there before a change of a project's protection. */
  'environments.undo': { input: z.object({ auditId: z.int() }), output: z.null() },
} as const;

export const ruleFileMethods = {
  /** The project's protections as a YAML file that can live in git. */
  'environments.exportRules': { input: projectId, output: z.object({ yaml: z.string() }) },
  /** Makes the project's protections what the file says; with `dryRun` only says what that would change. */
  'environments.applyRules': {
    input: projectId.extend({ yaml: z.string().max(1_000_000), dryRun: z.boolean().default(false) }),
    output: z.object({ steps: z.array(rulePlanStep), guards: z.array(guardPlanStep), applied: z.boolean() }),
  },
} as const;
