import { GatehouseError } from '../contract/errors.ts';
import { accessLevels, type Tier } from '../contract/constants.ts';
import type { DeployAccess as Access, EnvironmentAccess } from '../contract/environments.ts';
import type { EffectiveLevel } from '../contract/levels.ts';
import type { Directory } from '../accounts/directory.ts';
import { groupAndAncestors } from '../accounts/access/effective-access.ts';
import type { UserRecord } from '../accounts/records.ts';
import { nextTurn } from '../lib/turns.ts';
import type { ApplicableRule, ApprovalFacts } from './approval-decision.ts';
import {
  type ApplicableProtection,
  decideDeployment,
  type DeployDecision,
  explainDecision,
  matches,
} from './deploy-decision.ts';
import type { DeployFacts } from './deploy-decision.ts';
import type { EnvironmentStore } from './environment-store.ts';
import { guessTier } from './naming.ts';
import type { Protection, Selector } from './records.ts';
import { describeSelector, everyGroup, type GroupFilter, inSentence, toDeployRule } from './rule-names.ts';

/** The facts about one environment that are the same for every user. */
interface DeployContext {
  readonly environment: string;
  readonly protections: readonly Protection[];
  /** Effective access of a user in the project. */
  readonly projectLevel: (userId: number) => EffectiveLevel;
  /** Direct members of each group that a rule names. */
  readonly groups: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Environments that a list decides about between two turns of the event loop. */
export const environmentsPerTurn = 10;

/** Members of a project that are looked at to name some who may deploy. */
const mostAsked = 500;

/** Who may deploy where, and why: collects the facts for `decideDeployment`. */
export class DeployAccess {
  readonly #directory: Directory;
  readonly #store: EnvironmentStore;

  constructor(directory: Directory, store: EnvironmentStore) {
    this.#directory = directory;
    this.#store = store;
  }

  /**
   * Whether a user may deploy to an environment, which need not exist.
   * @param isVisible which groups the reader may know of
   * @throws GatehouseError `user_not_found`.
   */
  ofUser(projectId: number, environment: string, userId: number, isVisible = everyGroup): Access {
    const user = this.#directory.index.users.get(userId);
    if (!user) throw new GatehouseError('user_not_found');
    return this.#describe(user, this.#contextOf(projectId, environment), isVisible);
  }

  /** Whether a user may deploy, without the explanation. */
  allows(projectId: number, environment: string, user: UserRecord): boolean {
    return this.#decide(user, this.#contextOf(projectId, environment)).decision.allowed;
  }

