import { tiers } from '../contract/constants.ts';
import { GatehouseError } from '../contract/errors.ts';
import type { Actor, Change } from '../accounts/change.ts';
import type { Directory } from '../accounts/directory.ts';
import { refuseUnprocessable } from '../accounts/naming.ts';
import type { EnvironmentStore } from './environment-store.ts';
import { completeSelector, type Merged, mergeRules, type RuleChange } from './merge-rules.ts';
import { protectionNameComplaints } from './naming.ts';
import { recordProtection, sameRules, toAudited } from './protection-audit.ts';
import type { ApprovalRule, DeployLevel, Protection, ProtectionOwner } from './records.ts';
import { duplicateComplaints, type RuleKind, selectorComplaints } from './rule-validation.ts';

export interface ProtectionInput {
  readonly name: string;
  readonly deployLevels: readonly RuleChange[];
  readonly approvalRules?: readonly RuleChange[] | undefined;
  /** Deprecated by approval rules: not stored, only validated. */
  readonly approvalCount?: number | null | undefined;
}

export interface ProtectionChanges extends Omit<ProtectionInput, 'name' | 'deployLevels'> {
  readonly deployLevels?: readonly RuleChange[] | undefined;
}

const tooShort = 'Deploy access levels is too short (minimum is 1 character)';

/** Rules of each kind that a protection can have: all of them are read with it. */
const mostRules = 100;
/** Protections of a project or group: lists look at all of them. */
const mostOfOwner = 1000;

/** Protected environments of projects and groups. */
export class Protections {
  readonly #directory: Directory;
  readonly #store: EnvironmentStore;

  constructor(directory: Directory, store: EnvironmentStore) {
    this.#directory = directory;
    this.#store = store;
  }

  /** In the byte order of their names. */
  list(owner: ProtectionOwner): Protection[] {
    return this.#store.protections(owner);
  }

  /** @throws GatehouseError `not_found`. */
  get(owner: ProtectionOwner, name: string): Protection {
    const protection = this.#store.protection(owner, name);
    if (!protection) throw new GatehouseError('not_found', `Environment '${name}' is not protected.`);
    return protection;
  }

  /**
   * Protects an environment, which need not exist.
   * @throws GatehouseError `conflict` if it is protected already, `unprocessable` with every complaint.
   */
  protect(actor: Actor, owner: ProtectionOwner, input: ProtectionInput): Promise<Protection> {
    return this.#directory.write((change) => this.protectWithin(change, actor, owner, input));
  }

