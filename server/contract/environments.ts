import { z } from 'zod';
import { ruleLevel } from './levels.ts';

/** Who one deploy access level lets through: a role, one user, or the members of one group. */
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
});
export type DeployRule = z.infer<typeof deployRule>;

export const protectedEnvironment = z.object({
  id: z.int(),
  projectId: z.int(),
  name: z.string(),
  rules: z.array(deployRule),
  updatedAt: z.int(),
});
export type ProtectedEnvironment = z.infer<typeof protectedEnvironment>;

/** A rule as a person enters it: exactly one of the three selectors. */
export const deployRuleInput = z.union([
  z.object({ accessLevel: ruleLevel }),
  z.object({ userId: z.int() }),
  z.object({
    groupId: z.int(),
    groupInheritanceType: z.union([z.literal(0), z.literal(1)]).default(0),
  }),
]);
export type DeployRuleInput = z.input<typeof deployRuleInput>;

const projectId = z.object({ projectId: z.int() });

export const environmentMethods = {
  'environments.listProtected': { input: projectId, output: z.array(protectedEnvironment) },
  'environments.protect': {
    input: projectId.extend({ name: z.string(), rules: z.array(deployRuleInput) }),
    output: protectedEnvironment,
  },
  'environments.unprotect': { input: projectId.extend({ name: z.string() }), output: z.null() },
  /** Replaces the rules as a whole; refused with `conflict` if the environment changed since `updatedAt`. */
  'environments.replaceRules': {
    input: projectId.extend({
      name: z.string(),
      rules: z.array(deployRuleInput),
      updatedAt: z.int(),
    }),
    output: protectedEnvironment,
  },
} as const;
