import type { AccessFacts, Grant } from './access/effective-access.ts';
import { grantsOfGroup, grantsOfProject, strongestGrants } from './access/effective-access.ts';
import type { DirectoryStore } from './directory-store.ts';
import type {
  ClaimRecord,
  Container,
  MemberRecord,
  NamespaceRecord,
  ProjectRecord,
  ShareRecord,
  UserRecord,
} from './records.ts';

/** The directory in memory, at one generation on one day. Each part is read from the store on first use and cached. */
export class DirectoryIndex implements AccessFacts {
  readonly #store: DirectoryStore;
  /** Today as YYYY-MM-DD (UTC): what expires on or before it has expired. */
  readonly today: string;
  #users: ReadonlyMap<number, UserRecord> | undefined;
  #namespaces: ReadonlyMap<number, NamespaceRecord> | undefined;
  #namespacesByPath: ReadonlyMap<string, NamespaceRecord> | undefined;
  #projects: ReadonlyMap<number, ProjectRecord> | undefined;
  #projectsByPath: ReadonlyMap<string, ProjectRecord> | undefined;
  #claims: ReadonlyMap<string, ClaimRecord> | undefined;
  readonly #members = new Map<Container['kind'], ReadonlyMap<number, MemberRecord[]>>();
  readonly #shares = new Map<Container['kind'], ReadonlyMap<number, ShareRecord[]>>();
  readonly #projectGrants = new Map<number, ReadonlyMap<number, Grant>>();
  readonly #groupGrants = new Map<number, ReadonlyMap<number, Grant>>();

  constructor(store: DirectoryStore, today: string) {
    this.#store = store;
    this.today = today;
  }

  get users(): ReadonlyMap<number, UserRecord> {
    return (this.#users ??= byId(this.#store.users.all()));
  }

  get namespaces(): ReadonlyMap<number, NamespaceRecord> {
    return (this.#namespaces ??= byId(this.#store.namespaces.all()));
  }

  get projects(): ReadonlyMap<number, ProjectRecord> {
    return (this.#projects ??= byId(this.#store.projects.all()));
  }

  /** By name, which is in the form of `comparableName`. */
  get claims(): ReadonlyMap<string, ClaimRecord> {
    return (this.#claims ??= new Map(this.#store.claims.all().map((claim) => [claim.name, claim])));
  }

  namespaceByPath(fullPath: string): NamespaceRecord | undefined {
    this.#namespacesByPath ??= byFullPath(this.namespaces.values());
    return this.#namespacesByPath.get(fullPath.toLowerCase());
  }

  projectByPath(fullPath: string): ProjectRecord | undefined {
    this.#projectsByPath ??= byFullPath(this.projects.values());
    return this.#projectsByPath.get(fullPath.toLowerCase());
  }

  parentOf(groupId: number): number | null {
    return this.namespaces.get(groupId)?.parentId ?? null;
  }

  namespaceOf(projectId: number): NamespaceRecord | undefined {
    const project = this.projects.get(projectId);
    return project && this.namespaces.get(project.namespaceId);
  }

  membersOf(container: Container): readonly MemberRecord[] {
    const members = getOrCompute(this.#members, container.kind, () =>
      byContainer(this.#store.members.all(container.kind).filter((member) => this.#isValid(member))),
    );
    return members.get(container.id) ?? [];
  }

  sharesOf(container: Container): readonly ShareRecord[] {
    const shares = getOrCompute(this.#shares, container.kind, () =>
      byContainer(this.#store.shares.all(container.kind).filter((share) => this.#isValid(share))),
    );
    return shares.get(container.id) ?? [];
  }

  /** The strongest grant of everyone who has access to a project. */
  projectAccess(projectId: number): ReadonlyMap<number, Grant> {
    return getOrCompute(this.#projectGrants, projectId, () => strongestGrants(grantsOfProject(this, projectId)));
  }

  /** The strongest grant of everyone who has access to a group. */
  groupAccess(groupId: number): ReadonlyMap<number, Grant> {
    return getOrCompute(this.#groupGrants, groupId, () => strongestGrants(grantsOfGroup(this, groupId)));
  }

  #isValid(record: { readonly expiresOn: string | null }): boolean {
    return record.expiresOn === null || record.expiresOn > this.today;
  }
}

function byId<T extends { readonly id: number }>(records: readonly T[]): ReadonlyMap<number, T> {
  return new Map(records.map((record) => [record.id, record]));
}

function byFullPath<T extends { readonly fullPath: string }>(records: Iterable<T>): ReadonlyMap<string, T> {
  return new Map(Array.from(records, (record) => [record.fullPath.toLowerCase(), record]));
}

function byContainer<T extends { readonly container: Container }>(records: readonly T[]): ReadonlyMap<number, T[]> {
  return Map.groupBy(records, (record) => record.container.id);
}

function getOrCompute<K, V>(cache: Map<K, V>, key: K, compute: () => V): V {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = compute();
  cache.set(key, value);
  return value;
}
