import { compareNames } from '../contract/compare-names.ts';
import { GatehouseError } from '../contract/errors.ts';
import type { ContainerReference } from '../contract/directory.ts';
import { z } from 'zod';
import type { AuditRecord } from '../accounts/audit-store.ts';
import type { Actor } from '../accounts/change.ts';
import type { DirectoryServices } from '../accounts/directory-services.ts';
import { type Grant, isDirect } from '../accounts/access/effective-access.ts';
import type {
  Container,
  NamespaceRecord,
  ProjectRecord,
  ShareRecord,
  TokenRecord,
  UserRecord,
} from '../accounts/records.ts';
import type { IssuedToken } from '../accounts/login/tokens.ts';
import { lossOf } from '../environments/protection-undo.ts';
import { mayNameGroup, mayNameUser } from '../environments/rule-validation.ts';
import type { PackageStore } from '../registry/package-store.ts';
import type { MethodsOf } from './call-method.ts';

/** Users, groups, projects, members, shares, tokens and the audit trail. */
export function createDirectoryMethods(
  services: DirectoryServices,
  actor: Actor,
  packages: VersionLists,
): MethodsOf<'directory'> {
  const { directory, users, groups, projects, members, shares, tokens, audit } = services;
  const present = presenters(services);
  return {
    'directory.projects': () => directory.allProjects().map(toProject),
    'directory.ruleCandidates': ({ search, ...owner }) =>
      present.ruleCandidates(
        'projectId' in owner ? { kind: 'project', id: owner.projectId } : { kind: 'group', id: owner.groupId },
        search,
      ),

    'directory.users': ({ search }) => {
      const lastUses = present.lastUses();
      const found = users.all().filter((user) => matches(search, user.username, user.name, user.email));
      return found.toSorted(byName).map((user) => present.user(user, lastUses));
    },
    'directory.createUser': async (input) => present.user(await users.create(actor, input)),
    'directory.updateUser': async ({ userId, ...changes }) =>
      present.user(await users.update(actor, userId, defined(changes))),
    'directory.setUserBlocked': async ({ userId, blocked }) =>
      present.user(await users.setBlocked(actor, userId, blocked)),
    'directory.deleteUser': ({ userId }) => users.delete(actor, userId),

    'directory.groups': ({ search }) =>
      groups
        .all()
        .filter((group) => matches(search, group.name, group.fullPath))
        .toSorted(byFullPath)
        .map((group) => present.group(group)),
    'directory.createGroup': async (input) => present.group(await groups.create(actor, input)),
    'directory.updateGroup': async ({ groupId, ...changes }) =>
      present.group(await groups.update(actor, groupId, defined(changes))),
    'directory.deleteGroup': ({ groupId }) => groups.delete(actor, groupId),

    'directory.projectDetails': ({ search }) =>
      directory
        .allProjects()
        .filter((project) => matches(search, project.name, project.fullPath))
        .toSorted(byFullPath)
        .map((project) => present.project(project)),
    'directory.createProject': async (input) => present.project(await projects.create(actor, input)),
    'directory.updateProject': async ({ projectId, ...changes }) =>
      present.project(await projects.update(actor, projectId, defined(changes))),
    'directory.deleteProject': ({ projectId }) => projects.delete(actor, projectId),

    'directory.members': ({ container }) => present.members(container),
    'directory.userAccess': ({ userId }) => present.accessOf(userId),
    'directory.addMember': async ({ container, ...member }) => {
      await members.add(actor, container, member);
      return present.member(container, member.userId);
    },
    'directory.updateMember': async ({ container, ...member }) => {
      await members.update(actor, container, member);
      return present.member(container, member.userId);
    },
    'directory.removeMember': async ({ container, userId }) => ({
      isAlone: await members.remove(actor, container, userId),
    }),

    'directory.shares': ({ container }) => shares.of(container).map((share) => present.share(share)),
    'directory.addShare': async ({ container, ...share }) => present.share(await shares.add(actor, container, share)),
    'directory.updateShare': async ({ container, ...share }) =>
      present.share(await shares.update(actor, container, share)),
    'directory.removeShare': ({ container, groupId }) => shares.remove(actor, container, groupId),

    'directory.tokens': ({ userId }) =>
      tokens
        .list(userId ?? undefined)
        .toReversed()
        .map((token) => present.token(token)),
    'directory.createToken': async (input) => present.issued(await tokens.create(actor, input)),
    'directory.rotateToken': async ({ tokenId, expiresOn }) =>
      present.issued(await tokens.rotate(actor, tokenId, expiresOn)),
    'directory.revokeToken': ({ tokenId }) => tokens.revoke(actor, tokenId),

    'directory.audit': ({ search, projectId, groupId, actorId, kind, beforeId, limit }) => {
      const filter = {
        ...(search === '' ? {} : { search }),
        ...(projectId === null ? {} : { projectId }),
        ...(groupId === null ? {} : { groupId }),
        ...(actorId === null ? {} : { actorId }),
        ...(kind === null ? {} : { kind }),
      };
      const rows = audit.list(beforeId === null ? filter : { ...filter, beforeId }, { limit, offset: 0 });
      const oldest = rows.at(-1);
      const lacksVersion = versionLosses(packages);
      const isLost = (row: AuditRecord) => lossOf(directory, row) !== undefined || lacksVersion(row);
      return {
        rows: rows.map((row) => ({ ...toAuditRow(row), isLost: isLost(row) })),
        nextBeforeId: oldest && rows.length === limit ? oldest.id : null,
      };
    },
  };
}

