import type { Actor, Change } from '../accounts/change.ts';
import { noSuchVersion, type PackageChanges } from './package-changes.ts';
import type { PackageRow, PackageStore, VersionRow } from './package-store.ts';
import { computedLatest } from './package-version.ts';
import type { TagChecks } from './tag-guard.ts';
import type { TarballCollector } from './publish/tarball-collector.ts';

export interface UnpublisherOptions {
  readonly store: PackageStore;
  readonly changes: PackageChanges;
  readonly collector: TarballCollector;
  /** Who may touch which tags, besides roles. */
  readonly checks: TagChecks;
}

export interface UnpublishPreview {
  readonly removedTags: { tag: string; version: string }[];
  readonly latest: { from: string; to: string | null } | null;
}

/** Takes versions and packages away. Callers have checked that the actor's role allows it; what guards dist-tags is asked here. */
export class Unpublisher {
  readonly #options: UnpublisherOptions;

  constructor(options: UnpublisherOptions) {
    this.#options = options;
  }

  /**
   * Takes one version away, with its tags and, if no other version has the same bytes, its tarball. The last one takes the package along.
   * @throws GatehouseError `package_not_found`, `tag_guarded`.
   */
  unpublishVersion(packageId: number, version: string, actor: Actor): Promise<void> {
    return this.unpublishVersions(packageId, [version], actor);
  }

  /**
   * As `unpublishVersion` for several versions: all of them, or none.
   * @throws GatehouseError `package_not_found` if one of them is not there, `tag_guarded`.
   */
  unpublishVersions(packageId: number, versions: readonly string[], actor: Actor): Promise<void> {
    return this.#removeVersions(packageId, versions, actor, 'package.unpublished');
  }

  /** What `unpublishVersions` would do to the tags: those that go, and where `latest` leads then (null: nowhere). */
  previewUnpublish(packageId: number, versions: readonly string[]): UnpublishPreview {
    const { store } = this.#options;
    const gone = new Set(versions);
    const names = store.versionNames(packageId);
    const tags = store.tagsOf(packageId);
    const latest = tags.find(({ tag }) => tag === 'latest')?.version ?? computedLatest(names);
    return {
      removedTags: tags
        .filter(({ tag, version }) => tag !== 'latest' && gone.has(version))
        .map(({ tag, version }) => ({ tag, version })),
      latest:
        latest === undefined || !gone.has(latest)
          ? null
          : { from: latest, to: computedLatest(names.filter((name) => !gone.has(name))) ?? null },
    };
  }

  /** As `unpublishVersion`, for one that is damaged here. It is no change that anyone made, so no other registry is told of it. */
  takeOutOfService(packageId: number, version: string, actor: Actor): Promise<void> {
    return this.#removeVersions(packageId, [version], actor, 'package.quarantined');
  }

  async #removeVersions(
    packageId: number,
    versions: readonly string[],
    actor: Actor,
    action: 'package.unpublished' | 'package.quarantined',
  ): Promise<void> {
    if (versions.length === 0) return;
    const contents = new Set<string>();
    await this.#options.changes.change(packageId, (row, change) => {
      const { store } = this.#options;
      if (action === 'package.unpublished') this.#options.checks.requireVersions(row, versions, 'unpublish', actor);
      const { latest } = this.previewUnpublish(row.id, versions);
      for (const version of versions) {
        contents.add(this.#removeVersion(row, change, version, { actor, action, latest }).tarballSha512);
      }
      if (store.versionNames(row.id).length === 0) store.deletePackage(row.id);
      return true;
    });
    this.#options.collector.deleteUnused(contents);
  }

  #removeVersion(
    row: PackageRow,
    change: Change,
    version: string,
    { actor, action, latest }: Pick<UnpublishPreview, 'latest'> & { readonly actor: Actor; readonly action: string },
  ): VersionRow {
    const { store } = this.#options;
    const gone = store.findVersion(row.id, version);
    if (!gone) throw noSuchVersion(row.name, version);
    const tags = store.tagsOf(row.id).filter((tag) => tag.versionId === gone.id);
    store.deleteVersion(gone.id);
    this.#options.changes.note(row, change, actor, action, 'unpublished', {
      before: { version: gone.version, tags: tags.map((tag) => tag.tag), integrity: gone.integrity },
      // Where `latest` leads now, at the version that it led to.
      after: latest?.from === gone.version && latest.to !== null ? { latest: latest.to } : null,
      version: gone.version,
    });
    return gone;
  }

  /** Takes a whole package away, with every version, tag and tarball of it. @throws GatehouseError `package_not_found`, `tag_guarded`. */
  async unpublishPackage(packageId: number, actor: Actor): Promise<void> {
    const { store } = this.#options;
    const contents = new Set<string>();
    await this.#options.changes.change(packageId, (row, change) => {
      const found = store.contentsOf(row.id);
      const versions = [...found.keys()];
      this.#options.checks.requireVersions(row, versions, 'unpublish', actor);
      for (const sha512 of found.values()) contents.add(sha512);
      this.#options.changes.note(row, change, actor, 'package.unpublished', 'unpublished', {
        before: { versions },
        after: null,
      });
      store.deletePackage(row.id);
      return true;
    });
    this.#options.collector.deleteUnused(contents);
  }
}