  /** `protect` as a part of a larger change. */
  protectWithin(change: Change, actor: Actor, owner: ProtectionOwner, input: ProtectionInput): Protection {
    const { name } = input;
    if (this.#store.protection(owner, name)) {
      throw new GatehouseError(
        'conflict',
        owner.kind === 'project'
          ? `Environment '${name}' is already protected`
          : `Protected environment '${name}' already exists`,
      );
    }
    const levels = mergeRules<DeployLevel>([], input.deployLevels, completeSelector);
    const approvals = mergeRules<ApprovalRule>([], input.approvalRules ?? [], completeApproval);
    refuseUnprocessable([
      ...this.#complaints(owner, levels, approvals),
      ...(levels.added.length === 0 ? [tooShort] : []),
      ...(this.#store.countProtections(owner) < mostOfOwner
        ? []
        : [`Maximum number of protected environments (${mostOfOwner}) exceeded. Unprotect some`]),
      ...nameComplaints(owner, name),
      ...approvalCountComplaints(input.approvalCount),
    ]);
    const id = this.#store.insertProtection(owner, name, change.now);
    this.#save(id, levels, approvals);
    const protection = this.#byId(id);
    recordProtection({ change, actor, directory: this.#directory }, undefined, protection);
    return protection;
  }

  /**
   * Merges entries into the rules of a protection; all or nothing.
   * @throws GatehouseError `not_found` for the name or for an id of a rule, `unprocessable` with every complaint.
   */
  update(actor: Actor, owner: ProtectionOwner, name: string, changes: ProtectionChanges): Promise<Protection> {
    return this.#directory.write((change) => this.updateWithin(change, actor, owner, name, changes));
  }

  /** `update` as a part of a larger change. */
  updateWithin(
    change: Change,
    actor: Actor,
    owner: ProtectionOwner,
    name: string,
    changes: ProtectionChanges,
  ): Protection {
    const before = this.get(owner, name);
    const levels = mergeRules(before.deployLevels, changes.deployLevels ?? [], completeSelector);
    const approvals = mergeRules(before.approvalRules, changes.approvalRules ?? [], completeApproval);
    const emptied =
      levels.removed.length > 0 && levels.unchanged.length + levels.changed.length + levels.added.length === 0;
    refuseUnprocessable([
      ...this.#complaints(owner, levels, approvals),
      ...(emptied ? [tooShort] : []),
      ...approvalCountComplaints(changes.approvalCount),
    ]);
    if (!hasChanges(levels) && !hasChanges(approvals)) return before;
    this.#save(before.id, levels, approvals);
    // Greater than before even within one millisecond: editors compare the time.
    this.#store.touchProtection(before.id, Math.max(change.now, before.updatedAt + 1));
    const after = this.#byId(before.id);
    recordProtection({ change, actor, directory: this.#directory }, before, after);
    return after;
  }

  /**
   * Replaces the rules; equal rules and those named by `id` keep their ids. A list that is left out stays.
   * @param expected the time of the last change that the caller has seen.
   * @throws GatehouseError `not_found`, `unprocessable`, or `conflict` if the protection was changed since.
   */
  replace(
    actor: Actor,
    owner: ProtectionOwner,
    name: string,
    wanted: ProtectionChanges,
    expected?: number,
  ): Promise<Protection> {
    return this.#directory.write((change) => this.replaceWithin(change, actor, owner, name, wanted, expected));
  }

  /** `replace` as a part of a larger change. */
  replaceWithin(
    change: Change,
    actor: Actor,
    owner: ProtectionOwner,
    name: string,
    wanted: ProtectionChanges,
    expected?: number,
  ): Protection {
    const current = this.get(owner, name);
    if (expected !== undefined && expected !== current.updatedAt) {
      throw new GatehouseError(
        'conflict',
        `The rules of '${name}' were changed since you opened them. Reload and try again.`,
      );
    }
    if (wanted.deployLevels?.length === 0) refuseUnprocessable([tooShort]);
    return this.updateWithin(change, actor, owner, name, {
      deployLevels: wanted.deployLevels && replacement(current.deployLevels, wanted.deployLevels),
      approvalRules: wanted.approvalRules && replacement(current.approvalRules, wanted.approvalRules),
    });
  }

  /**
   * Ends a protection and discards its rules.
   * @param unmodifiedSince seconds-precise time of a conditional request: refused if the protection changed after it.
   * @throws GatehouseError `not_found` or `precondition_failed`.
   */
  unprotect(actor: Actor, owner: ProtectionOwner, name: string, unmodifiedSince?: number): Promise<void> {
    return this.#directory.write((change) => this.unprotectWithin(change, actor, owner, name, unmodifiedSince));
  }

  /** `unprotect` as a part of a larger change. */
  unprotectWithin(change: Change, actor: Actor, owner: ProtectionOwner, name: string, unmodifiedSince?: number): void {
    const protection = this.get(owner, name);
    if (unmodifiedSince !== undefined && Math.floor(protection.updatedAt / 1000) * 1000 > unmodifiedSince) {
      throw new GatehouseError('precondition_failed');
    }
    this.#store.deleteProtection(protection.id);
    recordProtection({ change, actor, directory: this.#directory }, protection, undefined);
  }

  /** Whether a protection has the same rules as a state of the audit trail. */
  hasRules(protection: Protection, state: Parameters<typeof sameRules>[1]): boolean {
    return sameRules(toAudited(this.#directory, protection), state);
  }

  #complaints(owner: ProtectionOwner, levels: Merged<DeployLevel>, approvals: Merged<ApprovalRule>): string[] {
    const tooMany = [
      ...countComplaints('Deploy access levels', levels),
      ...countComplaints('Approval rules', approvals),
    ];
    if (tooMany.length > 0) return tooMany;
    const touchedLevels = [...levels.changed, ...levels.added];
    const touchedApprovals = [...approvals.changed, ...approvals.added];
    return [
      ...selectorComplaints(this.#directory, owner, 'Deploy access levels', touchedLevels),
      ...duplicateComplaints('Deploy access levels', [...levels.unchanged, ...touchedLevels], new Set(touchedLevels)),
      ...selectorComplaints(this.#directory, owner, 'Approval rules', touchedApprovals),
      ...approvalComplaints(touchedApprovals),
    ];
  }

  #save(protectionId: number, levels: Merged<DeployLevel>, approvals: Merged<ApprovalRule>): void {
    for (const level of levels.removed) this.#store.deleteDeployLevel(level.id);
    for (const level of levels.changed) this.#store.updateDeployLevel(level);
    for (const level of levels.added) this.#store.insertDeployLevel(protectionId, level);
    for (const rule of approvals.removed) this.#store.deleteApprovalRule(rule.id);
    for (const rule of approvals.changed) this.#store.updateApprovalRule(rule);
    for (const rule of approvals.added) this.#store.insertApprovalRule(protectionId, rule);
  }

  #byId(id: number): Protection {
    const protection = this.#store.protectionById(id);
    if (!protection) throw new GatehouseError('not_found');
    return protection;
  }
}

function completeApproval(entry: RuleChange, rule: ApprovalRule | undefined): Omit<ApprovalRule, 'id'> {
  return {
    ...completeSelector(entry, rule),
    requiredApprovals: entry.requiredApprovals ?? rule?.requiredApprovals ?? 1,
  };
}

function approvalComplaints(rules: readonly Pick<ApprovalRule, 'requiredApprovals'>[]): string[] {
  const complaints = rules.flatMap(({ requiredApprovals }) => {
    if (requiredApprovals < 1) return ['Approval rules required approvals must be greater than or equal to 1'];
    return requiredApprovals > 5 ? ['Approval rules required approvals must be less than or equal to 5'] : [];
  });
  return [...new Set(complaints)];
}

/** Complains about rules that are added beyond the limit; those of an older version stay. */
function countComplaints(kind: RuleKind, { unchanged, changed, added }: Merged<unknown>): string[] {
  const isTooMany = added.length > 0 && unchanged.length + changed.length + added.length > mostRules;
  return isTooMany ? [`${kind} are too many (maximum is ${mostRules}). Name a group in place of its members`] : [];
}

function approvalCountComplaints(count: number | null | undefined): string[] {
  return (count ?? 0) < 0 ? ['Required approval count must be greater than or equal to 0'] : [];
}

function nameComplaints(owner: ProtectionOwner, name: string): string[] {
  const complaints = protectionNameComplaints(name);
  if (complaints.length > 0 || owner.kind === 'project') return complaints;
  return tiers.some((tier) => tier === name) ? [] : [`Name must be one of environment tiers: ${tiers.join(', ')}.`];
}

/** Entries that turn the current rules into the wanted ones. */
function replacement(current: readonly (DeployLevel | ApprovalRule)[], wanted: readonly RuleChange[]): RuleChange[] {
  const left = new Set(current);
  const added: RuleChange[] = [];
  for (const entry of wanted) {
    if (typeof entry.id === 'number') {
      for (const rule of current) if (rule.id === entry.id) left.delete(rule);
      added.push(entry);
      continue;
    }
    const selector = completeApproval(entry, undefined);
    const same = [...left].find((rule) => isEqualRule(rule, selector));
    if (same) left.delete(same);
    else added.push(entry);
  }
  return [...Array.from(left, (rule) => ({ id: rule.id, destroy: true })), ...added];
}

function isEqualRule(rule: DeployLevel | ApprovalRule, wanted: Omit<ApprovalRule, 'id'>): boolean {
  return (
    rule.accessLevel === wanted.accessLevel &&
    rule.userId === wanted.userId &&
    rule.groupId === wanted.groupId &&
    rule.groupInheritanceType === wanted.groupInheritanceType &&
    (!('requiredApprovals' in rule) || rule.requiredApprovals === wanted.requiredApprovals)
  );
}

function hasChanges(merged: Merged<unknown>): boolean {
  return merged.added.length + merged.changed.length + merged.removed.length > 0;
}