/** Turns records into the shapes of the contract. */
function presenters({ directory, users, groups, projects, members, tokens }: DirectoryServices) {
  const userOf = (id: number) => toUser(users.get(id));
  const groupOf = (id: number) => toGroup(groups.get(id));

  /** As of now: the stored time is up to a minute behind. */
  const lastUseOf = (token: TokenRecord) => directory.lastUseOfToken(token.id) ?? token.lastUsedAt;

  /** When any token of each user was last used. */
  const lastUses = (): ReadonlyMap<number, number> => {
    const uses = new Map<number, number>();
    for (const token of tokens.list()) {
      const { userId } = token;
      const lastUsedAt = lastUseOf(token);
      if (lastUsedAt !== null) uses.set(userId, Math.max(lastUsedAt, uses.get(userId) ?? 0));
    }
    return uses;
  };

  const placeOf = ({ kind, id }: Container) => {
    const { projects: byId, namespaces } = directory.index;
    return { kind, id, fullPath: (kind === 'project' ? byId : namespaces).get(id)?.fullPath ?? '' };
  };
  const toMember = (container: ContainerReference, grant: Grant) => {
    const { userId, level, source, throughGroupId, expiresOn } = grant;
    return {
      user: userOf(userId),
      level,
      direct: isDirect(grant, container),
      source: placeOf(source),
      throughGroup: throughGroupId === null ? null : groupOf(throughGroupId),
      expiresOn,
    };
  };
  const membersOf = (container: ContainerReference) =>
    members
      .listed(container)
      .map((grant) => toMember(container, grant))
      .toSorted((a, b) => Number(b.direct) - Number(a.direct) || compareNames(a.user.name, b.user.name));

  const toToken = (token: TokenRecord) => {
    const { id, userId, name, description, scopes, hint, createdAt, expiresOn, revokedAt } = token;
    const shown = { id, name, description, hint, createdAt, expiresOn, revokedAt, lastUsedAt: lastUseOf(token) };
    return { ...shown, user: userOf(userId), scopes: [...scopes], state: tokens.stateOf(token) };
  };

  return {
    lastUses,
    members: membersOf,
    accessOf: (userId: number) =>
      members
        .listedOf(userId)
        .map(({ container, grant }) => ({ ...toMember(container, grant), container: placeOf(container) }))
        .toSorted((a, b) => compareNames(a.container.kind, b.container.kind) || byFullPath(a.container, b.container)),
    token: toToken,
    issued: ({ token, secret }: IssuedToken) => ({ token: toToken(token), secret }),

    user: (user: UserRecord, uses = lastUses()) => {
      const { email, external, createdAt } = user;
      return { ...toUser(user), email, external, createdAt, lastUsedAt: uses.get(user.id) ?? null };
    },
    group: (group: NamespaceRecord) => {
      const { id, path, parentId, description, visibility, createdAt } = group;
      const memberCount = members.direct({ kind: 'group', id }).length;
      const projectCount = directory.projectsOfGroup(id, { subgroups: false }).length;
      return { ...toGroup(group), path, parentId, description, visibility, createdAt, memberCount, projectCount };
    },
    project: (project: ProjectRecord) => {
      const { path, namespaceId, description, createdAt } = project;
      const namespaceKind = projects.namespaceOf(project).kind;
      return { ...toProject(project), path, namespaceId, namespaceKind, description, createdAt };
    },
    member: (container: ContainerReference, userId: number) => {
      const entry = membersOf(container).find((candidate) => candidate.user.id === userId);
      if (!entry) throw new GatehouseError('not_found', 'The membership has ended.');
      return entry;
    },
    share: ({ groupId, level, expiresOn }: ShareRecord) => ({ group: groupOf(groupId), level, expiresOn }),

    /** The users and groups that a deploy rule of a project or group may name. */
    ruleCandidates: (owner: Container, search: string) => ({
      users: [...directory.index.users.values()]
        .filter((user) => user.state === 'active' && matches(search, user.username, user.name))
        .filter((user) => mayNameUser(directory, owner, user.id))
        .map(toUser),
      groups: [...directory.index.namespaces.values()]
        .filter((group) => group.kind === 'group' && matches(search, group.name, group.fullPath))
        .filter((group) => mayNameGroup(directory, owner, group.id))
        .map(toGroup),
    }),
  };
}

