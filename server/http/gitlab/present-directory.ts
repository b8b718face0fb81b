import { levelInProject } from '../../accounts/access/authorize.ts';
import { maySee } from '../../accounts/access/policy.ts';
import type {
  Container,
  MemberRecord,
  NamespaceRecord,
  ProjectRecord,
  ShareRecord,
  TokenRecord,
  UserRecord,
} from '../../accounts/records.ts';
import type { Grant } from '../../accounts/access/effective-access.ts';
import type { AnswerOf } from '../openapi/schemas.ts';
import type { GitlabCall } from './call.ts';
import { seesGroup } from '../visibility.ts';

/** A moment as GitLab writes it. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A user in the public shape. */
export function basicUser(call: GitlabCall, user: UserRecord): AnswerOf<'BasicUser'> {
  return {
    id: user.id,
    username: user.username,
    public_email: null,
    name: user.name,
    state: user.state,
    locked: false,
    avatar_url: null,
    web_url: `${call.origin}/${user.username}`,
  };
}

/** A user in the shape for that user, and for administrators. */
export function fullUser(call: GitlabCall, user: UserRecord, forAdmin: boolean): AnswerOf<'FullUser'> {
  const { directory, tokens } = call.registry.people;
  const used = tokens.list(user.id).flatMap((token) => token.lastUsedAt ?? []);
  const lastUse = used.length === 0 ? null : timeText(Math.max(...used)).slice(0, 10);
  return {
    ...basicUser(call, user),
    created_at: timeText(user.createdAt),
    bio: '',
    location: '',
    website_url: '',
    organization: '',
    job_title: '',
    bot: false,
    email: user.email,
    commit_email: user.email,
    confirmed_at: timeText(user.createdAt),
    last_activity_on: lastUse,
    current_sign_in_at: null,
    last_sign_in_at: null,
    projects_limit: user.external ? 0 : 100_000,
    identities: [],
    can_create_group: !user.external,
    can_create_project: !user.external,
    two_factor_enabled: false,
    external: user.external,
    private_profile: false,
    ...(forAdmin
      ? { is_admin: user.isAdmin, namespace_id: directory.store.namespaces.findPersonal(user.id)?.id ?? null }
      : {}),
  };
}

/** A group in lists. */
export function basicGroup(call: GitlabCall, group: NamespaceRecord): AnswerOf<'Group'> {
  return {
    id: group.id,
    web_url: `${call.origin}/groups/${group.fullPath}`,
    name: group.name,
    path: group.path,
    description: group.description,
    visibility: group.visibility,
    full_name: fullNameOf(call, group),
    full_path: group.fullPath,
    created_at: timeText(group.createdAt),
    parent_id: group.parentId,
    avatar_url: null,
    organization_id: 1,
    share_with_group_lock: false,
    require_two_factor_authentication: false,
    project_creation_level: 'developer',
    subgroup_creation_level: 'maintainer',
    emails_enabled: true,
    mentions_disabled: null,
    lfs_enabled: false,
    archived: false,
    request_access_enabled: false,
  };
}

/** A group by itself, with the groups that are invited to it. */
export function detailedGroup(call: GitlabCall, group: NamespaceRecord): AnswerOf<'GroupDetail'> {
  return { ...basicGroup(call, group), shared_with_groups: sharedGroups(call, { kind: 'group', id: group.id }) };
}

/** A project in its short shape, the only one for anonymous callers. */
export function simpleProject(call: GitlabCall, project: ProjectRecord): AnswerOf<'SimpleProject'> {
  const namespace = call.registry.people.projects.namespaceOf(project);
  const address = `${call.origin}/${project.fullPath}`;
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: `${fullNameOf(call, namespace)} / ${project.name}`,
    path: project.path,
    path_with_namespace: project.fullPath,
    created_at: timeText(project.createdAt),
    default_branch: null,
    tag_list: [],
    topics: [],
    ssh_url_to_repo: '',
    http_url_to_repo: `${address}.git`,
    web_url: address,
    readme_url: null,
    forks_count: 0,
    avatar_url: null,
    star_count: 0,
    last_activity_at: timeText(project.updatedAt),
    visibility: project.visibility,
    namespace: presentNamespace(call, namespace),
  };
}

/** A group or personal namespace as what projects live in. */
export function presentNamespace(call: GitlabCall, namespace: NamespaceRecord): AnswerOf<'Namespace'> {
  return {
    id: namespace.id,
    name: nameOf(call, namespace),
    path: namespace.path,
    kind: namespace.kind,
    full_path: namespace.fullPath,
    parent_id: namespace.parentId,
    avatar_url: null,
    web_url: `${call.origin}/${namespace.kind === 'group' ? 'groups/' : ''}${namespace.fullPath}`,
  };
}

