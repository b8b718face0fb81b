import { tokenLabel, tokenScopeNames } from '../../contract/constants.ts';
import type { Visibility } from '../../contract/levels.ts';

/** Scopes that a personal access token can have. */
export const tokenScopes = tokenScopeNames;
export type TokenScope = (typeof tokenScopes)[number];

/** The part of a user that access decisions need. */
export interface Account {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  readonly state: 'active' | 'blocked';
  /** External users see only the internal projects that they are members of. Default: false. */
  readonly external?: boolean;
}

/** The part of an actor that names the token of a caller. */
export function namedToken(caller: Principal): { readonly token?: string } {
  return caller.kind === 'user' && caller.token ? { token: tokenLabel(caller.token) } : {};
}

export const anonymous = { kind: 'anonymous' } as const;

/** The token of a caller; by its name and hint its owner knows it. */
interface UsedToken {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly TokenScope[];
}

/** The caller of a request. `token` is null for the desktop window and the command line, which are not limited by scopes. */
export type Principal =
  | typeof anonymous
  | {
      readonly kind: 'user';
      readonly user: Account;
      readonly token: UsedToken | null;
    };

/** The part of a project that access decisions need. */
export interface Project {
  readonly id: number;
  readonly namespaceId: number;
  readonly path: string;
  readonly fullPath: string;
  readonly name: string;
  readonly visibility: Visibility;
}
