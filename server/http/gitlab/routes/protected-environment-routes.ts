import { ruleLevels, tiers } from '../../../contract/constants.ts';
import { GatehouseError } from '../../../contract/errors.ts';
import type { RuleChange } from '../../../environments/merge-rules.ts';
import type { ProtectionOwner } from '../../../environments/records.ts';
import { type Answer, created, noContent, ok } from '../../respond.ts';
import { ParameterError } from '../../errors.ts';
import { dateOf } from '../../preconditions.ts';
import { type GitlabCall, type GitlabRoute, type Handler, groupOf, pageOf, projectOf, read } from '../call.ts';
import { atLeastOneOf, boolean, type Declaration, integer, list, numberChoice, text, type Values } from '../params.ts';

import { presentAnswer, presentDeployer, presentProtection } from '../present-environments.ts';
import { visibleGroups } from '../../visibility.ts';

const selectors = {
  access_level: numberChoice(ruleLevels),
  user_id: integer(),
  group_id: integer(),
  group_inheritance_type: numberChoice([0, 1]),
} satisfies Declaration;

const changing = { id: integer(), _destroy: boolean() } satisfies Declaration;

/** Approval rules take `id` and `_destroy` on both calls and need a selector unless they name a rule that is there. */
const approvalRules = list({
  ...changing,
  ...selectors,
  required_approvals: integer(),
  selector: atLeastOneOf('access_level', 'user_id', 'group_id'),
});

const protect = {
  name: text({ required: true }),
  deploy_access_levels: list(selectors, { required: true }),
  required_approval_count: integer(),
  approval_rules: approvalRules,
} satisfies Declaration;

const update = {
  deploy_access_levels: list({ ...changing, ...selectors }),
  required_approval_count: integer(),
  approval_rules: list({ ...changing, ...selectors, required_approvals: integer() }),
} satisfies Declaration;

/** The project or group of a call, if the caller may do this with its protections. */
type OwnerOf = (call: GitlabCall, access: 'read' | 'write') => ProtectionOwner;

const ofProject: OwnerOf = (call, access) => {
  const { id } = projectOf(call, `protected_environments.${access}`);
  return { kind: 'project', id };
};

const ofGroup: OwnerOf = (call, access) => {
  const { id } = groupOf(call, `group_protected_environments.${access}`);
  return { kind: 'group', id };
};

function listAll(call: GitlabCall, owner: ProtectionOwner): Answer {
  const { protections } = call.registry.environments;
  return pageOf(call, protections.list(owner), (protection) => presentProtection(call, protection));
}

function getOne(call: GitlabCall, owner: ProtectionOwner): Answer {
  const name = nameOf(call, owner);
  return ok(presentProtection(call, call.registry.environments.protections.get(owner, name)));
}

async function protectOne(call: GitlabCall, owner: ProtectionOwner): Promise<Answer> {
  const input = read(call, protect);
  requireTier(owner, input.name ?? '');
  refuseApprovalCount(input.required_approval_count);
  const protection = await call.registry.environments.protections.protect(call.actor, owner, {
    name: input.name ?? '',
    deployLevels: input.deploy_access_levels.map(toChange),
    approvalRules: input.approval_rules?.map(toChange),
    approvalCount: input.required_approval_count,
  });
  return created(presentProtection(call, protection));
}

async function updateOne(call: GitlabCall, owner: ProtectionOwner): Promise<Answer> {
  const input = read(call, update);
  const name = nameOf(call, owner);
  const { protections } = call.registry.environments;
  protections.get(owner, name);
  refuseApprovalCount(input.required_approval_count);
  const protection = await protections.update(call.actor, owner, name, {
    deployLevels: input.deploy_access_levels?.map(toChange),
    approvalRules: input.approval_rules?.map(toChange),
    approvalCount: input.required_approval_count,
  });
  return ok(presentProtection(call, protection));
}

async function unprotectOne(call: GitlabCall, owner: ProtectionOwner): Promise<Answer> {
  const { protections } = call.registry.environments;
  await protections.unprotect(call.actor, owner, nameOf(call, owner), dateOf(call.req, 'if-unmodified-since'));
  return noContent;
}

function toChange(
  entry: Values<typeof selectors> & Partial<Values<typeof changing> & { required_approvals: unknown }>,
): RuleChange {
  return {
    id: entry.id,
    destroy: entry._destroy,
    accessLevel: entry.access_level,
    userId: entry.user_id,
    groupId: entry.group_id,
    groupInheritanceType: entry.group_inheritance_type,
    requiredApprovals: typeof entry.required_approvals === 'number' ? entry.required_approvals : undefined,
  };
}

