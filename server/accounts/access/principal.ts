import { tokenScopeNames } from '../../contract/constants.ts';
import type { Visibility } from '../../contract/levels.ts';

/** Scopes of a personal access token that mean something here. */
export const tokenScopes = tokenScopeNames;
export type TokenScope = (typeof tokenScopes)[number];

/** A user as decisions need to know him or her. */
export interface Account {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  readonly state: 'active' | 'blocked';
  /** External people see of internal projects only those that they are members of; left out for false. */
  readonly external?: boolean;
}

export const anonymous = { kind: 'anonymous' } as const;

/** Whoever makes a request. `token` is null for the desktop window and the command line, which may do all that the user may. */
export type Principal =
  | typeof anonymous
  | {
      readonly kind: 'user';
      readonly user: Account;
      readonly token: { readonly id: number; readonly scopes: readonly TokenScope[] } | null;
    };

/** A project as decisions need to know it. */
export interface Project {
  readonly id: number;
  readonly namespaceId: number;
  readonly path: string;
  readonly fullPath: string;
  readonly name: string;
  readonly visibility: Visibility;
}

/** A group as decisions need to know it. */
export interface Group {
  readonly id: number;
  readonly parentId: number | null;
  readonly path: string;
  readonly fullPath: string;
  readonly name: string;
  readonly visibility: Visibility;
}
