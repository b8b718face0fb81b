import { z } from 'zod';
import { tokenScopeNames } from '../../contract/constants.ts';
import { id, moment } from './answer-parts.ts';

const Ok = z.object({ ok: z.literal(true) });
const RevisedPackage = Ok.extend({ id: z.string(), rev: z.string().nullable() });
const PublishedVersion = Ok.extend({
  success: z.literal(true),
  id,
  project_id: id,
  name: z.string(),
  version: z.string(),
  package_type: z.literal('npm'),
  status: z.literal('default'),
  creator_id: id.nullable(),
  created_at: moment,
  updated_at: moment,
  last_downloaded_at: z.null(),
  status_message: z.null(),
});
const Deprecated = Ok.extend({ success: z.literal(true) });

const Dist = z.looseObject({
  tarball: z.string().meta({ description: 'Below the prefix of the request.' }),
  integrity: z.string().optional(),
  shasum: z.string().optional(),
  fileCount: z.int().optional(),
  unpackedSize: z.int().optional(),
  signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })).optional(),
});
const Manifest = z
  .looseObject({ name: z.string(), version: z.string(), dist: Dist, deprecated: z.string().optional() })
  .meta({ description: 'The package.json as it was published, with `dist`.' });
const DistTags = z.record(z.string(), z.string()).meta({ description: 'Versions by tag.' });
const Packument = z.looseObject({
  name: z.string(),
  'dist-tags': DistTags,
  versions: z.record(z.string(), Manifest),
  modified: moment.optional().meta({ description: 'In the abbreviated form.' }),
  time: z.record(z.string(), z.string()).optional().meta({ description: 'In the full form.' }),
});

const person = z.object({ username: z.string(), email: z.string() });
const SearchHit = z.object({
  downloads: z.object({ weekly: z.int(), monthly: z.int() }),
  dependents: z.int(),
  package: z.object({
    name: z.string(),
    scope: z.string(),
    version: z.string(),
    description: z.string(),
    keywords: z.array(z.string()),
    date: moment,
    license: z.string().optional(),
    links: z.record(z.string(), z.string()),
    author: z.looseObject({ name: z.string() }).optional(),
    publisher: person.optional(),
    maintainers: z.array(person),
  }),
  flags: z.object({ insecure: z.int(), deprecated: z.string().optional() }),
  updated: moment,
  score: z.object({
    final: z.number(),
    detail: z.object({ quality: z.number(), popularity: z.number(), maintenance: z.number() }),
  }),
  searchScore: z.number(),
});

const StagedVersion = z.object({
  id: z.string().meta({ format: 'uuid' }),
  packageName: z.string(),
  version: z.string(),
  tag: z.string(),
  tags: z.array(z.string()),
  status: z.enum(['pending', 'approved', 'rejected']),
  createdAt: moment,
  actor: z.string(),
  actorType: z.literal('user'),
  shasum: z.string(),
  integrity: z.string(),
});

const ReleaseApproval = z.object({
  user: z
    .object({
      id,
      username: z.string(),
      name: z.string(),
      state: z.enum(['active', 'blocked']),
      avatar_url: z.null(),
      web_url: z.string(),
    })
    .optional(),
  status: z.literal('approved'),
  created_at: moment,
  comment: z.string(),
  represented_as: z
    .string()
    .nullable()
    .meta({ description: 'The one rule that it counts for; null for all that match.' }),
});

const WaitingRelease = z
  .object({
    id: z.string().meta({ format: 'uuid' }),
    ok: z.literal(true).optional(),
    kind: z.enum(['version', 'tag']),
    status: z.enum(['pending', 'approved', 'rejected']),
    project_id: id,
    package_name: z.string(),
    version: z.string(),
    tags: z.array(z.string()),
    from_version: z.string().nullable(),
    requested_by: z.string(),
    created_at: moment,
    environments: z.array(z.object({ name: z.string(), tags: z.array(z.string()) })),
    pending_approval_count: z.int(),
    missing: z.string().nullable(),
    approvals: z.array(ReleaseApproval),
    approval_summary: z.object({
      rules: z.array(
        z.object({
          environment: z.string(),
          id: id.nullable(),
          user_id: id.nullable(),
          group_id: id.nullable(),
          access_level: z.int().nullable(),
          access_level_description: z.string(),
          group_inheritance_type: z.int(),
          required_approvals: z.int(),
          deployment_approvals: z.array(ReleaseApproval),
        }),
      ),
    }),
  })
  .meta({
    description:
      'A staged version, or a dist-tag that a user asked to move; fields as of a deployment that waits in GitLab.',
  });

const Advisory = z.looseObject({
  id: z.int(),
  url: z.string(),
  title: z.string(),
  severity: z.enum(['info', 'low', 'moderate', 'high', 'critical']),
  vulnerable_versions: z.string(),
});