function nameOf(call: GitlabCall, owner: ProtectionOwner): string {
  const { name = '' } = call.path;
  requireTier(owner, name);
  return name;
}

/** @throws ParameterError for a group's protection that is not named by a tier. */
function requireTier(owner: ProtectionOwner, name: string): void {
  if (owner.kind === 'group' && !tiers.some((tier) => tier === name)) {
    throw new ParameterError('name does not have a valid value');
  }
}

/** @throws GatehouseError `unprocessable` for the parameter that approval rules replaced. */
function refuseApprovalCount(count: number | null | undefined): void {
  if ((count ?? 0) > 0) {
    throw new GatehouseError(
      'unprocessable',
      "Parameter 'required_approval_count' is deprecated and shouldn't be used. See https://gitlab.com/groups/gitlab-org/-/epics/9662",
    );
  }
}

const accessOf = { user_id: integer() } satisfies Declaration;

/** Who may deploy, and why; GitLab has no call for it. */
const readAccess: Handler = (call) => {
  const project = projectOf(call, 'deploy_access.read');
  const { user_id: userId } = read(call, accessOf);
  const { access } = call.registry.environments;
  const { name = '' } = call.path;
  const isVisible = visibleGroups(call);
  if (typeof userId === 'number') return ok(presentAnswer(call, access.ofUser(project.id, name, userId, isVisible)));
  return ok(access.everyone(project.id, name, isVisible).map((answer) => presentDeployer(call, answer)));
};

function routesOf(kind: 'project' | 'group', ownerOf: OwnerOf): GitlabRoute[] {
  const collection = `/${kind}s/:id/protected_environments`;
  const subject = kind === 'project' ? 'protected_environments' : 'group_protected_environments';
  return [
    {
      pattern: collection,
      GET: {
        handle: (call) => listAll(call, ownerOf(call, 'read')),
        summary: `List the protected environments of a ${kind}`,
        access: `${subject}.read`,
        paged: true,
        answers: { 200: 'ProtectedEnvironment[]' },
      },
      POST: {
        handle: (call) => protectOne(call, ownerOf(call, 'write')),
        summary: `Protect an environment of a ${kind}`,
        description:
          kind === 'project'
            ? 'Each deploy access level is exactly one of `access_level`, `user_id` and `group_id`. Users need the Developer role, groups must be invited to the project; if one is not, nothing is stored and the answer names it.'
            : 'The name is a deployment tier.',
        access: `${subject}.write`,
        parameters: protect,
        answers: { 201: 'ProtectedEnvironment' },
        errors: [409, 422],
      },
    },
    {
      pattern: `${collection}/:name`,
      GET: {
        handle: (call) => getOne(call, ownerOf(call, 'read')),
        summary: `Show a protected environment of a ${kind}`,
        access: `${subject}.read`,
        answers: { 200: 'ProtectedEnvironment' },
      },
      PUT: {
        handle: (call) => updateOne(call, ownerOf(call, 'write')),
        summary: `Change a protected environment of a ${kind}`,
        description:
          'A merge: an entry without `id` is added, one with `id` is changed, and removed with `_destroy`. What is not mentioned stays.',
        access: `${subject}.write`,
        parameters: update,
        answers: { 200: 'ProtectedEnvironment' },
        errors: [409, 422],
      },
      DELETE: {
        handle: (call) => unprotectOne(call, ownerOf(call, 'write')),
        summary: `Unprotect an environment of a ${kind}`,
        access: `${subject}.write`,
        answers: { 204: 'nothing' },
        errors: [409, 412],
      },
    },
  ];
}

/** Protected environments of projects and groups. */
export const protectedEnvironmentRoutes: readonly GitlabRoute[] = [
  // First, as a name with unencoded slashes would take in the last word of this path.
  {
    pattern: '/projects/:id/protected_environments/:name/access',
    GET: {
      handle: readAccess,
      summary: 'Ask who can deploy to an environment',
      description: 'With `user_id` whether that user can, and why. Not part of GitLab.',
      access: 'deploy_access.read',
      parameters: accessOf,
      answers: { 200: 'DeployAccess' },
    },
  },
  ...routesOf('project', ofProject),
  ...routesOf('group', ofGroup),
];
