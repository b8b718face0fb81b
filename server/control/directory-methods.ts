import type { z } from 'zod';
import {
  type auditRow,
  type ContainerReference,
  type GroupDetail,
  type GroupSummary,
  type MemberEntry,
  type NewTokenResult,
  type ProjectDetail,
  type ShareEntry,
  type TokenEntry,
  type UserDetail,
  userSummary,
  type UserSummary,
} from '../contract/directory.ts';
import { GatehouseError } from '../contract/errors.ts';
import type { AuditRecord } from '../accounts/audit-store.ts';
import type { Actor } from '../accounts/change.ts';
import type { DirectoryServices } from '../accounts/directory-services.ts';
import type { Grant } from '../accounts/access/effective-access.ts';
import type { NamespaceRecord, ProjectRecord, ShareRecord, TokenRecord, UserRecord } from '../accounts/records.ts';
import type { IssuedToken } from '../accounts/login/tokens.ts';
import type { MethodsOf } from './call-method.ts';

/** What the window can ask and change about people. It acts as the desktop's own user, who may do everything. */
export function createDirectoryMethods(services: DirectoryServices, actor: Actor): MethodsOf<'directory'> {
  const { directory, users, groups, projects, members, shares, tokens, audit } = services;
  const view = new DirectoryView(services);
  return {
    'directory.projects': () => directory.allProjects().map(toProject),
    'directory.ruleCandidates': ({ projectId, search }) => view.ruleCandidates(projectId, search),

    'directory.users': ({ search }) => {
      const lastUses = view.lastUses();
      return users
        .all()
        .filter((user) => matches(search, user.username, user.name, user.email))
        .map((user) => toUserDetail(user, lastUses));
    },
    'directory.createUser': async (input) => toUserDetail(await users.create(actor, input), view.lastUses()),
    'directory.updateUser': async ({ userId, ...changes }) =>
      toUserDetail(await users.update(actor, userId, present(changes)), view.lastUses()),
    'directory.setUserBlocked': async ({ userId, blocked }) =>
      toUserDetail(await users.setBlocked(actor, userId, blocked), view.lastUses()),
    'directory.deleteUser': ({ userId }) => users.delete(actor, userId),

    'directory.groups': ({ search }) =>
      groups
        .all()
        .filter((group) => matches(search, group.name, group.fullPath))
        .toSorted(byFullPath)
        .map((group) => view.groupDetail(group)),
    'directory.createGroup': async (input) => view.groupDetail(await groups.create(actor, input)),
    'directory.updateGroup': async ({ groupId, ...changes }) =>
      view.groupDetail(await groups.update(actor, groupId, present(changes))),
    'directory.deleteGroup': ({ groupId }) => groups.delete(actor, groupId),

    'directory.projectDetails': ({ search }) =>
      directory
        .allProjects()
        .filter((project) => matches(search, project.name, project.fullPath))
        .toSorted(byFullPath)
        .map((project) => view.projectDetail(project)),
    'directory.createProject': async (input) => view.projectDetail(await projects.create(actor, input)),
    'directory.updateProject': async ({ projectId, ...changes }) =>
      view.projectDetail(await projects.update(actor, projectId, present(changes))),
    'directory.deleteProject': ({ projectId }) => projects.delete(actor, projectId),

    'directory.members': ({ container }) => view.members(container),
    'directory.addMember': async ({ container, ...member }) => {
      await members.add(actor, container, member);
      return view.member(container, member.userId);
    },
    'directory.updateMember': async ({ container, ...member }) => {
      await members.update(actor, container, member);
      return view.member(container, member.userId);
    },
    'directory.removeMember': ({ container, userId }) => members.remove(actor, container, userId),

    'directory.shares': ({ container }) => shares.of(container).map((share) => view.share(share)),
    'directory.addShare': async ({ container, ...share }) => view.share(await shares.add(actor, container, share)),
    'directory.removeShare': ({ container, groupId }) => shares.remove(actor, container, groupId),

    'directory.tokens': ({ userId }) =>
      tokens
        .list(userId ?? undefined)
        .toReversed()
        .map((token) => view.token(token)),
    'directory.createToken': async (input) => view.issued(await tokens.create(actor, input)),
    'directory.rotateToken': async ({ tokenId, expiresOn }) =>
      view.issued(await tokens.rotate(actor, tokenId, expiresOn)),
    'directory.revokeToken': ({ tokenId }) => tokens.revoke(actor, tokenId),

    'directory.audit': ({ search, projectId, groupId, beforeId, limit }) => {
      const filter = {
        ...(search === '' ? {} : { search }),
        ...(projectId === null ? {} : { projectId }),
        ...(groupId === null ? {} : { groupId }),
      };
      const rows = audit.list(beforeId === null ? filter : { ...filter, beforeId }, { limit, offset: 0 });
      const oldest = rows.at(-1);
      return {
        rows: rows.map(toAuditRow),
        total: audit.count(filter),
        nextBeforeId: oldest && rows.length === limit ? oldest.id : null,
      };
    },
  };
}

/** The directory in the shapes of the contract. */
class DirectoryView {
  readonly #services: DirectoryServices;

  constructor(services: DirectoryServices) {
    this.#services = services;
  }

