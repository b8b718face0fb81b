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

/** The kinds of dependencies of a manifest that are shown. */
export const dependencyKinds = ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'] as const;
