import { GatehouseError } from '../contract/errors.ts';
import type { EffectiveLevel } from '../contract/levels.ts';
import { Authenticator } from './login/authenticator.ts';
import { dateOf, dayLength } from '../lib/calendar.ts';
import type { Actor, Change, UnitOfWork } from './change.ts';
import type { DirectoryStore } from './directory-store.ts';
import { groupAndAncestors, levelOfUser } from './access/effective-access.ts';
import type { Principal } from './access/principal.ts';
import { comparableName } from './naming.ts';
import type { ClaimRecord, NamespaceRecord, ProjectRecord, UserRecord } from './records.ts';
import { DirectoryIndex } from './directory-index.ts';

export interface DirectoryOptions {
  readonly store: DirectoryStore;
  readonly unit: UnitOfWork;
  readonly clock?: () => number;
}

/** Who is who and who may reach what, answered from memory. Changes go through `write`, which drops what is in memory. */
export class Directory {
  readonly store: DirectoryStore;
  readonly #unit: UnitOfWork;
  readonly #clock: () => number;
  readonly #authenticator: Authenticator;
  #generation = 0;
  #index: DirectoryIndex | undefined;
  #indexDay = -1;

  constructor(options: DirectoryOptions) {
    this.store = options.store;
    this.#unit = options.unit;
    this.#clock = options.clock ?? Date.now;
    this.#authenticator = new Authenticator(options.store, options.unit, this.#clock);
  }

  /** Grows with every change of users, groups, projects, members, shares or tokens: caches compare it. */
  get generation(): number {
    return this.#generation;
  }

  /** Milliseconds since 1970, from the clock that decides about expiry. */
  now(): number {
    return this.#clock();
  }

  /** The whole directory as of now. Valid until the next change: read it again instead of storing it. */
  get index(): DirectoryIndex {
    const now = this.#clock();
    const day = Math.floor(now / dayLength);
    if (!this.#index || day !== this.#indexDay) {
      this.#index = new DirectoryIndex(this.store, dateOf(now));
      this.#indexDay = day;
    }
    return this.#index;
  }

  /**
   * Runs a change of the directory as `UnitOfWork.write` does. The index is dropped inside the transaction, for the next work of the
   * same commit, and again if the change was rolled back.
   */
  async write<T>(work: (change: Change) => T): Promise<T> {
    try {
      return await this.#unit.write((change) => {
        try {
          return work(change);
        } finally {
          this.invalidate();
        }
      });
    } catch (error) {
      this.invalidate();
      throw error;
    }
  }

  /** Drops the index; for a work that changes the directory in steps and reads in between. */
  invalidate(): void {
    this.#generation += 1;
    this.#index = undefined;
  }

  /**
   * The owner of a token.
   * @throws GatehouseError `unauthenticated` (unknown), `token_expired`, `token_revoked` or `account_blocked`.
   */
  authenticate(token: string): Extract<Principal, { kind: 'user' }> {
    return this.#authenticator.authenticate(token, this.#generation);
  }

  /** When a token was used last, if that was since the start. */
  lastUseOfToken(tokenId: number): number | undefined {
    return this.#authenticator.lastUse(tokenId);
  }

  /** Notes a use of a token, for callers that cache the answer of `authenticate` for the same generation and day. */
  noteTokenUse(tokenId: number): void {
    this.#authenticator.noteUse(tokenId, this.#clock());
  }

  /** A project by id or by full path in letters of either case. */
  findProject(reference: string | number): ProjectRecord | undefined {
    const id = idOf(reference);
    return id === undefined ? this.index.projectByPath(String(reference)) : this.index.projects.get(id);
  }

  /** A group by id or by full path in letters of either case. */
  findGroup(reference: string | number): NamespaceRecord | undefined {
    const id = idOf(reference);
    const namespace = id === undefined ? this.index.namespaceByPath(String(reference)) : this.index.namespaces.get(id);
    return namespace?.kind === 'group' ? namespace : undefined;
  }

  /** Whether a change is made by an administrator; the window, the command line and the registry itself are such. */
  isAdministrator({ origin, userId }: Actor): boolean {
    return origin !== 'http' || (userId !== null && this.index.users.get(userId)?.isAdmin === true);
  }

  /** For changes, which read the store. @throws GatehouseError `user_not_found`. */
  requireUser(id: number): UserRecord {
    const user = this.store.users.find(id);
    if (!user) throw new GatehouseError('user_not_found');
    return user;
  }

  /** As `requireUser`. @throws GatehouseError `group_not_found`. */
  requireGroup(id: number): NamespaceRecord {
    const group = this.store.namespaces.find(id);
    if (group?.kind !== 'group') throw new GatehouseError('group_not_found');
    return group;
  }

  projectsOfGroup(groupId: number, options: { subgroups: boolean }): ProjectRecord[] {
    const { index } = this;
    return [...index.projects.values()].filter(
      (project) =>
        project.namespaceId === groupId ||
        (options.subgroups && groupAndAncestors(index, project.namespaceId).includes(groupId)),
    );
  }

  allProjects(): ProjectRecord[] {
    return [...this.index.projects.values()];
  }

  /** The topmost namespace above a project: a package version may exist only once below it. */
  rootNamespaceOf(projectId: number): number {
    const namespace = this.index.namespaceOf(projectId);
    return namespace ? (groupAndAncestors(this.index, namespace.id).at(-1) ?? namespace.id) : 0;
  }

  /** The claim that covers a package name: its own, else that of its scope. */
  claimOf(name: string): ClaimRecord | undefined {
    const [scope, own] = scopeAndName(name);
    return this.index.claims.get(own) ?? (scope === undefined ? undefined : this.index.claims.get(scope));
  }

  /**
   * The top namespace that owns a package name at shared prefixes: by a claim, else the one whose path is the
   * scope. Undefined where the first publish decides.
   */
  ownerOfName(name: string): number | undefined {
    const [scope, own] = scopeAndName(name);
    const { index } = this;
    const claimed = index.claims.get(own)?.namespaceId;
    if (typeof claimed === 'number' || scope === undefined) return claimed ?? undefined;
    return index.claims.get(scope)?.namespaceId ?? index.namespaceByPath(scope.slice(1))?.id;
  }

  /** Whether an administrator made a top namespace, gave it a claim, or is the user whose it is. */
  isConfirmed(namespaceId: number): boolean {
    const ownerId = this.index.namespaces.get(namespaceId)?.ownerId ?? null;
    if (ownerId !== null && this.index.users.get(ownerId)?.isAdmin === true) return true;
    return [...this.index.claims.values()].some((claim) => claim.namespaceId === namespaceId);
  }

  /** Effective access of a user in a project: direct, inherited and through shares; 0 for none. */
  projectLevel(userId: number, projectId: number): EffectiveLevel {
    const { index } = this;
    return levelOfUser(index, userId, projectId, (id) => index.groupAccess(id).get(userId)?.level ?? 0);
  }

  /** Effective access of a user in a group; 0 for none. */
  groupLevel(userId: number, groupId: number): EffectiveLevel {
    return this.index.groupAccess(groupId).get(userId)?.level ?? 0;
  }
}

/** The scope of a package name, with its at sign, and the whole name, both to be compared. */
function scopeAndName(name: string): [scope: string | undefined, name: string] {
  const own = comparableName(name);
  return [own.startsWith('@') ? own.split('/', 1)[0] : undefined, own];
}

function idOf(reference: string | number): number | undefined {
  if (typeof reference === 'number') return reference;
  return /^\d{1,15}$/.test(reference) ? Number(reference) : undefined;
}
