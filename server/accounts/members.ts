import { GatehouseError } from '../contract/errors.ts';
import { accessLevels, isLastingOwner, levelNames, type MemberLevel } from '../contract/levels.ts';
import { type Actor, type Change, type DirectoryCascade, systemActor } from './change.ts';
import { auditScope } from './containers.ts';
import type { Directory } from './directory.ts';
import { refusePastDay, removeExpired } from './expiry.ts';
import { levelInGroup, levelInProject } from './access/authorize.ts';
import {
  type Grant,
  grantsOfGroup,
  grantsOfProject,
  groupAndAncestors,
  isDirect,
  strongestGrants,
} from './access/effective-access.ts';
import { maySee } from './access/policy.ts';
import type { Principal } from './access/principal.ts';
import { invalidFields } from './naming.ts';
import type { Container, MemberRecord, UserRecord } from './records.ts';

export interface NewMember {
  readonly userId: number;
  readonly level: MemberLevel;
  readonly expiresOn: string | null;
}

/** Memberships of users in projects and groups. */
export class Members {
  readonly #directory: Directory;
  readonly #cascade: DirectoryCascade;

  constructor(directory: Directory, cascade: DirectoryCascade) {
    this.#directory = directory;
    this.#cascade = cascade;
  }

  /** Direct members in the order of their ids, without expired ones. */
  direct(container: Container): readonly MemberRecord[] {
    return this.#directory.index.membersOf(container);
  }

  findDirect(container: Container, userId: number): MemberRecord | undefined {
    return this.direct(container).find((member) => member.userId === userId);
  }

  /** Everyone with access in any way, with the strongest grant of each. */
  effective(container: Container): Grant[] {
    const { index } = this.#directory;
    const access = container.kind === 'project' ? index.projectAccess(container.id) : index.groupAccess(container.id);
    return [...access.values()].toSorted((a, b) => a.userId - b.userId);
  }

  /**
   * As `effective`, and the direct memberships of those to whom something else gives a stronger role: these count for nothing now, but
   * can be seen and removed.
   */
  listed(container: Container): Grant[] {
    return countedAndDirect(this.#grants(container), container);
  }

  /** As `listed`, of one user in each group, then in each project. */
  listedOf(userId: number): { container: Container; grant: Grant }[] {
    const { index } = this.#directory;
    const groups = [...index.namespaces.values()].filter(({ kind }) => kind === 'group');
    const reached = [
      ...groups
        .filter(({ id }) => this.#directory.groupLevel(userId, id) > 0)
        .map(({ id }): Container => ({ kind: 'group', id })),
      ...[...index.projects.keys()]
        .filter((id) => this.#directory.projectLevel(userId, id) > 0)
        .map((id): Container => ({ kind: 'project', id })),
    ];
    return reached.flatMap((container) => {
      const own = this.#grants(container).filter((grant) => grant.userId === userId);
      return countedAndDirect(own, container).map((grant) => ({ container, grant }));
    });
  }

  /**
   * As `effective`, for a caller who may see the container: those who do not belong to it learn nothing of the members of groups that they
   * may not see.
   */
  effectiveFor(principal: Principal, container: Container): Grant[] {
    const { index } = this.#directory;
    const levelIn = container.kind === 'project' ? levelInProject : levelInGroup;
    const isAdmin = principal.kind === 'user' && principal.user.isAdmin;
    if (isAdmin || levelIn(this.#directory, principal, container) > 0) return this.effective(container);
    const isVisible = (groupId: number | null): boolean => {
      const group = groupId === null ? undefined : index.namespaces.get(groupId);
      return !group || maySee(principal, levelInGroup(this.#directory, principal, group), group.visibility);
    };
    const visible = this.#grants(container).filter(
      ({ source, throughGroupId }) => isVisible(throughGroupId) && (source.kind === 'project' || isVisible(source.id)),
    );
    return [...strongestGrants(visible).values()].toSorted((a, b) => a.userId - b.userId);
  }

  #grants(container: Container): Grant[] {
    const { index } = this.#directory;
    return container.kind === 'project' ? grantsOfProject(index, container.id) : grantsOfGroup(index, container.id);
  }

  /**
   * Adds a direct membership.
   * @throws GatehouseError `user_not_found`, `conflict` if there is one, `invalid_request` for a day in the past or a role below
   * the one that is inherited.
   */
  add(actor: Actor, container: Container, input: NewMember): Promise<MemberRecord> {
    return this.#directory.write((change) => {
      const { store } = this.#directory;
      const user = this.#directory.requireUser(input.userId);
      const existing = store.members.find(container, user.id);
      if (existing && this.findDirect(container, user.id)) {
        throw new GatehouseError('conflict', 'Member already exists');
      }
      this.#check(change, container, input);
      // An expired membership is removed first, with its deploy rules.
      if (existing) this.#removeOne(change, systemActor, existing);
      const member: MemberRecord = { container, ...input, createdBy: actor.userId, createdAt: change.now };
      store.members.insert(member);
      this.#note(change, actor, 'member.added', container, user, undefined, summary(member));
      return member;
    });
  }

  /**
   * Changes the role or the last day of a direct membership.
   * @throws GatehouseError `not_found`, `invalid_request`, or `forbidden` for a group's last owner.
   */
  update(actor: Actor, container: Container, input: NewMember): Promise<MemberRecord> {
    return this.#directory.write((change) => {
      const { store } = this.#directory;
      const before = this.#existing(container, input.userId);
      this.#check(change, container, input);
      // A day on which the role ends ends it as well.
      if (input.level < 50 || input.expiresOn !== null) this.#refuseLastOwner(before);
      store.members.update(container, input.userId, input.level, input.expiresOn);
      const after: MemberRecord = { ...before, ...input };
      this.#note(
        change,
        actor,
        'member.updated',
        container,
        this.#directory.requireUser(input.userId),
        summary(before),
        summary(after),
      );
      return after;
    });
  }

