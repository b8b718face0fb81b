import type { MemberLevel } from '../contract/levels.ts';
import type {
  ClaimRecord,
  Container,
  MemberRecord,
  NamespaceRecord,
  ProjectRecord,
  ShareRecord,
  TokenRecord,
  UserRecord,
} from './records.ts';
import type { TokenScope } from './access/principal.ts';

/**
 * What the directory needs of its storage. Every call is synchronous; changes are made inside `UnitOfWork.write` only. The caller checks
 * uniqueness first; the schema guards it.
 */
export interface DirectoryStore {
  readonly users: UserStore;
  readonly namespaces: NamespaceStore;
  readonly projects: ProjectStore;
  readonly members: MemberStore;
  readonly shares: ShareStore;
  readonly tokens: TokenStore;
  readonly claims: ClaimStore;
}

export interface UserStore {
  all(): UserRecord[];
  find(id: number): UserRecord | undefined;
  findByUsername(username: string): UserRecord | undefined;
  findByEmail(email: string): UserRecord | undefined;
  passwordHashOf(id: number): string | null;
  insert(user: Omit<UserRecord, 'id'> & { readonly passwordHash: string | null }): number;
  update(user: UserRecord): void;
  setPasswordHash(id: number, passwordHash: string): void;
  delete(id: number): void;
}

export interface NamespaceStore {
  all(): NamespaceRecord[];
  find(id: number): NamespaceRecord | undefined;
  findByFullPath(fullPath: string): NamespaceRecord | undefined;
  findPersonal(userId: number): NamespaceRecord | undefined;
  insert(namespace: Omit<NamespaceRecord, 'id'>): number;
  update(namespace: NamespaceRecord): void;
  /** The group that once had a full path which none has now. */
  findMoved(oldFullPath: string): NamespaceRecord | undefined;
  /** The namespaces that projects with packages of a scope live in, letters of either case being equal. */
  withScope(scope: string): number[];
  /** Rewrites the full paths of everything below a namespace whose own full path changed; old full paths are stored. */
  moveBelow(oldFullPath: string, newFullPath: string): void;
  delete(id: number): void;
}

export interface ClaimStore {
  /** By name. */
  all(): ClaimRecord[];
  /** Adds a claim or replaces the one of this name. */
  put(claim: ClaimRecord): void;
  delete(name: string): void;
}

export interface ProjectStore {
  all(): ProjectRecord[];
  find(id: number): ProjectRecord | undefined;
  findByFullPath(fullPath: string): ProjectRecord | undefined;
  /** The project that once had a full path which no project has now. */
  findMoved(oldFullPath: string): ProjectRecord | undefined;
  /** Packages of other projects that have the name of one of this project and came after it. */
  laterPackages(id: number): { readonly name: string; readonly projectId: number }[];
  countOfCreator(userId: number): number;
  insert(project: Omit<ProjectRecord, 'id'>): number;
  /** Stores the old full path if it changes. */
  update(project: ProjectRecord): void;
  delete(id: number): void;
}

export interface MemberStore {
  /** Every membership of one kind of container. */
  all(kind: Container['kind']): MemberRecord[];
  find(container: Container, userId: number): MemberRecord | undefined;
  /** How many groups a user is an Owner of, as a member of the group itself. */
  countOwnedGroups(userId: number): number;
  insert(member: MemberRecord): void;
  update(container: Container, userId: number, level: MemberLevel, expiresOn: string | null): void;
  delete(container: Container, userId: number): void;
}

export interface ShareStore {
  all(kind: Container['kind']): ShareRecord[];
  find(container: Container, groupId: number): ShareRecord | undefined;
  insert(share: Omit<ShareRecord, 'id'>): number;
  update(container: Container, groupId: number, level: MemberLevel, expiresOn: string | null): void;
  delete(container: Container, groupId: number): void;
}

export interface NewToken {
  readonly userId: number;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly TokenScope[];
  readonly sha256: Buffer;
  readonly hint: string;
  readonly createdAt: number;
  readonly expiresOn: string | null;
}

export interface TokenStore {
  /** Newest last; of one user, or of all. */
  list(userId?: number): TokenRecord[];
  find(id: number): TokenRecord | undefined;
  findBySha256(sha256: Buffer): TokenRecord | undefined;
  insert(token: NewToken): number;
  revoke(id: number, at: number): void;
  /** Deletes all but the newest `kept` of a user's tokens that are revoked or expire on `day` or before. */
  deleteEnded(userId: number, day: string, kept: number): void;
  touch(id: number, lastUsedAt: number): void;
}