const NpmToken = z.object({
  key: z.string(),
  token: z.string().meta({ description: 'The last characters of the secret; all of it in the answer that makes it.' }),
  name: z.string(),
  description: z.string(),
  created: moment,
  updated: moment,
  last_used: moment.nullable(),
  readonly: z.boolean(),
  automation: z.boolean(),
  scopes: z.array(z.enum(tokenScopeNames)),
  cidr_whitelist: z.array(z.string()).nullable(),
  expires: moment.optional(),
});

const permission = z.enum(['read-write', 'read-only']);

/** Answers of npm's API. */
export const npmAnswers = {
  Empty: z.object({}),
  Ok,
  RegistryInfo: z.object({ db_name: z.string() }),
  Whoami: z.object({ username: z.string() }),
  Names: z.array(z.string()),
  Dist,
  Manifest,
  DistTags,
  Packument,
  RevisedPackage,
  PublishedVersion,
  PackageChanged: z.union([PublishedVersion, Deprecated, RevisedPackage]),
  SearchHit,
  SearchResult: z.object({ objects: z.array(SearchHit), total: z.int(), time: moment }),
  AllPackages: z
    .looseObject({ _updated: z.int() })
    .meta({ description: 'Packages by name, with description, dist-tags and time.' }),
  SigningKeys: z.object({
    keys: z.array(
      z.object({
        keyid: z.string(),
        keytype: z.string(),
        scheme: z.string(),
        key: z.string(),
        expires: z.string().nullable(),
      }),
    ),
  }),
  Attestations: z.object({
    attestations: z.array(z.object({ predicateType: z.string(), bundle: z.looseObject({}) })),
  }),
  Advisory,
  AuditedPackages: z.record(z.string(), z.array(Advisory)).meta({ description: 'Advisories by name of the package.' }),
  AuditReport: z.looseObject({
    actions: z.array(z.unknown()),
    advisories: z.record(z.string(), Advisory),
    metadata: z.looseObject({ vulnerabilities: z.record(z.string(), z.int()) }),
  }),
  StagedVersion,
  StagedVersions: z.object({ items: z.array(StagedVersion), total: z.int(), page: z.int(), perPage: z.int() }),
  StagedDetail: StagedVersion.extend({
    project: z.string(),
    size: z.int(),
    fileCount: z.int(),
    unpackedSize: z.int(),
    missing: z.string(),
  }),
  StagedChange: StagedVersion.extend({ stageId: z.string(), ok: z.literal(true), publishedAt: moment.optional() }),
  ReleaseApproval,
  WaitingRelease,
  WaitingReleases: z.object({ items: z.array(WaitingRelease), total: z.int(), page: z.int(), per_page: z.int() }),
  LoginAddresses: z.object({ loginUrl: z.string(), doneUrl: z.string() }),
  IssuedToken: z.object({ token: z.string() }),
  LoggedIn: Ok.extend({ id: z.string(), rev: z.string(), token: z.string() }),
  NpmUser: z.object({
    _id: z.string(),
    _rev: z.string(),
    type: z.literal('user'),
    name: z.string(),
    fullname: z.string(),
    email: z.string(),
    roles: z.array(z.never()),
    date: moment,
  }),
  Profile: z.object({
    tfa: z.literal(false),
    name: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    created: moment,
    updated: moment,
    cidr_whitelist: z.null(),
    fullname: z.string(),
    homepage: z.string(),
    freenode: z.string(),
    twitter: z.string(),
    github: z.string(),
  }),
  NpmToken,
  NpmTokens: z.object({ objects: z.array(NpmToken), total: z.int(), urls: z.object({}) }),
  PackageVisibility: z.object({ public: z.boolean() }),
  PackageAccess: z.object({
    access: z.enum(['public', 'restricted']),
    public: z.boolean(),
    publish_requires_tfa: z.boolean(),
    automation_token_overrides_tfa: z.boolean(),
  }),
  Collaborators: z.union([
    z.record(z.string(), permission),
    z.array(z.object({ user: z.string(), permissions: permission })),
  ]),
  Maintainer: z.object({ user: z.string(), username: z.string(), name: z.string(), email: z.string() }),
  Permissions: z.record(z.string(), permission).meta({ description: 'Permissions by name of the package.' }),
  OrganisationRoles: z
    .record(z.string(), z.enum(['owner', 'admin', 'developer', 'reader']))
    .meta({ description: 'Roles by name of the user.' }),
  View: z.object({
    total_rows: z.int(),
    offset: z.int(),
    rows: z.array(z.object({ id: z.string(), key: z.string(), value: z.string() })),
  }),
};
