import type { EffectiveLevel } from '../contract/levels.ts';
import { Authenticator } from './login/authenticator.ts';
import { dateOf } from '../lib/calendar.ts';
import type { Change, UnitOfWork } from './change.ts';
import type { DirectoryReader } from './directory-port.ts';
import type { DirectoryStore } from './directory-store.ts';
import { groupAndAncestors, levelOfUser } from './access/effective-access.ts';
import type { Principal } from './access/principal.ts';
import type { NamespaceRecord, ProjectRecord } from './records.ts';
import { Snapshot } from './snapshot.ts';

export interface DirectoryOptions {
  readonly store: DirectoryStore;
  readonly unit: UnitOfWork;
  readonly clock?: () => number;
}

/** Who is who and who may reach what, answered from memory. Changes go through `write`, which keeps the memory true. */
export class Directory implements DirectoryReader {
  readonly store: DirectoryStore;
  readonly #unit: UnitOfWork;
  readonly #clock: () => number;
  readonly #authenticator: Authenticator;
  #generation = 0;
  #snapshot: Snapshot | undefined;
  #snapshotDay = -1;

  constructor(options: DirectoryOptions) {
    this.store = options.store;
    this.#unit = options.unit;
    this.#clock = options.clock ?? Date.now;
    this.#authenticator = new Authenticator(options.store, options.unit, this.#clock);
  }

  get generation(): number {
    return this.#generation;
  }

  /** Milliseconds since 1970, from the clock that decides about expiry. */
  now(): number {
    return this.#clock();
  }

  /** The whole directory as it stands now; valid until the next change, so ask again rather than keep it. */
  get snapshot(): Snapshot {
    const now = this.#clock();
    const day = Math.floor(now / 86_400_000);
    if (!this.#snapshot || day !== this.#snapshotDay) {
      this.#snapshot = new Snapshot(this.store, dateOf(now));
      this.#snapshotDay = day;
    }
    return this.#snapshot;
  }

  /**
   * Runs a change of the directory as `UnitOfWork.write` does. The memory is dropped inside the transaction, so that works behind
   * this one in the same commit already see it, and once more if the change did not stand.
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

  /** Forgets what is in memory; for a work that changes the directory in steps and reads in between. */
  invalidate(): void {
    this.#generation += 1;
    this.#snapshot = undefined;
  }

  authenticate(token: string): Extract<Principal, { kind: 'user' }> {
    return this.#authenticator.authenticate(token, this.#generation);
  }

  /** Notes that a token was used, for callers that keep the answer of `authenticate` for the same generation and day. */
  noteTokenUse(tokenId: number): void {
    this.#authenticator.noteUse(tokenId, this.#clock());
  }

  findProject(reference: string | number): ProjectRecord | undefined {
    const id = idOf(reference);
    return id === undefined ? this.snapshot.projectByPath(String(reference)) : this.snapshot.projects.get(id);
  }

  findGroup(reference: string | number): NamespaceRecord | undefined {
    const id = idOf(reference);
    const namespace =
      id === undefined ? this.snapshot.namespaceByPath(String(reference)) : this.snapshot.namespaces.get(id);
    return namespace?.kind === 'group' ? namespace : undefined;
  }

  projectsOfGroup(groupId: number, options: { subgroups: boolean }): ProjectRecord[] {
    const { snapshot } = this;
    return [...snapshot.projects.values()].filter(
      (project) =>
        project.namespaceId === groupId ||
        (options.subgroups && groupAndAncestors(snapshot, project.namespaceId).includes(groupId)),
    );
  }

  allProjects(): ProjectRecord[] {
    return [...this.snapshot.projects.values()];
  }

  rootNamespaceOf(projectId: number): number {
    const namespace = this.snapshot.namespaceOf(projectId);
    return namespace ? (groupAndAncestors(this.snapshot, namespace.id).at(-1) ?? namespace.id) : 0;
  }

  projectLevel(userId: number, projectId: number): EffectiveLevel {
    const { snapshot } = this;
    return levelOfUser(snapshot, userId, projectId, (id) => snapshot.groupAccess(id).get(userId)?.level ?? 0);
  }

  groupLevel(userId: number, groupId: number): EffectiveLevel {
    return this.snapshot.groupAccess(groupId).get(userId)?.level ?? 0;
  }
}

function idOf(reference: string | number): number | undefined {
  if (typeof reference === 'number') return reference;
  return /^\d{1,15}$/.test(reference) ? Number(reference) : undefined;
}
