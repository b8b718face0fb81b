import { GatehouseError } from '../contract/errors.ts';
import type { Actor } from '../accounts/change.ts';
import type { PackageRow, PackageStore } from './package-store.ts';
import { computedLatest, isSameVersion } from './package-version.ts';

/** How a change touches a dist-tag: it moves it, or changes the version that it points at. */
export type TagAct = 'publish' | 'set' | 'remove' | 'deprecate' | 'unpublish';

export interface TagChange {
  /** The project whose guards decide. */
  readonly projectId: number;
  readonly packageName: string;
  readonly tag: string;
  readonly act: TagAct;
  readonly actor: Actor;
}

/** What decides who may touch which dist-tags, besides roles. Asked inside the write, so that the rules of that moment count. */
export interface TagGuard {
  isGuarded(projectId: number, tag: string): boolean;
  /** @throws GatehouseError `tag_guarded`. */
  requireAllowed(change: TagChange): void;
}

/** A package of a project, there or about to be. */
type Package = Pick<PackageRow, 'projectId' | 'name'> & { readonly id?: number };

export interface TagChecksOptions {
  readonly store: Pick<PackageStore, 'findVersion' | 'tagsOf' | 'versionNames'>;
  readonly guard: TagGuard;
  /** Packages of the same name in other projects, which shared prefixes show merged with it. */
  readonly packagesBeside: (row: Package) => readonly PackageRow[];
}

/** Dist-tags that a change moves in one project. */
export interface TouchedTags {
  readonly projectId: number;
  readonly packageName: string;
  readonly tags: readonly string[];
}

/** Finds the dist-tags that a change touches, the computed `latest` among them, and asks the guard about each. */
export class TagChecks {
  readonly #options: TagChecksOptions;

  constructor(options: TagChecksOptions) {
    this.#options = options;
  }

