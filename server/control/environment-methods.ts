import type { DeployRuleInput, ProtectedEnvironment } from '../contract/environments.ts';
import { GatehouseError } from '../contract/errors.ts';
import type { Actor } from '../accounts/change.ts';
import type { DirectoryServices } from '../accounts/directory-services.ts';
import type { EnvironmentServices } from '../environments/environment-services.ts';
import type { RuleChange } from '../environments/merge-rules.ts';
import type { Protection, ProtectionOwner } from '../environments/records.ts';
import { toDeployRule } from '../environments/rule-names.ts';
import type { MethodsOf } from './call-method.ts';

/** Protected environments, who may deploy to them, and their rule files. */
export function createEnvironmentMethods(
  services: { readonly directory: DirectoryServices; readonly environments: EnvironmentServices },
  actor: Actor,
): MethodsOf<'environments'> {
  const { protections, access, ruleFiles, undo } = services.environments;
  const { directory, audit, projects } = services.directory;
  const ownerOf = (projectId: number): ProtectionOwner => ({ kind: 'project', id: projects.get(projectId).id });
  const present = (protection: Protection): ProtectedEnvironment => ({
    id: protection.id,
    projectId: protection.owner.id,
    name: protection.name,
    rules: protection.deployLevels.map((level) => toDeployRule(directory, level)),
    updatedAt: protection.updatedAt,
  });

  return {
    'environments.listProtected': ({ projectId }) => protections.list(ownerOf(projectId)).map(present),
    'environments.protect': async ({ projectId, name, rules }) =>
      present(await protections.protect(actor, ownerOf(projectId), { name, deployLevels: rules.map(toChange) })),
    'environments.unprotect': ({ projectId, name }) => protections.unprotect(actor, ownerOf(projectId), name),
    'environments.replaceRules': async ({ projectId, name, rules, updatedAt }) => {
      const wanted = { deployLevels: rules.map(toChange) };
      return present(await protections.replace(actor, ownerOf(projectId), name, wanted, updatedAt));
    },

    'environments.access': ({ projectId, name }) => {
      const { id } = projects.get(projectId);
      return name === undefined ? access.matrix(id) : [access.environment(id, name)];
    },
    'environments.decide': ({ projectId, name, userId }) => access.ofUser(projects.get(projectId).id, name, userId),
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

function toChange(rule: DeployRuleInput): RuleChange {
  if ('accessLevel' in rule) return { accessLevel: rule.accessLevel };
  if ('userId' in rule) return { userId: rule.userId };
  return { groupId: rule.groupId, groupInheritanceType: rule.groupInheritanceType ?? 0 };
}