/** A project in the shape for users. */
export function fullProject(call: GitlabCall, project: ProjectRecord): AnswerOf<'FullProject'> {
  const { directory } = call.registry.people;
  const { principal } = call;
  const namespace = call.registry.people.projects.namespaceOf(project);
  const owner = namespace.ownerId === null ? undefined : directory.index.users.get(namespace.ownerId);
  return {
    ...simpleProject(call, project),
    ...(owner ? { owner: basicUser(call, owner) } : {}),
    creator_id: project.creatorId,
    archived: false,
    empty_repo: true,
    packages_enabled: true,
    package_registry_access_level: project.visibility === 'public' ? 'public' : 'enabled',
    environments_access_level: 'enabled',
    issues_enabled: false,
    merge_requests_enabled: false,
    wiki_enabled: false,
    jobs_enabled: true,
    snippets_enabled: false,
    container_registry_enabled: false,
    lfs_enabled: false,
    shared_runners_enabled: false,
    request_access_enabled: false,
    updated_at: timeText(project.updatedAt),
    shared_with_groups: sharedGroups(call, { kind: 'project', id: project.id }),
    permissions: principal.kind === 'user' ? permissionsOf(call, principal.user.id, project, namespace) : null,
  };
}

/** A project as the caller sees it. */
export function presentProject(call: GitlabCall, project: ProjectRecord): AnswerOf<'Project'> {
  return call.principal.kind === 'user' ? fullProject(call, project) : simpleProject(call, project);
}

/** The groups that are invited to a project or group, as far as the caller may know of them. */
function sharedGroups(call: GitlabCall, container: Container): AnswerOf<'SharedGroup'>[] {
  const { directory, shares } = call.registry.people;
  return shares.of(container).flatMap((share) => {
    const group = directory.index.namespaces.get(share.groupId);
    if (!group || !seesGroup(call, group)) return [];
    return {
      group_id: share.groupId,
      group_name: group.name,
      group_full_path: group.fullPath,
      group_access_level: share.level,
      expires_at: share.expiresOn,
    };
  });
}

/** An invitation as the answer to making it. */
export function projectShare(share: ShareRecord): AnswerOf<'ProjectShare'> {
  return {
    id: share.id,
    project_id: share.container.id,
    group_id: share.groupId,
    group_access: share.level,
    expires_at: share.expiresOn,
  };
}

/** A membership; `id` is the user's, whose e-mail address is for that user and for administrators. */
export function presentMember(call: GitlabCall, member: MemberRecord | Grant): AnswerOf<'Member'> {
  const { principal } = call;
  const showsEmail = principal.kind === 'user' && (principal.user.isAdmin || principal.user.id === member.userId);
  const { index } = call.registry.directory;
  const user = index.users.get(member.userId);
  const creator = member.createdBy === null ? undefined : index.users.get(member.createdBy);
  return {
    ...(user ? basicUser(call, user) : { id: member.userId }),
    access_level: member.level,
    created_at: timeText(member.createdAt),
    created_by: creator ? basicUser(call, creator) : null,
    expires_at: member.expiresOn,
    membership_state: 'active',
    ...(showsEmail && user ? { email: user.email } : {}),
  };
}

/** A personal access token without its secret. */
export function presentToken(call: GitlabCall, token: TokenRecord): AnswerOf<'Token'> {
  return {
    id: token.id,
    name: token.name,
    revoked: token.revokedAt !== null,
    created_at: timeText(token.createdAt),
    description: token.description,
    scopes: [...token.scopes],
    user_id: token.userId,
    last_used_at: token.lastUsedAt === null ? null : timeText(token.lastUsedAt),
    active: call.registry.people.tokens.stateOf(token) === 'active',
    expires_at: token.expiresOn,
  };
}

/** Whether the caller may know of a project. */
export function seesProject({ principal, registry }: GitlabCall, project: ProjectRecord): boolean {
  return maySee(principal, levelInProject(registry.directory, principal, project), project.visibility);
}

/** The name of a namespace; its path, which the paths of all below show anyway, for callers who may not know of it. */
function nameOf(call: GitlabCall, namespace: NamespaceRecord): string {
  return namespace.kind === 'user' || seesGroup(call, namespace) ? namespace.name : namespace.path;
}

function fullNameOf(call: GitlabCall, namespace: NamespaceRecord): string {
  const { parentId } = namespace;
  const parent = parentId === null ? undefined : call.registry.directory.index.namespaces.get(parentId);
  const name = nameOf(call, namespace);
  return parent ? `${fullNameOf(call, parent)} / ${name}` : name;
}

function permissionsOf({ registry }: GitlabCall, userId: number, { id }: ProjectRecord, namespace: NamespaceRecord) {
  const direct = registry.people.members.findDirect({ kind: 'project', id }, userId)?.level ?? 0;
  const group = namespace.kind === 'group' ? registry.directory.groupLevel(userId, namespace.id) : 0;
  const access = (level: number) => (level > 0 ? { access_level: level, notification_level: 3 } : null);
  return { project_access: access(direct), group_access: access(group) };
}
