import { z } from 'zod';
import { tokenScopeNames } from './constants.ts';
import { protectionOwner } from './environments.ts';
import { memberLevel, visibility } from './levels.ts';

export const userSummary = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  state: z.enum(['active', 'blocked']),
  isAdmin: z.boolean(),
});
export type UserSummary = z.infer<typeof userSummary>;

export const userDetail = userSummary.extend({
  email: z.string(),
  external: z.boolean(),
  createdAt: z.int(),
  /** Last use of any of the user's tokens; null if none was ever used. */
  lastUsedAt: z.int().nullable(),
});
export type UserDetail = z.infer<typeof userDetail>;

export const groupSummary = z.object({ id: z.int(), name: z.string(), fullPath: z.string() });
export type GroupSummary = z.infer<typeof groupSummary>;

export const groupDetail = groupSummary.extend({
  path: z.string(),
  parentId: z.int().nullable(),
  description: z.string(),
  visibility,
  createdAt: z.int(),
  /** Direct members, and projects directly in the group. */
  memberCount: z.int(),
  projectCount: z.int(),
});
export type GroupDetail = z.infer<typeof groupDetail>;

export const projectSummary = z.object({
  id: z.int(),
  name: z.string(),
  fullPath: z.string(),
  visibility,
});
export type ProjectSummary = z.infer<typeof projectSummary>;

export const projectDetail = projectSummary.extend({
  path: z.string(),
  namespaceId: z.int(),
  namespaceKind: z.enum(['group', 'user']),
  description: z.string(),
  createdAt: z.int(),
});
export type ProjectDetail = z.infer<typeof projectDetail>;

/** What people are members of and groups are invited to. */
export const container = z.object({ kind: z.enum(['project', 'group']), id: z.int() });
export type ContainerReference = z.infer<typeof container>;

const day = z.iso.date();

/** One way in which a person has access. */
export const memberEntry = z.object({
  user: userSummary,
  level: memberLevel,
  /** Whether it is a membership of this very project or group, which can be edited there. */
  direct: z.boolean(),
  /** The project or group of the membership. */
  source: container.extend({ fullPath: z.string() }),
  /** The invited group, if access comes through an invitation. */
  throughGroup: groupSummary.nullable(),
  /** Access ends at the start of this day (UTC). */
  expiresOn: day.nullable(),
});
export type MemberEntry = z.infer<typeof memberEntry>;

/** One way in which a person has access to one of the groups and projects that he or she reaches. */
export const userAccessEntry = memberEntry.extend({ container: container.extend({ fullPath: z.string() }) });
export type UserAccessEntry = z.infer<typeof userAccessEntry>;

export const shareEntry = z.object({ group: groupSummary, level: memberLevel, expiresOn: day.nullable() });
export type ShareEntry = z.infer<typeof shareEntry>;

export const tokenScope = z.enum(tokenScopeNames);

export const tokenEntry = z.object({
  id: z.int(),
  user: userSummary,
  name: z.string(),
  description: z.string(),
  scopes: z.array(tokenScope),
  /** The last four characters of the secret. */
  hint: z.string(),
  createdAt: z.int(),
  expiresOn: day.nullable(),
  revokedAt: z.int().nullable(),
  lastUsedAt: z.int().nullable(),
  state: z.enum(['active', 'expired', 'revoked']),
});
export type TokenEntry = z.infer<typeof tokenEntry>;

/** A token with its secret, which is shown only once. */
export const newToken = z.object({ token: tokenEntry, secret: z.string() });
export type NewTokenResult = z.infer<typeof newToken>;

export const auditRow = z.object({
  id: z.int(),
  at: z.int(),
  actor: z.object({ id: z.int().nullable(), name: z.string() }),
  origin: z.enum(['http', 'window', 'cli', 'system']),
  address: z.string().nullable(),
  /** The name and the hint of the token that the change was made with; null where there was none, or none was recorded. */
  token: z.string().nullable(),
  /** Dotted and in the past tense: `package.published`, `tag.set`, `environment.protected`. */
  action: z.string(),
  target: z.object({ type: z.string(), id: z.int().nullable(), name: z.string() }),
  projectId: z.int().nullable(),
  groupId: z.int().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  /** Whether an undo would give back something of a user, group, project, package or version that is gone. */
  isLost: z.boolean(),
});
export type AuditRow = z.infer<typeof auditRow>;

const userId = z.object({ userId: z.int() });
const groupId = z.object({ groupId: z.int() });
const projectId = z.object({ projectId: z.int() });
const text = z.string().max(255);
const search = z.object({ search: text.default('') });
const optionalDay = day.nullable().default(null);

const userFields = z.object({
  username: text,
  name: text,
  email: text,
  password: z.string().max(1000),
  isAdmin: z.boolean(),
  external: z.boolean(),
});
/** Of groups and projects alike. */
const namespaceFields = z.object({ name: text, path: text, description: z.string().max(2000), visibility });
const newNamespace = namespaceFields.extend({
  description: namespaceFields.shape.description.default(''),
  visibility: visibility.default('private'),
});
const member = z.object({ container, userId: z.int(), level: memberLevel });