  /** Everyone who may deploy to an environment, administrators included, in the order of their ids. */
  everyone(projectId: number, environment: string, isVisible = everyGroup): Access[] {
    const { index } = this.#directory;
    const access = index.projectAccess(projectId);
    const context = {
      ...this.#contextOf(projectId, environment),
      projectLevel: (id: number) => access.get(id)?.level ?? 0,
    };
    return [...index.users.values()]
      .filter((user) => user.isAdmin || access.has(user.id))
      .map((user) => this.#describe(user, context, isVisible))
      .filter((access) => access.allowed);
  }

  /** The rules of the protection that keeps a user from deploying, as the reader may know them; none where the role decides. */
  missingRules(projectId: number, environment: string, user: UserRecord, isVisible: GroupFilter): string[] {
    const { protection } = this.#decide(user, this.#contextOf(projectId, environment)).decision;
    return (protection?.rules ?? []).map((rule) => this.#nameOf(rule, isVisible));
  }

  /** Some members of the project who may deploy to an environment, administrators last and high roles first; at most `limit`. */
  deployingMembers(projectId: number, environment: string, limit: number): UserRecord[] {
    const { index } = this.#directory;
    const context = this.#contextOf(projectId, environment);
    const found: UserRecord[] = [];
    const isAdmin = (id: number) => Number(index.users.get(id)?.isAdmin === true);
    const grants = [...index.projectAccess(projectId).values()]
      .toSorted((a, b) => b.level - a.level)
      .slice(0, mostAsked);
    for (const { userId } of grants.toSorted((a, b) => isAdmin(a.userId) - isAdmin(b.userId))) {
      const user = index.users.get(userId);
      if (user && this.#decide(user, context).decision.allowed) found.push(user);
      if (found.length === limit) break;
    }
    return found;
  }

  /** Every environment of a project and every protected name that has none, in the order of their names; over several turns. */
  async matrix(projectId: number, isVisible = everyGroup): Promise<EnvironmentAccess[]> {
    const rows: EnvironmentAccess[] = [];
    for (const [index, name] of this.namesOf(projectId).entries()) {
      if (index % environmentsPerTurn === environmentsPerTurn - 1) await nextTurn();
      rows.push(this.environment(projectId, name, isVisible));
    }
    return rows;
  }

  /** Who may deploy to one environment, which need not exist. */
  environment(projectId: number, environment: string, isVisible = everyGroup): EnvironmentAccess {
    return {
      environment,
      protected: this.isProtected(projectId, environment),
      tier: this.tierOf(projectId, environment),
      users: this.everyone(projectId, environment, isVisible),
    };
  }

  /** The protections of the groups above a project, nearest group first. Each applies to every environment of its tier. */
  inherited(projectId: number): Protection[] {
    return this.#groupsAbove(projectId).flatMap((id) => this.#store.protections({ kind: 'group', id }));
  }

  /**
   * The approval rules that apply to an environment, and which users they match now. A rule matches an administrator always, another
   * user only with access to the project as Reporter or higher.
   */
  approvals(
    projectId: number,
    environment: string,
    isVisible = everyGroup,
  ): Pick<ApprovalFacts, 'rules' | 'matches' | 'mayDeploy'> {
    const protections = this.#protections(projectId, environment);
    const context = this.#contextOf(projectId, environment, protections);
    const owners = new Map<ApplicableRule, Protection>();
    for (const protection of protections) {
      for (const rule of protection.approvalRules) {
        const name = describeSelector(this.#directory, rule, everyGroup);
        const description = describeSelector(this.#directory, rule, isVisible);
        owners.set({ ...rule, name, description, ownerPath: this.#ownerPath(protection) }, protection);
      }
    }
    return {
      rules: [...owners.keys()],
      matches: (userId, rule) => {
        const user = this.#directory.index.users.get(userId);
        const protection = owners.get(rule);
        if (!user || !protection || user.state === 'blocked') return false;
        if (user.isAdmin) return true;
        if (context.projectLevel(userId) < accessLevels.reporter) return false;
        return matches(rule, { level: this.#levelAt(protection, user, context) }, user, this.#groupsOf(user, context));
      },
      mayDeploy: (userId) => {
        const user = this.#directory.index.users.get(userId);
        return user !== undefined && this.#decide(user, context).decision.allowed;
      },
    };
  }

  /** Whether a protection of the project or of a group above it applies to an environment. */
  isProtected(projectId: number, environment: string): boolean {
    return this.#protections(projectId, environment).length > 0;
  }

  /** The environments of a project and the protected names that have none, in the order of their names. */
  namesOf(projectId: number): string[] {
    const environments = this.#store.environments(projectId).map((environment) => environment.name);
    const protectedNames = this.#store.protections({ kind: 'project', id: projectId }).map(({ name }) => name);
    return [...new Set([...environments, ...protectedNames])].toSorted(byteOrder);
  }

  /** The tier of an environment; guessed from the name where there is no environment of that name. */
  tierOf(projectId: number, environment: string): Tier {
    return this.#store.environmentByName(projectId, environment)?.tier ?? guessTier(environment);
  }

  #protections(projectId: number, environment: string): Protection[] {
    const own = this.#store.protection({ kind: 'project', id: projectId }, environment);
    const tier = this.tierOf(projectId, environment);
    const above = this.#groupsAbove(projectId).map((id) => this.#store.protection({ kind: 'group', id }, tier));
    return [own, ...above].filter((protection) => protection !== undefined);
  }

  #groupsAbove(projectId: number): number[] {
    const { index } = this.#directory;
    const namespace = index.namespaceOf(projectId);
    return namespace?.kind === 'group' ? groupAndAncestors(index, namespace.id) : [];
  }

  #contextOf(
    projectId: number,
    environment: string,
    protections = this.#protections(projectId, environment),
  ): DeployContext {
    const { index } = this.#directory;
    const named = protections.flatMap(({ deployLevels, approvalRules }) =>
      [...deployLevels, ...approvalRules].flatMap((rule) => rule.groupId ?? []),
    );
    const membersOf = (id: number) => new Set(index.membersOf({ kind: 'group', id }).map(({ userId }) => userId));
    return {
      environment,
      protections,
      projectLevel: (userId) => this.#directory.projectLevel(userId, projectId),
      groups: new Map(named.map((id) => [id, membersOf(id)])),
    };
  }

  #describe(user: UserRecord, context: DeployContext, isVisible: GroupFilter): Access {
    const { decision, facts } = this.#decide(user, context);
    const { rule } = decision;
    return {
      user: { id: user.id, username: user.username, name: user.name },
      allowed: decision.allowed,
      reason: explainDecision(decision, facts, context.environment, rule ? this.#nameOf(rule, isVisible) : ''),
      rule: decision.allowed && rule ? toDeployRule(this.#directory, rule) : null,
    };
  }

  #nameOf(rule: Selector, isVisible: GroupFilter): string {
    return inSentence(rule, describeSelector(this.#directory, rule, isVisible));
  }

  #decide(
    user: UserRecord,
    context: DeployContext,
  ): { readonly decision: DeployDecision; readonly facts: DeployFacts } {
    const facts: DeployFacts = {
      deployer: { id: user.id, username: user.username, isAdmin: user.isAdmin, blocked: user.state === 'blocked' },
      projectLevel: context.projectLevel(user.id),
      protections: context.protections.map((protection): ApplicableProtection => ({
        name: protection.name,
        group: this.#ownerPath(protection),
        level: this.#levelAt(protection, user, context),
        rules: protection.deployLevels,
      })),
      ...this.#groupsOf(user, context),
    };
    return { decision: decideDeployment(facts), facts };
  }

  /** The full path of the group that has a protection; null for the project's own. */
  #ownerPath({ owner }: Protection): string | null {
    return owner.kind === 'project' ? null : (this.#directory.index.namespaces.get(owner.id)?.fullPath ?? '');
  }

  /** Effective access of a user in the project or group that has a protection. */
  #levelAt({ owner }: Protection, { id }: UserRecord, context: DeployContext): EffectiveLevel {
    return owner.kind === 'project' ? context.projectLevel(id) : this.#directory.groupLevel(id, owner.id);
  }

  /** Of the groups that rules name, those that a user belongs to. */
  #groupsOf({ id: userId }: UserRecord, context: DeployContext): Pick<DeployFacts, 'directGroups' | 'allGroups'> {
    const groups = [...context.groups];
    return {
      directGroups: new Set(groups.flatMap(([id, members]) => (members.has(userId) ? [id] : []))),
      allGroups: new Set(groups.flatMap(([id]) => (this.#directory.groupLevel(userId, id) > 0 ? [id] : []))),
    };
  }
}

/** The order of the database's default collation. */
export function byteOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