  ruleCandidates(projectId: number, search: string): { users: UserSummary[]; groups: GroupSummary[] } {
    const { directory, members, shares } = this.#services;
    const { index } = directory;
    return {
      users: members
        .effective({ kind: 'project', id: projectId })
        .filter((grant) => grant.level >= 30)
        .flatMap((grant) => index.users.get(grant.userId) ?? [])
        .filter((user) => user.state === 'active' && matches(search, user.username, user.name))
        .map(toUser),
      groups: shares
        .of({ kind: 'project', id: projectId })
        .flatMap((share) => index.namespaces.get(share.groupId) ?? [])
        .filter((group) => matches(search, group.name, group.fullPath))
        .map(toGroup),
    };
  }

  /** When any token of each user was last used. */
  lastUses(): ReadonlyMap<number, number> {
    const uses = new Map<number, number>();
    for (const { userId, lastUsedAt } of this.#services.tokens.list()) {
      if (lastUsedAt !== null) uses.set(userId, Math.max(lastUsedAt, uses.get(userId) ?? 0));
    }
    return uses;
  }

  groupDetail(group: NamespaceRecord): GroupDetail {
    const { directory, members } = this.#services;
    const { path, parentId, description, visibility, createdAt } = group;
    return {
      ...toGroup(group),
      path,
      parentId,
      description,
      visibility,
      createdAt,
      memberCount: members.direct({ kind: 'group', id: group.id }).length,
      projectCount: directory.projectsOfGroup(group.id, { subgroups: false }).length,
    };
  }

  projectDetail(project: ProjectRecord): ProjectDetail {
    const { path, namespaceId, description, createdAt } = project;
    const namespaceKind = this.#services.projects.namespaceOf(project).kind;
    return { ...toProject(project), path, namespaceId, namespaceKind, description, createdAt };
  }

  members(container: ContainerReference): MemberEntry[] {
    return this.#services.members
      .effective(container)
      .map((grant) => this.#toMember(container, grant))
      .toSorted((a, b) => Number(b.direct) - Number(a.direct) || a.user.name.localeCompare(b.user.name));
  }

  member(container: ContainerReference, userId: number): MemberEntry {
    const entry = this.members(container).find((candidate) => candidate.user.id === userId);
    if (!entry) throw new GatehouseError('not_found', 'The membership has ended.');
    return entry;
  }

  share(share: ShareRecord): ShareEntry {
    return { group: this.#group(share.groupId), level: share.level, expiresOn: share.expiresOn };
  }

  token(token: TokenRecord): TokenEntry {
    const { id, name, description, scopes, hint, createdAt, expiresOn, revokedAt, lastUsedAt } = token;
    return {
      id,
      user: this.#user(token.userId),
      name,
      description,
      scopes: [...scopes],
      hint,
      createdAt,
      expiresOn,
      revokedAt,
      lastUsedAt,
      state: this.#services.tokens.stateOf(token),
    };
  }

  issued({ token, secret }: IssuedToken): NewTokenResult {
    return { token: this.token(token), secret };
  }

  #toMember(container: ContainerReference, grant: Grant): MemberEntry {
    const { source, throughGroupId } = grant;
    const { index } = this.#services.directory;
    const place = source.kind === 'project' ? index.projects.get(source.id) : index.namespaces.get(source.id);
    return {
      user: this.#user(grant.userId),
      level: grant.level,
      direct: throughGroupId === null && source.kind === container.kind && source.id === container.id,
      source: { ...source, fullPath: place?.fullPath ?? '' },
      throughGroup: throughGroupId === null ? null : this.#group(throughGroupId),
      expiresOn: grant.expiresOn,
    };
  }

  #user(id: number): UserSummary {
    return toUser(this.#services.users.get(id));
  }

  #group(id: number): GroupSummary {
    return toGroup(this.#services.groups.get(id));
  }
}

function toUser(user: UserRecord): UserSummary {
  // Strips what the summary does not have.
  return userSummary.parse(user);
}

function toUserDetail(user: UserRecord, lastUses: ReadonlyMap<number, number>): UserDetail {
  const { email, external, createdAt } = user;
  return { ...toUser(user), email, external, createdAt, lastUsedAt: lastUses.get(user.id) ?? null };
}

function toGroup({ id, name, fullPath }: NamespaceRecord): GroupSummary {
  return { id, name, fullPath };
}

function toProject({ id, name, fullPath, visibility }: ProjectRecord) {
  return { id, name, fullPath, visibility };
}

function toAuditRow(row: AuditRecord): z.infer<typeof auditRow> {
  const { id, at, origin, address, action, projectId, groupId, before, after } = row;
  return {
    id,
    at,
    actor: { id: row.actorId, name: row.actorName },
    origin,
    address,
    action,
    target: { type: row.targetType, id: row.targetId, name: row.targetName },
    projectId,
    groupId,
    before,
    after,
  };
}

function matches(search: string, ...texts: readonly string[]): boolean {
  const wanted = search.trim().toLowerCase();
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted));
}

function byFullPath(a: { readonly fullPath: string }, b: { readonly fullPath: string }): number {
  return a.fullPath.localeCompare(b.fullPath);
}

/** An object without the keys that are undefined, which `Partial` with exact types does not allow. */
function present<T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
