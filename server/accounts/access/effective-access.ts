import type { EffectiveLevel, MemberLevel } from '../../contract/levels.ts';
import type { Container, MemberRecord, ShareRecord } from '../records.ts';

/** One way in which a user has access to a group or project. */
export interface Grant {
  readonly userId: number;
  readonly level: MemberLevel;
  /** The project or group of the membership. */
  readonly source: Container;
  /** The invited group that grants it; null for memberships. */
  readonly throughGroupId: number | null;
  readonly createdBy: number | null;
  readonly createdAt: number;
  readonly expiresOn: string | null;
}

/** What the computation of access needs of the directory, without expired members and shares. */
export interface AccessFacts {
  /** The parent of a group; null at the top. */
  parentOf(groupId: number): number | null;
  namespaceOf(projectId: number): { readonly id: number; readonly ownerId: number | null } | undefined;
  membersOf(container: Container): readonly MemberRecord[];
  sharesOf(container: Container): readonly ShareRecord[];
}

/** A group and everything above it, nearest first. */
export function groupAndAncestors(facts: Pick<AccessFacts, 'parentOf'>, groupId: number): number[] {
  const chain: number[] = [];
  for (let id: number | null = groupId; id !== null && !chain.includes(id); id = facts.parentOf(id)) chain.push(id);
  return chain;
}

/**
 * Every grant of access to a group, as GitLab computes them: memberships of the group and of the groups above it, and of each group
 * that is invited to one of these, whose members get the smaller of their own role and the invitation's. Invitations do not
 * chain: a group invited to an invited group gets no access.
 */
export function grantsOfGroup(facts: AccessFacts, groupId: number): Grant[] {
  return groupAndAncestors(facts, groupId).flatMap((id) => {
    const container: Container = { kind: 'group', id };
    const invited = facts
      .sharesOf(container)
      .flatMap((share) => membershipGrants(facts, share.groupId).map((grant) => capped(grant, share)));
    return [...directGrants(facts, container), ...invited];
  });
}

/**
 * Every grant of access to a project: its own members, those of the group that it lives in, and those of each group that it is
 * shared with. The owner of a personal namespace owns the projects in it.
 */
export function grantsOfProject(facts: AccessFacts, projectId: number): Grant[] {
  const container: Container = { kind: 'project', id: projectId };
  const namespace = facts.namespaceOf(projectId);
  const owned: Grant[] =
    namespace && namespace.ownerId !== null
      ? [
          {
            userId: namespace.ownerId,
            level: 50,
            source: container,
            throughGroupId: null,
            createdBy: null,
            createdAt: 0,
            expiresOn: null,
          },
        ]
      : [];
  const inherited = namespace && namespace.ownerId === null ? grantsOfGroup(facts, namespace.id) : [];
  const invited = facts
    .sharesOf(container)
    .flatMap((share) => grantsOfGroup(facts, share.groupId).map((grant) => capped(grant, share)));
  return [...owned, ...directGrants(facts, container), ...inherited, ...invited];
}

/**
 * Effective access of one user to a project: the strongest of `grantsOfProject` for this user, computed without the others.
 * @param groupLevel effective access of the user to a group; cached, as projects share groups.
 */
export function levelOfUser(
  facts: AccessFacts,
  userId: number,
  projectId: number,
  groupLevel: (groupId: number) => EffectiveLevel,
): EffectiveLevel {
  const container: Container = { kind: 'project', id: projectId };
  const namespace = facts.namespaceOf(projectId);
  if (namespace?.ownerId === userId) return 50;
  const direct = facts.membersOf(container).find((member) => member.userId === userId)?.level ?? 0;
  const inherited = namespace && namespace.ownerId === null ? groupLevel(namespace.id) : 0;
  const invited = facts.sharesOf(container).map((share) => Math.min(groupLevel(share.groupId), share.level));
  return Math.max(direct, inherited, ...invited) as EffectiveLevel;
}

/** The strongest grant of each user; of equally strong ones the first, which is the most direct. */
export function strongestGrants(grants: readonly Grant[]): ReadonlyMap<number, Grant> {
  const strongest = new Map<number, Grant>();
  for (const grant of grants) {
    const other = strongest.get(grant.userId);
    if (!other || other.level < grant.level) strongest.set(grant.userId, grant);
  }
  return strongest;
}

/** Whether a grant of access to a project or group is a membership of that very one. */
export function isDirect({ throughGroupId, source }: Grant, container: Container): boolean {
  return throughGroupId === null && source.kind === container.kind && source.id === container.id;
}

function directGrants(facts: AccessFacts, container: Container): Grant[] {
  return facts.membersOf(container).map((member) => ({
    userId: member.userId,
    level: member.level,
    source: container,
    throughGroupId: null,
    createdBy: member.createdBy,
    createdAt: member.createdAt,
    expiresOn: member.expiresOn,
  }));
}

/** Members of a group and of the groups above it, without invited ones. */
function membershipGrants(facts: AccessFacts, groupId: number): Grant[] {
  return groupAndAncestors(facts, groupId).flatMap((id) => directGrants(facts, { kind: 'group', id }));
}

function capped(grant: Grant, share: ShareRecord): Grant {
  const level = Math.min(grant.level, share.level) as MemberLevel;
  return { ...grant, level, throughGroupId: share.groupId, expiresOn: earlier(grant.expiresOn, share.expiresOn) };
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
