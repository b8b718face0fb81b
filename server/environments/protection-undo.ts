import type { AuditRecord } from '../accounts/audit-store.ts';
import type { Actor } from '../accounts/change.ts';
import type { Directory } from '../accounts/directory.ts';
import { GatehouseError } from '../contract/errors.ts';
import { type AuditedProtection, auditedProtection, protectionActions, ruleKey } from './protection-audit.ts';
import type { Protections } from './protections.ts';
import type { ProtectionOwner } from './records.ts';
import { mayNameGroup, mayNameUser } from './rule-validation.ts';

/**
 * Restores the state before a row of the audit trail, if nothing has changed since.
 * @throws GatehouseError `invalid_request` if the row is about something else, `conflict` if the protection was changed since, and
 * `unprocessable` with the sentence of `lossOf`.
 */
export async function undoProtectionChange(
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
    const loss = lossOf(directory, row);
    if (loss !== undefined) throw new GatehouseError('unprocessable', loss);
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

/**
 * What stands in the way of the undo of a row, as a sentence: its project or group is gone, or a user or group whose rules the undo
 * would give back was deleted or may no longer be named. Undefined where nothing does.
 */
export function lossOf(directory: Directory, row: AuditRecord): string | undefined {
  const owner = ownerOf(row);
  if (owner === undefined) return undefined;
  const { index } = directory;
  const isThere = owner.kind === 'project' ? index.projects.has(owner.id) : index.namespaces.has(owner.id);
  if (!isThere) return `The ${owner.kind} of this change was deleted.`;
  const before = auditedProtection.safeParse(row.before).data;
  if (before === undefined || row.targetType !== 'protected_environment') return undefined;
  const after = auditedProtection.safeParse(row.after).data;
  const kept = new Set(after && [...after.deploy_access_levels, ...after.approval_rules].map(ruleKey));
  const lost = [...before.deploy_access_levels, ...before.approval_rules]
    .filter((rule) => !kept.has(ruleKey(rule)))
    .find(({ user_id: userId, group_id: groupId }) =>
      userId === null
        ? groupId !== null && !mayNameGroup(directory, owner, groupId)
        : !index.users.has(userId) || !mayNameUser(directory, owner, userId),
    );
  if (lost === undefined) return undefined;
  const { user_id: userId, group_id: groupId, description } = lost;
  const isDeleted = userId === null ? groupId !== null && !index.namespaces.has(groupId) : !index.users.has(userId);
  if (isDeleted) return `${description} was deleted.`;
  return userId === null
    ? `The group ${description} is no longer invited to the ${owner.kind}.`
    : `${description} no longer has the role that rules of the ${owner.kind} ask for.`;
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