  /** The same for a release that has every approval: whoever completes it may make it. */
  approved(): TagChecks {
    const { guard } = this.#options;
    const approved: TagGuard = {
      isGuarded: (projectId, tag) => guard.isGuarded(projectId, tag),
      requireAllowed: () => undefined,
    };
    return new TagChecks({ ...this.#options, guard: approved });
  }

  /** For one tag that is set. @throws GatehouseError `tag_guarded`. */
  requireSet(row: Package, tag: string, actor: Actor): void {
    this.#require(this.touchedBySet(row, tag), 'set', actor);
  }

  /** At shared prefixes the newest change of a tag wins, in whichever project it was made. */
  touchedBySet(row: Package, tag: string): TouchedTags[] {
    return this.#shown(row).map((each) => touched(each, [tag]));
  }

  /** For one tag that is removed, also where an older one of another project is shown then. @throws GatehouseError `tag_guarded`. */
  requireRemove(row: Package, tag: string, actor: Actor): void {
    const rows = this.#shownOf(row, [tag]).length > 0 ? this.#shown(row) : [row];
    this.#require(
      rows.map((each) => touched(each, [tag])),
      'remove',
      actor,
    );
  }

  /** For a version that is published with some tags. @throws GatehouseError `tag_guarded`. */
  requirePublish(row: Package, version: string, tags: readonly string[], actor: Actor): void {
    this.#require(this.touchedByPublish(row, version, tags), 'publish', actor);
  }

  /** The tags that a publish names, and `latest` where it is guarded and the version becomes the computed one. */
  touchedByPublish(row: Package, version: string, tags: readonly string[]): TouchedTags[] {
    const shown = this.#shown(row);
    return shown.map((each) => {
      const touchesLatest =
        !tags.includes('latest') &&
        this.#options.guard.isGuarded(each.projectId, 'latest') &&
        this.#computedLatest(each === row ? [row] : shown, [version]) === version;
      return touched(each, touchesLatest ? [...tags, 'latest'] : tags);
    });
  }

  /** For versions that are deprecated or removed, by what points at them. @throws GatehouseError `tag_guarded`. */
  requireVersions(
    row: PackageRow,
    versions: readonly string[],
    act: Extract<TagAct, 'deprecate' | 'unpublish'>,
    actor: Actor,
  ): void {
    const { store, guard } = this.#options;
    const isTouched = (version: string | undefined): boolean =>
      version !== undefined && versions.some((each) => isSameVersion(each, version));
    const own = store.tagsOf(row.id).flatMap(({ tag, version }) => (isTouched(version) ? [tag] : []));
    const shown = this.#shown(row);
    const elsewhere = shown.length > 1 ? this.#shownOf(row, own) : [];
    const touches = shown.map((each) => {
      const tags = each === row ? own : elsewhere;
      const touchesLatest =
        guard.isGuarded(each.projectId, 'latest') && isTouched(this.#computedLatest(each === row ? [row] : shown));
      return touched(each, touchesLatest ? [...tags, 'latest'] : tags);
    });
    this.#require(touches, act, actor);
  }

  /**
   * For a version that gets some tags: at shared prefixes the first publish of a version keeps its bytes, so a guarded tag must not lead to
   * what another project published under it. Holds for administrators too, and for what was approved.
   * @throws GatehouseError `conflict`.
   */
  requireOwnVersion(row: Package, version: string, tags: readonly string[]): void {
    const { store, guard, packagesBeside } = this.#options;
    const guarded = tags.find((tag) => guard.isGuarded(row.projectId, tag));
    if (guarded === undefined) return;
    const own = row.id === undefined ? undefined : store.findVersion(row.id, version);
    const isEarlier = ({ id }: PackageRow): boolean => {
      const found = store.findVersion(id, version);
      return found !== undefined && (own === undefined || found.id < own.id);
    };
    if (!packagesBeside(row).some(isEarlier)) return;
    throw new GatehouseError(
      'conflict',
      `Another project of the same group published ${row.name}@${version} first, and the address of the group would serve those bytes for the guarded dist-tag "${guarded}". Choose another version, or unpublish that one.`,
    );
  }

  /** A package with those beside it that were there before: who comes later cannot hold back those who had the name first. */
  #shown(row: Package): Package[] {
    const { id: own = Infinity } = row;
    return [row, ...this.#options.packagesBeside(row).filter(({ id }) => id < own)];
  }

  /** Of some tags, those that shared prefixes show as this package has them: the newest change wins, and without it an older one is shown. */
  #shownOf(row: Package, tags: readonly string[]): string[] {
    const { store, packagesBeside } = this.#options;
    const changesOf = ({ id }: Package) =>
      new Map(id === undefined ? [] : store.tagsOf(id).map(({ tag, updatedAt }) => [tag, updatedAt] as const));
    const own = changesOf(row);
    const others = packagesBeside(row).map(changesOf);
    return tags.filter((tag) => {
      const changed = own.get(tag);
      return changed !== undefined && others.every((changes) => (changes.get(tag) ?? 0) <= changed);
    });
  }

  /** What `latest` means in packages that are shown as one, with some versions more; undefined where it was set. */
  #computedLatest(rows: readonly Package[], added: readonly string[] = []): string | undefined {
    const { store } = this.#options;
    const ids = rows.flatMap(({ id }) => id ?? []);
    if (ids.some((id) => store.tagsOf(id).some(({ tag }) => tag === 'latest'))) return undefined;
    return computedLatest([...ids.flatMap((id) => store.versionNames(id)), ...added]);
  }

  #require(touches: readonly TouchedTags[], act: TagAct, actor: Actor): void {
    for (const { tags, ...where } of touches) {
      for (const tag of tags) this.#options.guard.requireAllowed({ ...where, tag, act, actor });
    }
  }
}

function touched({ projectId, name }: Package, tags: readonly string[]): TouchedTags {
  return { projectId, packageName: name, tags };
}
