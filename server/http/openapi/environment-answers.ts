import { z } from 'zod';
import { ruleLevels, tiers } from '../../contract/constants.ts';
import { onRefusal, publishPreview } from '../../contract/guards.ts';
import { id, moment } from './answer-parts.ts';
import { directoryAnswers } from './directory-answers.ts';

const DeployAccessLevel = z.object({
  id,
  access_level: z.literal([...ruleLevels]).nullable(),
  access_level_description: z.string(),
  user_id: id.nullable(),
  group_id: id.nullable(),
  group_inheritance_type: z.literal([0, 1]).meta({
    description: '0: direct members of the group; 1: inherited and invited ones too.',
  }),
});
const ApprovalRule = DeployAccessLevel.extend({ required_approvals: z.int() });
const ProtectedEnvironment = z.object({
  name: z.string(),
  deploy_access_levels: z.array(DeployAccessLevel),
  required_approval_count: z.int(),
  approval_rules: z.array(ApprovalRule),
});

const decision = z.object({
  allowed: z.boolean(),
  reason: z.string().meta({ description: 'A sentence: the rule that allows it, or what is missing.' }),
  rule: DeployAccessLevel.nullable(),
});
const DeployDecision = decision.extend({ user: z.object({ id, username: z.string(), name: z.string() }) });
const Deployer = decision.extend({ user_id: id, username: z.string(), name: z.string() });
const EnvironmentAccess = z.object({
  environment: z.string(),
  protected: z.boolean(),
  tier: z.enum(tiers),
  users: z.array(Deployer),
});

const Environment = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  external_url: z.string().nullable(),
  state: z.enum(['available', 'stopping', 'stopped']),
  tier: z.enum(tiers),
  created_at: moment,
  updated_at: moment,
  auto_stop_at: z.null(),
  project: directoryAnswers.SimpleProject,
});

const removedEnvironment = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  external_url: z.string().nullable(),
});

const TagGuard = z.object({
  id,
  pattern: z.string(),
  environment: z.string(),
  tier: z.enum(tiers),
  protected: z.boolean(),
  allow_self_approval: z.boolean(),
  deployers_wait: z.boolean(),
  created_at: moment,
  updated_at: moment,
});

/** Answers about environments, who can deploy to them, and what they guard. */
export const environmentAnswers = {
  DeployAccessLevel,
  ApprovalRule,
  ProtectedEnvironment,
  DeployDecision,
  Deployer,
  DeployAccess: z.union([DeployDecision, z.array(Deployer)]),
  EnvironmentAccess,
  Environment,
  EnvironmentDetail: Environment.extend({ last_deployment: z.null() }),
  TagGuard,
  GuardSettings: z.object({ on_refusal: onRefusal }),
  PublishPreview: publishPreview,
  PublishPreviews: z.union([publishPreview, z.array(publishPreview)]),
  ReviewAppsRemoval: z.object({
    scheduled_entries: z.array(removedEnvironment),
    unprocessable_entries: z
      .array(removedEnvironment)
      .meta({ description: 'Those whose protection refuses the caller.' }),
  }),
};
