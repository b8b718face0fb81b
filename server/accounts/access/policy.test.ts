import { describe, expect, it } from 'vitest';
import type { EffectiveLevel, Visibility } from '../../contract/levels.ts';
import { type Action, decide, decideInstance } from './policy.ts';
import { anonymous, type Principal, type TokenScope } from './principal.ts';

function signedIn(
  options: { admin?: boolean; blocked?: boolean; external?: boolean; scopes?: TokenScope[] | null } = {},
): Principal {
  const scopes = options.scopes === undefined ? (['api'] as const) : options.scopes;
  return {
    kind: 'user',
    user: {
      id: 7,
      username: 'ann',
      name: 'Ann',
      email: 'ann@example.org',
      isAdmin: options.admin ?? false,
      state: options.blocked ? 'blocked' : 'active',
      external: options.external ?? false,
    },
    token: scopes && { id: 1, name: 'test', hint: 'abcd', scopes },
  };
}

function outcome(action: Action, principal: Principal, level: EffectiveLevel, visibility?: Visibility): string {
  const decision = decide(action, { principal, level, visibility });
  return decision.allowed ? 'yes' : decision.code;
}

const levels: EffectiveLevel[] = [0, 10, 15, 20, 30, 40, 50];
const lost = 'container_not_found';
const no = 'forbidden';

/** Outcome for no access, Guest, Planner, Reporter, Developer, Maintainer and Owner. */
const table: [Action, Visibility, string[]][] = [
  ['packages.read', 'private', [lost, 'yes', 'yes', 'yes', 'yes', 'yes', 'yes']],
  ['packages.read', 'internal', ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes']],
  ['packages.read', 'public', ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes']],
  ['packages.publish', 'private', [lost, no, no, no, 'yes', 'yes', 'yes']],
  ['packages.publish', 'public', [no, no, no, no, 'yes', 'yes', 'yes']],
  ['packages.set_tag', 'private', [lost, no, no, no, 'yes', 'yes', 'yes']],
  ['packages.remove_tag', 'private', [lost, no, no, no, no, 'yes', 'yes']],
  ['packages.deprecate', 'internal', [no, no, no, no, no, 'yes', 'yes']],
  ['packages.unpublish', 'private', [lost, no, no, no, no, 'yes', 'yes']],
  ['packages.delete', 'public', [no, no, no, no, no, 'yes', 'yes']],
  ['environments.read', 'private', [lost, no, no, 'yes', 'yes', 'yes', 'yes']],
  ['environments.read', 'public', ['yes', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes']],
  ['environments.create', 'private', [lost, no, no, no, 'yes', 'yes', 'yes']],
  ['protected_environments.read', 'private', [lost, no, no, no, no, 'yes', 'yes']],
  ['protected_environments.write', 'public', [no, no, no, no, no, 'yes', 'yes']],
  ['group_protected_environments.write', 'private', [lost, no, no, no, no, no, 'yes']],
  ['guards.read', 'private', [lost, no, no, 'yes', 'yes', 'yes', 'yes']],
  ['guards.write', 'public', [no, no, no, no, no, 'yes', 'yes']],
  ['project.delete', 'private', [lost, no, no, no, no, no, 'yes']],
  ['project.manage_members', 'private', [lost, no, no, no, no, 'yes', 'yes']],
  ['group.manage_members', 'private', [lost, no, no, no, no, no, 'yes']],
  ['group.create_project', 'private', [lost, no, no, no, 'yes', 'yes', 'yes']],
];

describe('decide', () => {
  it.each(table)('%s in a %s container, by role', (action, visibility, expected) => {
    expect(levels.map((level) => outcome(action, signedIn(), level, visibility))).toEqual(expected);
  });

  it.each<[Action, (Visibility | undefined)[], string[]]>([
    [
      'packages.read',
      [undefined, 'private', 'internal', 'public'],
      ['unauthenticated', 'unauthenticated', 'unauthenticated', 'yes'],
    ],
    ['packages.publish', [undefined, 'private', 'public'], ['unauthenticated', 'unauthenticated', 'unauthenticated']],
    ['protected_environments.read', [undefined, 'private', 'internal', 'public'], [lost, lost, lost, no]],
    ['environments.read', [undefined, 'private', 'public'], ['unauthenticated', 'unauthenticated', 'unauthenticated']],
    ['guards.read', [undefined, 'private', 'public'], ['unauthenticated', 'unauthenticated', 'unauthenticated']],
    ['project.read', [undefined, 'private', 'public'], ['unauthenticated', 'unauthenticated', 'yes']],
  ])('%s without a token', (action, visibilities, expected) => {
    expect(visibilities.map((visibility) => outcome(action, anonymous, 0, visibility))).toEqual(expected);
  });

  it.each<[TokenScope[] | null, string, string, string, string]>([
    // scopes, packages.read, packages.publish, environments.read, protected_environments.write
    [null, 'yes', 'yes', 'yes', 'yes'],
    [['api'], 'yes', 'yes', 'yes', 'yes'],
    [['read_api'], 'yes', 'insufficient_scope', 'yes', 'insufficient_scope'],
    [['read_package_registry'], 'yes', 'insufficient_scope', 'insufficient_scope', 'insufficient_scope'],
    [['write_package_registry'], 'yes', 'yes', 'insufficient_scope', 'insufficient_scope'],
    [['read_user'], 'insufficient_scope', 'insufficient_scope', 'insufficient_scope', 'insufficient_scope'],
    [['sudo', 'api'], 'yes', 'yes', 'yes', 'yes'],
  ])('with the scopes %j', (scopes, read, publish, environments, protect) => {
    const principal = signedIn({ scopes });
    expect(outcome('packages.read', principal, 50, 'private')).toBe(read);
    expect(outcome('packages.publish', principal, 50, 'private')).toBe(publish);
    expect(outcome('environments.read', principal, 50, 'private')).toBe(environments);
    expect(outcome('protected_environments.write', principal, 50, 'private')).toBe(protect);
  });

  it('tells a scope that is too small before anything about the project', () => {
    expect(outcome('packages.publish', signedIn({ scopes: ['read_api'] }), 0, undefined)).toBe('insufficient_scope');
  });

  it('lets administrators do everything with what exists', () => {
    expect(outcome('project.delete', signedIn({ admin: true }), 0, 'private')).toBe('yes');
    expect(outcome('project.delete', signedIn({ admin: true }), 0, undefined)).toBe(lost);
  });

  it('refuses blocked users, and hides internal projects from external ones', () => {
    expect(outcome('packages.read', signedIn({ blocked: true, admin: true }), 50, 'public')).toBe('account_blocked');
    expect(outcome('packages.read', signedIn({ external: true }), 0, 'internal')).toBe(lost);
    expect(outcome('packages.read', signedIn({ external: true }), 10, 'internal')).toBe('yes');
  });
});

describe('decideInstance', () => {
  it('asks for a token, its scope, and an administrator where one is needed', () => {
    expect(decideInstance('read', anonymous)).toEqual({ allowed: false, code: 'unauthenticated' });
    expect(decideInstance('read_users', signedIn({ scopes: ['read_user'] }))).toEqual({ allowed: true });
    expect(decideInstance('write', signedIn({ scopes: ['read_api'] }))).toMatchObject({ code: 'insufficient_scope' });
    expect(decideInstance('administrate', signedIn())).toEqual({ allowed: false, code: 'forbidden' });
    expect(decideInstance('administrate', signedIn({ admin: true }))).toEqual({ allowed: true });
  });
});
