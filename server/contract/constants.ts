/*
 * Words that both the schemas of the contract and the domain speak, without a schema library: a headless server has no use for
 * the schemas of the window and does not load them.
 */

/** Deployment tiers, GitLab's and in its order. */
export const tiers = ['production', 'staging', 'testing', 'development', 'other'] as const;
export type Tier = (typeof tiers)[number];

/** Scopes of a personal access token that mean something here. */
export const tokenScopeNames = [
  'api',
  'read_api',
  'read_user',
  'read_package_registry',
  'write_package_registry',
  'sudo',
  'admin_mode',
] as const;

/** What the path of a group and the name of a user consist of, and do not end in. */
export const namespacePath = {
  letters: /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/,
  refusedEnd: /(\.|\.git|\.atom)$/i,
} as const;

/** What the path of a project consists of, and does not end in. */
export const projectPath = {
  letters: /^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/,
  refusedEnd: /(\.git|\.atom)$/i,
} as const;

export const minPasswordLength = 8;

/** Characters of a deprecation message, at most. */
export const longestDeprecation = 4096;

/** The kinds of dependencies of a manifest that are shown. */
export const dependencyKinds = ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'] as const;

/**
 * Access levels as GitLab numbers them. A membership is 10 to 50; a deploy rule is 30, 40 or 60, where 60
 * means administrators and is never a membership.
 */
export const accessLevels = {
  none: 0,
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  admin: 60,
} as const;

/** What a membership can be, as GitLab numbers it. */
export const memberLevels = [10, 15, 20, 30, 40, 50] as const;
export type MemberLevel = (typeof memberLevels)[number];

/** Names people know the levels by; shown in the window and in messages. */
export const levelNames: Readonly<Record<number, string>> = {
  0: 'No access',
  10: 'Guest',
  15: 'Planner',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
  60: 'Admin',
};

/** What a rule of deployment can ask for. */
export const ruleLevels = [30, 40, 60] as const;

/** Who can see a group or project. */
export const visibilities = ['private', 'internal', 'public'] as const;

/** The names of everything that any version puts into a data folder. Anything else there is not Gatehouse's. */
export const dataFolderEntry =
  /^(?:gatehouse-folder\.json(?:\.[0-9a-f-]{36})?|gatehouse\.(?:db|db-wal|db-shm|db-journal|lock|lock-journal|turn)|gatehouse-temporary|tmp|tarballs|snapshots|quarantine|backups|commits\.log|server\.json|initial_root_token(?:\.[0-9a-f-]+(?:\.tmp)?)?|upstream\.key|control\.sock|\.write-probe-\d+|\.gatehouse-move)$/;

/** The kinds of changes, each with the first words of its actions; every other action is of the kind `registry`. */
export const changeKinds = {
  packages: ['package', 'tag', 'tarball', 'release'],
  environments: ['environment', 'guard'],
  people: ['user', 'group', 'project', 'member', 'share', 'token'],
  upstream: ['upstream', 'outbox', 'offline', 'bundles'],
  registry: [],
} as const;
export type ChangeKind = keyof typeof changeKinds;

/** The `error` of a change of the outbox that a person skipped. */
export const skippedByPerson = 'Not sent: the registry keeps what it has.';

/** A token as changes record it and lists are searched for it: by its name and the end of its secret, as two may have one name. */
export const tokenLabel = ({ name, hint }: { readonly name: string; readonly hint: string }): string =>
  `${name} …${hint}`;

/** Whether a text that is searched for is the label of a token. */
export const isTokenLabel = (text: string): boolean => /^.+ …\S{4}$/.test(text);
