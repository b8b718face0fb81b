import { z } from 'zod';
import { tokenScopeNames } from '../../contract/constants.ts';
import { day, id, memberLevel, moment, visibility } from './answer-parts.ts';

const BasicUser = z.object({
  id,
  username: z.string(),
  public_email: z.null(),
  name: z.string(),
  state: z.enum(['active', 'blocked']),
  locked: z.boolean(),
  avatar_url: z.null(),
  web_url: z.string(),
});
const PublicUser = BasicUser.extend({ created_at: moment });
const FullUser = BasicUser.extend({
  created_at: moment,
  bio: z.string(),
  location: z.string(),
  website_url: z.string(),
  organization: z.string(),
  job_title: z.string(),
  bot: z.boolean(),
  email: z.string(),
  commit_email: z.string(),
  confirmed_at: moment,
  last_activity_on: day.nullable(),
  current_sign_in_at: z.null(),
  last_sign_in_at: z.null(),
  projects_limit: z.int(),
  identities: z.array(z.never()),
  can_create_group: z.boolean(),
  can_create_project: z.boolean(),
  two_factor_enabled: z.boolean(),
  external: z.boolean(),
  private_profile: z.boolean(),
  is_admin: z.boolean().optional().meta({ description: 'For administrators.' }),
  namespace_id: id.nullish().meta({ description: 'For administrators: the personal namespace.' }),
});
const User = z.union([FullUser, BasicUser]);
const UserDetail = z.union([FullUser, PublicUser]);

const SharedGroup = z.object({
  group_id: id,
  group_name: z.string(),
  group_full_path: z.string(),
  group_access_level: memberLevel,
  expires_at: day.nullable(),
});

const Namespace = z.object({
  id,
  name: z.string(),
  path: z.string(),
  kind: z.enum(['group', 'user']),
  full_path: z.string(),
  parent_id: id.nullable(),
  avatar_url: z.null(),
  web_url: z.string(),
});

const SimpleProject = z.object({
  id,
  description: z.string(),
  name: z.string(),
  name_with_namespace: z.string(),
  path: z.string(),
  path_with_namespace: z.string(),
  created_at: moment,
  default_branch: z.null(),
  tag_list: z.array(z.never()),
  topics: z.array(z.never()),
  ssh_url_to_repo: z.string(),
  http_url_to_repo: z.string(),
  web_url: z.string(),
  readme_url: z.null(),
  forks_count: z.int(),
  avatar_url: z.null(),
  star_count: z.int(),
  last_activity_at: moment,
  visibility,
  namespace: Namespace,
});
const ownAccess = z.object({ access_level: z.int(), notification_level: z.int() }).nullable();
const FullProject = SimpleProject.extend({
  owner: BasicUser.optional(),
  creator_id: id.nullable(),
  archived: z.boolean(),
  empty_repo: z.boolean(),
  packages_enabled: z.boolean(),
  package_registry_access_level: z.string(),
  environments_access_level: z.string(),
  issues_enabled: z.boolean(),
  merge_requests_enabled: z.boolean(),
  wiki_enabled: z.boolean(),
  jobs_enabled: z.boolean(),
  snippets_enabled: z.boolean(),
  container_registry_enabled: z.boolean(),
  lfs_enabled: z.boolean(),
  shared_runners_enabled: z.boolean(),
  request_access_enabled: z.boolean(),
  updated_at: moment,
  shared_with_groups: z.array(SharedGroup),
  permissions: z.object({ project_access: ownAccess, group_access: ownAccess }).nullable(),
});
const Project = z.union([FullProject, SimpleProject]);
const ProjectShare = z.object({
  id,
  project_id: id,
  group_id: id,
  group_access: memberLevel,
  expires_at: day.nullable(),
});

const Group = z.object({
  id,
  web_url: z.string(),
  name: z.string(),
  path: z.string(),
  description: z.string(),
  visibility,
  full_name: z.string(),
  full_path: z.string(),
  created_at: moment,
  parent_id: id.nullable(),
  avatar_url: z.null(),
  organization_id: id,
  share_with_group_lock: z.boolean(),
  require_two_factor_authentication: z.boolean(),
  project_creation_level: z.string(),
  subgroup_creation_level: z.string(),
  emails_enabled: z.boolean(),
  mentions_disabled: z.null(),
  lfs_enabled: z.boolean(),
  archived: z.boolean(),
  request_access_enabled: z.boolean(),
});
const GroupDetail = Group.extend({
  shared_with_groups: z.array(SharedGroup),
  projects: z.array(Project).optional(),
});
const PathTaken = z.object({ exists: z.boolean(), suggests: z.array(z.string()) });

const Member = BasicUser.partial()
  .required({ id: true })
  .extend({
    id: id.meta({ description: 'Of the user.' }),
    access_level: memberLevel,
    created_at: moment,
    created_by: BasicUser.nullable(),
    expires_at: day.nullable(),
    membership_state: z.literal('active'),
    email: z.string().optional().meta({ description: 'For that user and for administrators.' }),
  });
const AddedMember = z.union([
  Member,
  z.object({ status: z.enum(['success', 'error']), message: z.record(z.string(), z.string()).optional() }),
]);

const Token = z.object({
  id,
  name: z.string(),
  revoked: z.boolean(),
  created_at: moment,
  description: z.string(),
  scopes: z.array(z.enum(tokenScopeNames)),
  user_id: id,
  last_used_at: moment.nullable(),
  active: z.boolean(),
  expires_at: day.nullable(),
});
const NewToken = Token.extend({ token: z.string().meta({ description: 'The secret, which is shown this once.' }) });

const AuditEvent = z.object({
  id,
  author_id: z.int().meta({ description: '-1 for the machine of the registry.' }),
  entity_id: z.int(),
  entity_type: z.enum(['Project', 'Group', 'Instance']),
  event_name: z.string(),
  details: z.object({
    event_name: z.string(),
    author_name: z.string(),
    author_class: z.enum(['User', 'System']),
    target_id: id.nullable(),
    target_type: z.string(),
    target_details: z.string(),
    ip_address: z.string().nullable(),
    entity_path: z.string().nullable(),
    origin: z.enum(['http', 'window', 'cli', 'system']),
    before: z.unknown(),
    after: z.unknown(),
  }),
  created_at: moment,
});

const Version = z.object({ version: z.string(), revision: z.string() });
const Metadata = Version.extend({
  kas: z.object({
    enabled: z.boolean(),
    externalUrl: z.null(),
    externalK8sProxyUrl: z.null(),
    version: z.null(),
  }),
  enterprise: z.boolean(),
});

/** Answers about users, groups, projects, members, invitations, tokens and the audit trail. */
export const directoryAnswers = {
  BasicUser,
  PublicUser,
  FullUser,
  User,
  UserDetail,
  Namespace,
  SimpleProject,
  FullProject,
  Project,
  ProjectShare,
  SharedGroup,
  Group,
  GroupDetail,
  PathTaken,
  Member,
  AddedMember,
  Token,
  NewToken,
  AuditEvent,
  Version,
  Metadata,
  Message: z.object({ message: z.string() }),
  Done: z.literal(true),
};
