import type { GuardPlanStep, RulePlanStep } from '../contract/environments.ts';
import { refuseUnprocessable } from '../accounts/naming.ts';
import type { Actor } from '../accounts/change.ts';
import type { Directory } from '../accounts/directory.ts';
import { byteOrder } from './deploy-access.ts';
import { applyGuards, type GuardRules, guardsForFile } from './guard-rules.ts';
import type { RuleChange } from './merge-rules.ts';
import type { Protections } from './protections.ts';
import type { Protection, ProtectionOwner } from './records.ts';
import { fileRoles, type FileRule, formatRulesFile, parseRulesFile, type RulesFile, toFileRule } from './rules-file.ts';

/** What a file changes. */
interface Plan {
  readonly steps: RulePlanStep[];
  readonly guards: GuardPlanStep[];
}

type FileEntry = RulesFile['protected_environments'][number];

/** Exports the protection rules of a project as a file and applies such a file. */
export class RuleFiles {
  readonly #directory: Directory;
  readonly #protections: Protections;
  readonly #guards: GuardRules;

  constructor(directory: Directory, protections: Protections, guards: GuardRules) {
    this.#directory = directory;
    this.#protections = protections;
    this.#guards = guards;
  }

  /** The present rules as the text of a file. */
  export(projectId: number): string {
    const path = this.#directory.findProject(projectId)?.fullPath ?? String(projectId);
    // A protection without rules is written as the administrator role, which means the same.
    const protections = this.#protections.list({ kind: 'project', id: projectId });
    return formatRulesFile(
      this.#directory,
      path,
      protections.map(administratorsOnly),
      guardsForFile(this.#guards, projectId),
    );
  }

  /**
   * Makes the protections and guards of a project match a file, in one transaction: environments that the file doesn't name become
   * unprotected; guards stay where the file has no list of them.
   * With `dryRun` everything is checked and rolled back.
   * @throws GatehouseError `invalid_request` for the file, `unprocessable` for unknown users or groups and for rules that don't qualify.
   */
  async apply(
    actor: Actor,
    projectId: number,
    text: string,
    options: { readonly dryRun: boolean },
  ): Promise<Plan & { readonly applied: boolean }> {
    const file = parseRulesFile(text);
    const owner: ProtectionOwner = { kind: 'project', id: projectId };
    const applying = this.#directory.write((change) => {
      const wanted = this.#resolve(file);
      const steps = this.#plan(owner, file);
      for (const step of steps) {
        const name = step.environment;
        const rules = wanted.get(name);
        if (step.action === 'unprotect') this.#protections.unprotectWithin(change, actor, owner, name);
        else if (!rules || step.action === 'keep') continue;
        else if (step.action === 'protect') this.#protections.protectWithin(change, actor, owner, { name, ...rules });
        else this.#protections.replaceWithin(change, actor, owner, name, rules);
      }
      const project = this.#directory.findProject(projectId);
      const guards = project ? applyGuards(this.#guards, { change, actor, project }, file) : [];
      const plan = { steps, guards };
      if (options.dryRun) throw new DryRunRollback(plan);
      return plan;
    });
    try {
      return { ...(await applying), applied: true };
    } catch (error) {
      if (error instanceof DryRunRollback) return { ...error.plan, applied: false };
      throw error;
    }
  }

  #plan(owner: ProtectionOwner, file: RulesFile): RulePlanStep[] {
    const current = new Map(this.#protections.list(owner).map((protection) => [protection.name, protection]));
    const wanted = new Map(file.protected_environments.map((entry) => [entry.name, entry]));
    const names = [...new Set([...current.keys(), ...wanted.keys()])].toSorted(byteOrder);
    return names.map((environment) => {
      const before = this.#labels(current.get(environment));
      const after = labelsOfEntry(wanted.get(environment));
      const add = without(after, before);
      const remove = without(before, after);
      const action = !current.has(environment)
        ? 'protect'
        : !wanted.has(environment)
          ? 'unprotect'
          : add.length + remove.length > 0
            ? 'change'
            : 'keep';
      return { action, environment, add, remove };
    });
  }

  #labels(protection: Protection | undefined): string[] {
    if (!protection) return [];
    const { deployLevels, approvalRules } = protection;
    return [
      ...administratorsOnly({ ...protection, deployLevels }).deployLevels.map((level) =>
        deployLabel(toFileRule(this.#directory, level)),
      ),
      ...approvalRules.map((rule) => approvalLabel(toFileRule(this.#directory, rule), rule.requiredApprovals)),
    ];
  }

  #resolve(file: RulesFile): Map<string, { deployLevels: RuleChange[]; approvalRules: RuleChange[] }> {
    const unknown: string[] = [];
    const toChange = (rule: FileRule): RuleChange => {
      if ('role' in rule) return { accessLevel: fileRoles[rule.role] };
      if ('user' in rule) {
        const user = this.#directory.store.users.findByUsername(rule.user);
        if (!user) unknown.push(`User '${rule.user}' does not exist`);
        return { userId: user?.id ?? null };
      }
      const group = this.#directory.findGroup(rule.group);
      if (!group) unknown.push(`Group '${rule.group}' does not exist`);
      return { groupId: group?.id ?? null, groupInheritanceType: rule.inherited ? 1 : 0 };
    };
    const resolved = new Map(
      file.protected_environments.map((entry) => [
        entry.name,
        {
          deployLevels: entry.deploy.map(toChange),
          approvalRules: entry.approve.map((rule) => ({ ...toChange(rule), requiredApprovals: rule.approvals })),
        },
      ]),
    );
    refuseUnprocessable([...new Set(unknown)]);
    return resolved;
  }
}

/** Thrown to roll back a dry run. */
class DryRunRollback extends Error {
  readonly plan: Plan;

  constructor(plan: Plan) {
    super('dry run');
    this.plan = plan;
  }
}

function administratorsOnly(protection: Protection): Protection {
  if (protection.deployLevels.length > 0) return protection;
  const level = { id: 0, accessLevel: 60, userId: null, groupId: null, groupInheritanceType: 0 } as const;
  return { ...protection, deployLevels: [level] };
}

function labelsOfEntry(entry: FileEntry | undefined): string[] {
  if (!entry) return [];
  return [...entry.deploy.map(deployLabel), ...entry.approve.map((rule) => approvalLabel(rule, rule.approvals))];
}

function deployLabel(rule: FileRule): string {
  if ('role' in rule) return `role ${rule.role}`;
  if ('user' in rule) return `user ${rule.user}`;
  return `group ${rule.group}${rule.inherited ? ' with inherited members' : ''}`;
}

function approvalLabel(rule: FileRule, approvals: number): string {
  return `${approvals} ${approvals === 1 ? 'approval' : 'approvals'} of ${deployLabel(rule)}`;
}

function without(list: readonly string[], other: readonly string[]): string[] {
  return list.filter((label) => !other.includes(label));
}