  /**
   * Removes a direct membership, and with a group's those in its subgroups and projects too unless `keepBelow`. Deploy rules that
   * name the user in a project that he or she leaves are deleted too. Resolves with whether there were none of either.
   * @throws GatehouseError `not_found`, or `forbidden` for a group's last owner and for the owner of a personal project.
   */
  remove(actor: Actor, container: Container, userId: number, options = { keepBelow: false }): Promise<boolean> {
    return this.#directory.write((change) => {
      const member = this.#existing(container, userId);
      this.#refuseLastOwner(member);
      const { index } = this.#directory;
      if (container.kind === 'project' && index.namespaceOf(container.id)?.ownerId === userId) {
        throw new GatehouseError('forbidden', 'The owner of a personal project cannot be removed from it.');
      }
      let isAlone = this.#removeOne(change, actor, member);
      if (container.kind === 'project' || options.keepBelow) return isAlone;
      for (const below of this.#containersBelow(container.id)) {
        const inherited = this.#directory.store.members.find(below, userId);
        if (!inherited) continue;
        this.#removeOne(change, actor, inherited);
        isAlone = false;
      }
      return isAlone;
    });
  }

  /** Removes expired memberships with the deploy rules that name their users; returns how many. */
  removeExpired(): Promise<number> {
    const { members } = this.#directory.store;
    return removeExpired(this.#directory, members, (change, member) => this.#removeOne(change, systemActor, member));
  }

  /** Returns whether no deploy rule went with it. */
  #removeOne(change: Change, actor: Actor, member: MemberRecord): boolean {
    const { container, userId } = member;
    const hadRules =
      container.kind === 'project' && this.#cascade.projectMemberRemoved(change, actor, container.id, userId);
    this.#directory.store.members.delete(container, userId);
    this.#note(
      change,
      actor,
      'member.removed',
      container,
      this.#directory.requireUser(userId),
      summary(member),
      undefined,
    );
    return !hadRules;
  }

  #containersBelow(groupId: number): Container[] {
    const { index } = this.#directory;
    const subgroups = [...index.namespaces.values()].filter(
      (group) => group.id !== groupId && groupAndAncestors(index, group.id).includes(groupId),
    );
    return [
      ...subgroups.map(({ id }): Container => ({ kind: 'group', id })),
      ...this.#directory
        .projectsOfGroup(groupId, { subgroups: true })
        .map(({ id }): Container => ({ kind: 'project', id })),
    ];
  }

  #check(change: Change, container: Container, input: NewMember): void {
    refusePastDay(change, input.expiresOn);
    const inherited = this.#inheritedMembership(container, input.userId);
    if (inherited && inherited.level > input.level) {
      const group = this.#directory.index.namespaces.get(inherited.container.id);
      throw invalidFields({
        access_level: [
          `should be greater than or equal to ${levelNames[inherited.level]} inherited membership from group ${group?.fullPath}`,
        ],
      });
    }
  }

  /** The strongest membership in the groups above a project or group. */
  #inheritedMembership(container: Container, userId: number): MemberRecord | undefined {
    const { index } = this.#directory;
    const parent =
      container.kind === 'group' ? index.parentOf(container.id) : (index.namespaceOf(container.id)?.id ?? null);
    if (parent === null) return undefined;
    return groupAndAncestors(index, parent)
      .flatMap((id) => index.membersOf({ kind: 'group', id }).filter((member) => member.userId === userId))
      .toSorted((a, b) => b.level - a.level)[0];
  }

  #refuseLastOwner(member: MemberRecord): void {
    if (member.container.kind === 'project' || member.level < accessLevels.owner) return;
    const others = this.effective(member.container).some(
      (other) => other.userId !== member.userId && isLastingOwner(other, other.throughGroupId),
    );
    if (!others)
      throw new GatehouseError('forbidden', 'A group needs an owner. Give another user the Owner role first.');
  }

  #existing(container: Container, userId: number): MemberRecord {
    const member = this.#directory.store.members.find(container, userId);
    if (!member) throw new GatehouseError('not_found', 'There is no such direct member.');
    return member;
  }

  #note(
    change: Change,
    actor: Actor,
    action: string,
    container: Container,
    user: UserRecord,
    before: unknown,
    after: unknown,
  ): void {
    const target = { type: 'user', id: user.id, name: user.username };
    change.record({ actor, action, target, ...auditScope(container), before, after });
    change.emit('directory.changed', { subject: 'member' });
  }
}

/** The strongest grant of each user, and the direct memberships that are weaker than it. */
function countedAndDirect(grants: readonly Grant[], container: Container): Grant[] {
  const strongest = [...strongestGrants(grants).values()];
  const counted = new Set(strongest.filter((grant) => isDirect(grant, container)).map(({ userId }) => userId));
  return [...strongest, ...grants.filter((grant) => isDirect(grant, container) && !counted.has(grant.userId))];
}

function summary(member: MemberRecord) {
  return { role: levelNames[member.level], expires_on: member.expiresOn };
}
