import type { Directory } from '../accounts/directory.ts';
import { comparableName } from '../accounts/naming.ts';
import type { ClaimRecord } from '../accounts/records.ts';
import type { EventBus } from '../lib/event-bus.ts';
import type { NamedPackage, PackageRow, PackageStore } from './package-store.ts';

type OwnerStore = Pick<
  PackageStore,
  'contestedPackages' | 'packagesNamed' | 'projectWithSameVersion' | 'scopesOfProjects'
>;

/**
 * Decides whose package a name means at the group and instance prefixes, so that tenants cannot shadow each other. A name has one owner
 * there, a top namespace: the one that claimed it or its scope, else the one whose path is the scope, else the first that published it.
 * Everything that finds a package by name across projects asks here.
 */
export class NameOwners {
  readonly #directory: Directory;
  readonly #store: OwnerStore;
  #contested: { readonly generation: number; readonly packages: readonly NamedPackage[][] } | undefined;

  constructor(directory: Directory, store: OwnerStore, events: Pick<EventBus, 'subscribe'>) {
    this.#directory = directory;
    this.#store = store;
    events.subscribe((event) => {
      if (event.topic !== 'packages.changed') return;
      const { change } = event.payload;
      if (change === 'published' || change === 'unpublished') this.#contested = undefined;
    });
  }

  /** Of the packages of one name that a caller may read, by id: those of its owner. */
  select<Row extends Pick<PackageRow, 'name' | 'projectId'>>(readable: readonly Row[]): Row[] {
    const [first] = readable;
    if (!first) return [];
    const directory = this.#directory;
    const owner = directory.ownerOfName(first.name) ?? directory.rootNamespaceOf(first.projectId);
    return readable.filter((row) => directory.rootNamespaceOf(row.projectId) === owner);
  }

  /**
   * As `select`, where any account could have put packages among the rows: the trusted ones come first, and the others count only if no
   * other registry may have the name.
   */
  selectTrusted(rows: readonly PackageRow[], isTrusted: (row: PackageRow) => boolean, mayBeElsewhere: boolean) {
    const [first] = rows;
    const selected = this.select([...rows.filter(isTrusted), ...rows.filter((row) => !isTrusted(row))]);
    return first && mayBeElsewhere && !this.claimOf(first.name) ? selected.filter(isTrusted) : selected;
  }

  /** Whether a project is below a top namespace that an administrator confirmed. */
  isConfirmed(projectId: number): boolean {
    return this.#directory.isConfirmed(this.#directory.rootNamespaceOf(projectId));
  }

  /** The claim that makes a name local for everybody; undefined if there is none. */
  claimOf(name: string): ClaimRecord | undefined {
    return this.#directory.claimOf(name);
  }

  /** The packages of a name in all projects below the same top namespace, which its shared address shows as one. */
  packagesBeside(projectId: number, name: string): PackageRow[] {
    const root = this.#directory.rootNamespaceOf(projectId);
    return this.#store.packagesNamed(name).filter((row) => this.#directory.rootNamespaceOf(row.projectId) === root);
  }

  /**
   * The other project below the same top namespace that has this version. Names that follow the scope convention, whose scope is the path
   * of that namespace, have one project for each version; others may stand in any number of projects.
   */
  otherProjectWith(projectId: number, name: string, version: string): number | undefined {
    const root = this.#directory.rootNamespaceOf(projectId);
    const path = this.#directory.index.namespaces.get(root)?.path ?? '';
    if (!comparableName(name).startsWith(comparableName(`@${path}/`))) return undefined;
    return this.#store.projectWithSameVersion(root, projectId, name, version);
  }

  /** Ids of the packages that lists and searches over these projects leave out, since another namespace owns their name. */
  hiddenIn(projectIds: readonly number[]): ReadonlySet<number> {
    const readable = new Set(projectIds);
    const hidden = new Set<number>();
    for (const packages of this.#contestedPackages()) {
      const rows = packages.filter(({ projectId }) => readable.has(projectId));
      const shown = new Set(this.select(rows));
      for (const row of rows) if (!shown.has(row)) hidden.add(row.packageId);
    }
    return hidden;
  }

  /** Packages whose name another namespace has or owns, by name; few, and the same until packages or namespaces change. */
  #contestedPackages(): readonly NamedPackage[][] {
    const { generation, index } = this.#directory;
    if (this.#contested?.generation !== generation) {
      const foreignScopes = this.#store.scopesOfProjects().filter(({ scope, projectId }) => {
        const owner = this.#directory.ownerOfName(`${scope}/`);
        return owner !== undefined && owner !== this.#directory.rootNamespaceOf(projectId);
      });
      const claimed = [...index.claims.values()].filter(({ namespaceId }) => namespaceId !== null);
      const names = claimed.map(({ name }) => name).filter((name) => !name.startsWith('@') || name.includes('/'));
      const rows = this.#store.contestedPackages(foreignScopes, names);
      this.#contested = { generation, packages: [...Map.groupBy(rows, ({ name }) => name).values()] };
    }
    return this.#contested.packages;
  }
}
