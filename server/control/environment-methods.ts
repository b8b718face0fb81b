import type {
  ApprovalRuleInput,
  DeployRuleInput,
  InheritedProtection,
  ProtectedEnvironment,
  ProtectionOwner as OwnerInput,
} from '../contract/environments.ts';
import type { Tier } from '../contract/constants.ts';
import { compareNames } from '../contract/compare-names.ts';
import { GatehouseError } from '../contract/errors.ts';
import type { Actor } from '../accounts/change.ts';
import type { DirectoryServices } from '../accounts/directory-services.ts';
import type { EnvironmentServices } from '../environments/environment-services.ts';
import type { RuleChange } from '../environments/merge-rules.ts';
import type { Protection, ProtectionOwner } from '../environments/records.ts';
import { toApprovalRule, toDeployRule } from '../environments/rule-names.ts';
import { targetsOf } from '../environments/user-targets.ts';
import type { MethodsOf } from './call-method.ts';

/** Protected environments, who may deploy to them, and their rule files. */
export function createEnvironmentMethods(
  services: { readonly directory: DirectoryServices; readonly environments: EnvironmentServices },
  actor: Actor,
): MethodsOf<'environments'> {
  const { protections, access, ruleFiles, undo } = services.environments;
  const { directory, audit, projects, groups } = services.directory;
  const ownerOf = (owner: OwnerInput): ProtectionOwner =>
    'projectId' in owner
      ? { kind: 'project', id: projects.get(owner.projectId).id }
      : { kind: 'group', id: groups.get(owner.groupId).id };
  const present = (protection: Protection): ProtectedEnvironment => ({
    id: protection.id,
    name: protection.name,
    tier:
      protection.owner.kind === 'group'
        ? (protection.name as Tier)
        : access.tierOf(protection.owner.id, protection.name),
    ...rulesOf(protection),
  });
  const rulesOf = ({ deployLevels, approvalRules, updatedAt }: Protection) => ({
    rules: deployLevels.map((level) => toDeployRule(directory, level)),
    approvalRules: approvalRules.map((rule) => toApprovalRule(directory, rule)),
    updatedAt,
  });
  const presentInherited = (protection: Protection): InheritedProtection => {
    const { id, name, owner } = protection;
    const fullPath = directory.index.namespaces.get(owner.id)?.fullPath ?? '';
    return { id, tier: name as Tier, group: { id: owner.id, fullPath }, ...rulesOf(protection) };
  };

  return {
    'environments.listProtected': (owner) =>
      protections
        .list(ownerOf(owner))
        .map(present)
        .toSorted((a, b) => compareNames(a.name, b.name)),
    'environments.listInherited': ({ projectId }) => access.inherited(projects.get(projectId).id).map(presentInherited),
    'environments.protect': async (input) =>
      present(await protections.protect(actor, ownerOf(input), { name: input.name, ...toChanges(input) })),
    'environments.unprotect': (input) => protections.unprotect(actor, ownerOf(input), input.name),
    'environments.replaceRules': async (input) =>
      present(await protections.replace(actor, ownerOf(input), input.name, toChanges(input), input.updatedAt)),

    'environments.access': async ({ projectId, name }) => {
      const { id } = projects.get(projectId);
      if (name !== undefined) return [access.environment(id, name)];
      return (await access.matrix(id)).toSorted((a, b) => compareNames(a.environment, b.environment));
    },
    'environments.decide': ({ projectId, name, userId }) => access.ofUser(projects.get(projectId).id, name, userId),
    'environments.targetsOf': ({ userId }) => targetsOf(directory, access, userId),
    'environments.exportRules': ({ projectId }) => ({ yaml: ruleFiles.export(projects.get(projectId).id) }),
    'environments.applyRules': ({ projectId, yaml, dryRun }) =>
      ruleFiles.apply(actor, projects.get(projectId).id, yaml, { dryRun }),
    'environments.undo': async ({ auditId }) => {
      const row = audit.find(auditId);
      if (!row) throw new GatehouseError('not_found', 'There is no such entry in the audit trail.');
      await undo(actor, row);
    },
  };
}

/** The rules of a window as a protection takes them. */
export function toChanges(lists: {
  readonly rules: readonly DeployRuleInput[];
  readonly approvalRules?: readonly ApprovalRuleInput[] | undefined;
}) {
  const approvalRules = lists.approvalRules?.map((rule): RuleChange =>
    'id' in rule ? rule : { ...toChange(rule), requiredApprovals: rule.requiredApprovals },
  );
  return { deployLevels: lists.rules.map(toChange), approvalRules };
}

function toChange(rule: DeployRuleInput): RuleChange {
  if ('accessLevel' in rule) return { accessLevel: rule.accessLevel };
  if ('userId' in rule) return { userId: rule.userId };
  return { groupId: rule.groupId, groupInheritanceType: rule.groupInheritanceType ?? 0 };
}
