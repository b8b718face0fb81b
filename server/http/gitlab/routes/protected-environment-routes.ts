import { tiers } from '../../../contract/constants.ts';
import { GatehouseError } from '../../../contract/errors.ts';
import { ruleLevels } from '../../../contract/constants.ts';
import { authorizeGroup, authorizeProject } from '../../../accounts/access/authorize.ts';
import type { RuleChange } from '../../../environments/merge-rules.ts';
import type { ProtectionOwner } from '../../../environments/records.ts';
import {
  type Answer,
  created,
  type GitlabCall,
  type Handler,
  noContent,
  ok,
  pageOf,
  pathParameter,
  read,
} from '../call.ts';
import { unmodifiedSince } from '../conditional.ts';
import { ParameterError } from '../parameter-error.ts';
import { atLeastOneOf, boolean, type Declaration, integer, list, numberChoice, text, type Values } from '../params.ts';
import { presentProtection } from '../present-environments.ts';
import type { Route } from '../route-table.ts';

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

const projectOf: OwnerOf = (call, access) => {
  const { directory } = call.services.directory;
  const project = authorizeProject(
    directory,
    call.principal,
    pathParameter(call, 'id'),
    `protected_environments.${access}`,
  );
  return { kind: 'project', id: project.id };
};

const groupOf: OwnerOf = (call, access) => {
  const { directory } = call.services.directory;
  const action = `group_protected_environments.${access}` as const;
  return { kind: 'group', id: authorizeGroup(directory, call.principal, pathParameter(call, 'id'), action).id };
};

function listAll(call: GitlabCall, owner: ProtectionOwner): Answer {
  const { protections } = call.services.environments;
  return pageOf(call, protections.list(owner), (protection) => presentProtection(call, protection));
}

function getOne(call: GitlabCall, owner: ProtectionOwner): Answer {
  const name = nameOf(call, owner);
  return ok(presentProtection(call, call.services.environments.protections.get(owner, name)));
}

async function protectOne(call: GitlabCall, owner: ProtectionOwner): Promise<Answer> {
  const input = read(call, protect);
  requireTier(owner, input.name ?? '');
  refuseApprovalCount(input.required_approval_count);
  const protection = await call.services.environments.protections.protect(call.actor, owner, {
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
  const { protections } = call.services.environments;
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
  const { protections } = call.services.environments;
  await protections.unprotect(call.actor, owner, nameOf(call, owner), unmodifiedSince(call));
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
  const name = pathParameter(call, 'name');
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

function routesOf(collection: string, ownerOf: OwnerOf): Route<Handler>[] {
  const item = `${collection}/:name`;
  return [
    { method: 'GET', pattern: collection, handler: (call) => listAll(call, ownerOf(call, 'read')) },
    { method: 'POST', pattern: collection, handler: (call) => protectOne(call, ownerOf(call, 'write')) },
    { method: 'GET', pattern: item, handler: (call) => getOne(call, ownerOf(call, 'read')) },
    { method: 'PUT', pattern: item, handler: (call) => updateOne(call, ownerOf(call, 'write')) },
    { method: 'DELETE', pattern: item, handler: (call) => unprotectOne(call, ownerOf(call, 'write')) },
  ];
}

/** The five calls on protected environments, for projects and for groups (api/environments.md 1 to 2). */
export const protectedEnvironmentRoutes: Route<Handler>[] = [
  ...routesOf('/projects/:id/protected_environments', projectOf),
  ...routesOf('/groups/:id/protected_environments', groupOf),
];
