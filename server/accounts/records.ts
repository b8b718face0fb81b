import type { MemberLevel, Visibility } from '../contract/levels.ts';
import type { Account, Project, TokenScope } from './access/principal.ts';

/** Times in all records are milliseconds since 1970; `…On` is a date as YYYY-MM-DD (UTC) and its day no longer counts. */
export interface UserRecord extends Account {
  readonly external: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A group, or the personal namespace that every user has; both draw from one sequence of ids, as in GitLab. */
export interface NamespaceRecord {
  readonly id: number;
  readonly parentId: number | null;
  readonly path: string;
  readonly fullPath: string;
  readonly name: string;
  readonly visibility: Visibility;
  readonly kind: 'group' | 'user';
  /** The user whose personal namespace this is; null for groups. */
  readonly ownerId: number | null;
  readonly description: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface ProjectRecord extends Project {
  readonly description: string;
  readonly creatorId: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A scope (`@acme`) or package name that is local to this registry, in the form of `comparableName`. */
export interface ClaimRecord {
  readonly name: string;
  /** The top namespace that owns it; null for none. */
  readonly namespaceId: number | null;
  readonly createdAt: number;
  /** Who claimed it, as the audit trail names people. */
  readonly createdBy: string;
}

/** What people are members of and what groups are invited to. */
export interface Container {
  readonly kind: 'project' | 'group';
  readonly id: number;
}

export interface MemberRecord {
  readonly container: Container;
  readonly userId: number;
  readonly level: MemberLevel;
  readonly createdBy: number | null;
  readonly createdAt: number;
  readonly expiresOn: string | null;
}

/** An invitation of a whole group; its members get the smaller of their role there and `level`. */
export interface ShareRecord {
  readonly id: number;
  /** What the group is invited to. */
  readonly container: Container;
  readonly groupId: number;
  readonly level: MemberLevel;
  readonly createdAt: number;
  readonly expiresOn: string | null;
}

/** A personal access token. Of the secret only the SHA-256 is stored. */
export interface TokenRecord {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly TokenScope[];
  /** The last characters of the secret, to tell tokens apart. */
  readonly hint: string;
  readonly createdAt: number;
  readonly expiresOn: string | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}