function toUser({ id, username, name, state, isAdmin }: UserRecord) {
  return { id, username, name, state, isAdmin };
}

function toGroup({ id, name, fullPath }: NamespaceRecord) {
  return { id, name, fullPath };
}

function toProject({ id, name, fullPath, visibility }: ProjectRecord) {
  return { id, name, fullPath, visibility };
}

function toAuditRow({ actorId, actorName, targetType, targetId, targetName, ...row }: AuditRecord) {
  const { id, at, origin, address, token, action, projectId, groupId, before, after } = row;
  const actor = { id: actorId, name: actorName };
  const target = { type: targetType, id: targetId, name: targetName };
  return { id, at, actor, origin, address, token, action, target, projectId, groupId, before, after };
}

type VersionLists = Pick<PackageStore, 'getPackage' | 'deprecationsOf'>;

const tagBefore = z.object({ version: z.string().nullable() }).transform(({ version }) => version ?? []);
const deprecationsBefore = z.record(z.string(), z.unknown()).transform((messages) => Object.keys(messages));

/** Whether the package of a change is gone, or a version whose tag or deprecation an undo would give back. */
function versionLosses(packages: VersionLists): (row: AuditRecord) => boolean {
  const lists = new Map<number, ReadonlyMap<string, unknown> | undefined>();
  return ({ action, targetId, before }) => {
    const isTag = action === 'tag.set' || action === 'tag.removed';
    if (targetId === null || !(isTag || action === 'package.deprecated')) return false;
    if (!lists.has(targetId)) lists.set(targetId, packages.getPackage(targetId) && packages.deprecationsOf(targetId));
    const versions = lists.get(targetId);
    const wanted = [(isTag ? tagBefore : deprecationsBefore).safeParse(before).data ?? []].flat();
    return versions === undefined || wanted.some((version) => !versions.has(version));
  };
}

function matches(search: string, ...texts: readonly string[]): boolean {
  const wanted = search.trim().toLowerCase();
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted));
}

function byFullPath(a: { readonly fullPath: string }, b: { readonly fullPath: string }): number {
  return compareNames(a.fullPath, b.fullPath);
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return compareNames(a.name, b.name);
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** An object without the keys that are undefined, which `Partial` with exact types does not allow. */
function defined<T extends object>(changes: T): Defined<T> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Defined<T>;
}
