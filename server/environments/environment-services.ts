import { GatehouseError } from '../contract/errors.ts';
import type { AuditRecord } from '../accounts/audit-store.ts';
import type { Actor } from '../accounts/change.ts';
import type { Directory } from '../accounts/directory.ts';
import { DeployAccess } from './deploy-access.ts';
import type { EnvironmentStore } from './environment-store.ts';
import type { GuardRules } from './guard-rules.ts';
import { Environments } from './environments.ts';
import { type AuditedProtection, auditedProtection, protectionActions } from './protection-audit.ts';
import { Protections } from './protections.ts';
import type { ProtectionOwner } from './records.ts';
import { RuleFiles } from './rules-plan.ts';

/** Environments, their protection, and who may deploy. */
export interface EnvironmentServices {
  readonly environments: Environments;
  readonly protections: Protections;
  readonly access: DeployAccess;
  readonly ruleFiles: RuleFiles;
  readonly undo: (actor: Actor, row: AuditRecord) => Promise<void>;
}

/** Creates them. */
export function createEnvironmentServices(
  directory: Directory,
  store: EnvironmentStore,
  guards: GuardRules,
): EnvironmentServices {
  const protections = new Protections(directory, store);
  return {
    environments: new Environments(directory, store),
    protections,
    access: new DeployAccess(directory, store),
    ruleFiles: new RuleFiles(directory, protections, guards),
    undo: (actor, row) => undoProtectionChange(directory, protections, actor, row),
  };
}

/**
 * Restores the state before a row of the audit trail, if nothing has changed since.
 * @throws GatehouseError `invalid_request` if the row is about something else, `conflict` if the protection was changed since, and
 * `unprocessable` if a user or group of the old rules no longer qualifies.
 */
async function undoProtectionChange(
  directory: Directory,
  protections: Protections,
  actor: Actor,
  row: AuditRecord,
): Promise<void> {
  const owner = ownerOf(row);
  const known = Object.values(protectionActions).some((action) => action === row.action);
  if (!owner || !known) {
    throw new GatehouseError('invalid_request', 'Only changes of protected environments can be undone here.');
  }
  const before = auditedProtection.safeParse(row.before).data;
  const after = auditedProtection.safeParse(row.after).data;
  const name = row.targetName;
  await directory.write((change) => {
    const current = protections.list(owner).find((protection) => protection.name === name);
    const unchanged = after ? current && protections.hasRules(current, after) : !current;
    if (!unchanged) {
      throw new GatehouseError(
        'conflict',
        `The protection of '${name}' was changed again since. Undo the later change first.`,
      );
    }
    if (!before) protections.unprotectWithin(change, actor, owner, name);
    else if (after) protections.replaceWithin(change, actor, owner, name, toChanges(before));
    else protections.protectWithin(change, actor, owner, { name, ...toChanges(before) });
  });
}

function ownerOf(row: AuditRecord): ProtectionOwner | undefined {
  if (row.projectId !== null) return { kind: 'project', id: row.projectId };
  return row.groupId === null ? undefined : { kind: 'group', id: row.groupId };
}

function toChanges(state: AuditedProtection) {
  const toChange = (rule: AuditedProtection['deploy_access_levels'][number]) => ({
    accessLevel: rule.access_level,
    userId: rule.user_id,
    groupId: rule.group_id,
    groupInheritanceType: rule.group_inheritance_type,
  });
  return {
    deployLevels: state.deploy_access_levels.map(toChange),
    approvalRules: state.approval_rules.map((rule) => ({
      ...toChange(rule),
      requiredApprovals: rule.required_approvals,
    })),
  };
}