export const directoryMethods = {
  'directory.projects': { input: z.object({}), output: z.array(projectSummary) },
  /** Users and groups that a rule of this project or group may name, matching `search` in name, username or path. */
  'directory.ruleCandidates': {
    input: protectionOwner.and(z.object({ search: z.string().max(200).default('') })),
    output: z.object({ users: z.array(userSummary), groups: z.array(groupSummary) }),
  },

  'directory.users': { input: search, output: z.array(userDetail) },
  'directory.createUser': {
    input: userFields.extend({
      /** Needed for `npm login` only; tokens work without. */
      password: userFields.shape.password.nullable().default(null),
      isAdmin: z.boolean().default(false),
      external: z.boolean().default(false),
    }),
    output: userDetail,
  },
  'directory.updateUser': { input: userId.extend(userFields.partial().shape), output: userDetail },
  'directory.setUserBlocked': { input: userId.extend({ blocked: z.boolean() }), output: userDetail },
  'directory.deleteUser': { input: userId, output: z.null() },

  'directory.groups': { input: search, output: z.array(groupDetail) },
  'directory.createGroup': {
    input: newNamespace.extend({ parentId: z.int().nullable().default(null) }),
    output: groupDetail,
  },
  'directory.updateGroup': { input: groupId.extend(namespaceFields.partial().shape), output: groupDetail },
  /** Deletes the group with everything below it: subgroups, projects, their packages and rules. */
  'directory.deleteGroup': { input: groupId, output: z.null() },

  'directory.projectDetails': { input: search, output: z.array(projectDetail) },
  'directory.createProject': {
    /** The namespace is a group, or a person's own. */
    input: newNamespace.extend({ namespaceId: z.int() }),
    output: projectDetail,
  },
  'directory.updateProject': { input: projectId.extend(namespaceFields.partial().shape), output: projectDetail },
  /** Deletes the project with its packages, environments and rules. */
  'directory.deleteProject': { input: projectId, output: z.null() },

  /**
   * Everyone with access, direct members first: each by what gives the strongest role, and by the direct membership too where something
   * else gives a stronger one.
   */
  'directory.members': { input: z.object({ container }), output: z.array(memberEntry) },
  /** The groups, then the projects that a user reaches; each as `directory.members` lists the user there. */
  'directory.userAccess': { input: userId, output: z.array(userAccessEntry) },
  'directory.addMember': { input: member.extend({ expiresOn: optionalDay }), output: memberEntry },
  'directory.updateMember': { input: member.extend({ expiresOn: day.nullable() }), output: memberEntry },
  /** Removes the membership, and with it the deploy rules that name the person in that project. */
  'directory.removeMember': {
    input: z.object({ container, userId: z.int() }),
    /** Whether the role is all that was removed, so that adding it again restores everything. */
    output: z.object({ isAlone: z.boolean() }),
  },

  'directory.shares': { input: z.object({ container }), output: z.array(shareEntry) },
  'directory.addShare': {
    input: z.object({ container, groupId: z.int(), level: memberLevel, expiresOn: optionalDay }),
    output: shareEntry,
  },
  'directory.updateShare': {
    input: z.object({ container, groupId: z.int(), level: memberLevel, expiresOn: day.nullable() }),
    output: shareEntry,
  },
  /** Ends the invitation, and with it the deploy rules that name the group in that project. */
  'directory.removeShare': { input: z.object({ container, groupId: z.int() }), output: z.null() },

  'directory.tokens': { input: z.object({ userId: z.int().nullable().default(null) }), output: z.array(tokenEntry) },
  'directory.createToken': {
    input: userId.extend({
      name: text,
      description: text.default(''),
      scopes: z.array(tokenScope).min(1),
      expiresOn: optionalDay,
    }),
    output: newToken,
  },
  /** Revokes a token and makes another with the same name, scopes and user. */
  'directory.rotateToken': {
    input: z.object({ tokenId: z.int(), expiresOn: optionalDay }),
    output: newToken,
  },
  'directory.revokeToken': { input: z.object({ tokenId: z.int() }), output: z.null() },

  /** The audit trail, newest first; `beforeId` continues where the last answer ended. */
  'directory.audit': {
    input: z.object({
      // Takes the label of a token whose name is as long as names can be.
      search: z.string().max(300).default(''),
      projectId: z.int().nullable().default(null),
      groupId: z.int().nullable().default(null),
      actorId: z.int().nullable().default(null),
      kind: z.enum(['packages', 'environments', 'people', 'upstream', 'registry']).nullable().default(null),
      beforeId: z.int().nullable().default(null),
      limit: z.int().min(1).max(500).default(100),
    }),
    output: z.object({ rows: z.array(auditRow), nextBeforeId: z.int().nullable() }),
  },
} as const;
