import { GatehouseError } from '../contract/errors.ts';
import type { Actor, Change, UnitOfWork } from '../accounts/change.ts';
import type { PackageRow, PackageStore, VersionRow } from './package-store.ts';
import { computedLatest, maximumTagsPerPackage, requireValidTag, withoutBuild } from './package-version.ts';
import { shorten } from '../lib/printable.ts';
import { tooManyTags } from './publish/publish.ts';
import type { TagChecks } from './tag-guard.ts';
import type { TarballCollector } from './publish/tarball-collector.ts';

/** Versions that one transaction deprecates. */
const versionsPerWrite = 100;

export interface PackageEditorOptions {
  readonly store: PackageStore;
  readonly collector: TarballCollector;
  readonly unitOfWork: UnitOfWork;
  /** Who may touch which tags, besides roles. */
  readonly checks: TagChecks;
}

export interface UnpublishPreview {
  readonly removedTags: { tag: string; version: string }[];
  readonly latest: { from: string; to: string | null } | null;
}

/**
 * Every change of what is published already. Callers have checked that the actor's role allows it; what guards dist-tags is asked here.
 */
export class PackageEditor {
  readonly #options: PackageEditorOptions;

  constructor(options: PackageEditorOptions) {
    this.#options = options;
  }

  /**
   * Points a dist-tag at a version, creating or moving it; a tag that points there already is left as it is.
   * @param expected the version that the tag has now (null: no such tag), for a caller that must not overwrite another's change
   * @throws GatehouseError `invalid_request` (tag), `package_not_found` (package or version), `tag_guarded`, or `conflict`: the tag is not as
   * expected, or it is guarded and another project had the version first.
   */
  setTag(packageId: number, tag: string, version: string, actor: Actor, expected?: string | null): Promise<void> {
    requireValidTag(tag);
    return this.#options.unitOfWork.write((change) => {
      requireExpected(tag, this.#options.store.tagsOf(packageId), expected);
      this.setTagWithin(change, packageId, tag, version, actor);
    });
  }

  /** As `setTag`, inside a unit of work that changes more. @param checks others for a move that was approved */
  setTagWithin(
    change: Change,
    packageId: number,
    tag: string,
    version: string,
    actor: Actor,
    checks = this.#options.checks,
  ): void {
    this.#changeWithin(change, packageId, (row) => {
      const { store } = this.#options;
      const target = store.findVersion(row.id, version);
      if (!target) throw noSuchVersion(row.name, version);
      const tags = store.tagsOf(row.id);
      const present = tags.find((candidate) => candidate.tag === tag);
      if (present?.versionId === target.id) return false;
      checks.requireSet(row, tag, actor);
      checks.requireOwnVersion(row, target.version, [tag]);
      if (!present && tags.length >= maximumTagsPerPackage) throw tooManyTags(row.name);
      store.putTag(row.id, tag, target.id, change.now);
      this.#note(row, change, actor, 'tag.set', 'tags', {
        before: { tag, version: present?.version ?? null },
        after: { tag, version: target.version },
      });
      return true;
    });
  }

  /**
   * @param expected as for `setTag`
   * @throws GatehouseError `tag_not_found` for a tag that was never set, the computed `latest` included (api/npm.md 5.3), `tag_guarded`,
   * `conflict` if it is not as expected.
   */
  removeTag(packageId: number, tag: string, actor: Actor, expected?: string | null): Promise<void> {
    return this.#change(packageId, (row, change) => {
      const { store } = this.#options;
      const tags = store.tagsOf(row.id);
      requireExpected(tag, tags, expected);
      const present = tags.find((candidate) => candidate.tag === tag);
      if (!present) throw noSuchTag(row.name, tag);
      this.#options.checks.requireRemove(row, tag, actor);
      store.deleteTag(row.id, tag);
      this.#note(row, change, actor, 'tag.removed', 'tags', {
        before: { tag, version: present.version },
        after: { tag, version: null },
      });
      return true;
    });
  }

  /**
   * Gives each named version its own deprecation message, or lifts it with an empty one. Versions that keep what they have are not touched,
   * and those that are not there are passed over (api/npm.md 3.10): they may have been unpublished since the client read the package.
   * Of very many, a hundred are changed at a time, so that nobody else is kept waiting.
   * @returns the versions that are not there.
   * @throws GatehouseError `package_not_found`, or `tag_guarded` for one of the versions.
   */
  async deprecate(packageId: number, messages: ReadonlyMap<string, string>, actor: Actor): Promise<string[]> {
    const { store, unitOfWork } = this.#options;
    const present = new Map(
      [...store.deprecationsOf(packageId)].map(([version, text]) => [withoutBuild(version), text]),
    );
    const isPresent = (version: string) => present.has(withoutBuild(version));
    const changed = [...messages].filter(
      ([version, message]) => isPresent(version) && (present.get(withoutBuild(version)) ?? '') !== message,
    );
    const names = changed.map(([version]) => version);
    for (let at = 0; at < changed.length; at += versionsPerWrite) {
      const some = new Map(changed.slice(at, at + versionsPerWrite));
      await unitOfWork.write((change) => {
        // All of them, before the first is changed.
        const row = store.getPackage(packageId);
        if (row) this.#options.checks.requireVersions(row, names, 'deprecate', actor);
        this.deprecateWithin(change, packageId, some, actor);
      });
    }
    return [...messages.keys()].filter((version) => !isPresent(version));
  }

  /** As `deprecate`, inside a unit of work that changes more. */
  deprecateWithin(change: Change, packageId: number, messages: ReadonlyMap<string, string>, actor: Actor): string[] {
    const unknown: string[] = [];
    this.#changeWithin(change, packageId, (row) => {
      const { store } = this.#options;
      const before: Record<string, string | null> = {};
      const after: Record<string, string | null> = {};
      const changed: number[] = [];
      for (const [version, message] of messages) {
        const target = store.findVersion(row.id, version);
        if (!target) {
          unknown.push(version);
          continue;
        }
        const wanted = message === '' ? null : message;
        if (target.deprecated === wanted) continue;
        before[target.version] = target.deprecated;
        after[target.version] = wanted;
        changed.push(target.id);
      }
      const names = Object.keys(after);
      if (names.length === 0) return false;
      this.#options.checks.requireVersions(row, names, 'deprecate', actor);
      names.forEach((name, index) => store.setDeprecation(changed[index] ?? 0, after[name] ?? null));
      this.#note(row, change, actor, 'package.deprecated', 'deprecation', { before, after });
      return true;
    });
    return unknown;
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
    await this.#change(packageId, (row, change) => {
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
    this.#note(row, change, actor, action, 'unpublished', {
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
    await this.#change(packageId, (row, change) => {
      const found = store.contentsOf(row.id);
      const versions = [...found.keys()];
      this.#options.checks.requireVersions(row, versions, 'unpublish', actor);
      for (const sha512 of found.values()) contents.add(sha512);
      this.#note(row, change, actor, 'package.unpublished', 'unpublished', {
        before: { versions },
        after: null,
      });
      store.deletePackage(row.id);
      return true;
    });
    this.#options.collector.deleteUnused(contents);
  }

  /** Sets the maintainers of a package, as `npm owner` shows them. The list is for display; permissions come from roles. */
  setMaintainers(packageId: number, userIds: readonly number[], actor: Actor): Promise<void> {
    return this.#change(packageId, (row, change) => {
      const { store } = this.#options;
      const before = store.maintainersOf(row.id);
      for (const person of before) if (!userIds.includes(person.id)) store.removeMaintainer(row.id, person.id);
      for (const userId of userIds) store.addMaintainer(row.id, userId);
      this.#note(row, change, actor, 'package.maintainers_changed', 'maintainers', {
        before: before.map((person) => person.username),
        after: store.maintainersOf(row.id).map((person) => person.username),
      });
      return true;
    });
  }

  setStar(packageId: number, userId: number, starred: boolean): Promise<void> {
    return this.#change(packageId, (row, change) => {
      this.#options.store.setStar(row.id, userId, starred);
      // Packuments show stars, so cached ones must be dropped.
      change.emit('packages.changed', {
        projectId: row.projectId,
        packageId: row.id,
        name: row.name,
        change: 'stars',
      });
      return true;
    });
  }

  /** @param work returns false if it left the package as it was */
  #change(packageId: number, work: (row: PackageRow, change: Change) => boolean): Promise<void> {
    return this.#options.unitOfWork.write((change) => this.#changeWithin(change, packageId, work));
  }

  #changeWithin(change: Change, packageId: number, work: (row: PackageRow, change: Change) => boolean): void {
    const row = this.#options.store.getPackage(packageId);
    if (!row) throw new GatehouseError('package_not_found');
    // Once for all that `work` did, as it derives the summary of the package again.
    if (work(row, change)) this.#options.store.touchPackage(row.id, change.now);
  }

  #note(
    row: PackageRow,
    change: Change,
    actor: Actor,
    action: string,
    kind: 'tags' | 'deprecation' | 'unpublished' | 'maintainers',
    what: { before: unknown; after: unknown; version?: string },
  ): void {
    change.record({
      actor,
      action,
      target: { type: 'package', id: row.id, name: row.name },
      projectId: row.projectId,
      before: what.before,
      after: what.after,
    });
    change.emit('packages.changed', {
      projectId: row.projectId,
      packageId: row.id,
      name: row.name,
      change: kind,
      ...(what.version === undefined ? {} : { version: what.version }),
    });
  }
}

function noSuchVersion(name: string, version: string): GatehouseError {
  return new GatehouseError(
    'package_not_found',
    `Package not found. ${name} has no version ${shorten(version)} here.`,
    {
      gitlabMessage: 'Package not found',
    },
  );
}

function noSuchTag(name: string, tag: string): GatehouseError {
  return new GatehouseError(
    'tag_not_found',
    `Package tag not found. ${name} has no dist-tag "${shorten(tag)}" that was set.`,
    {
      gitlabMessage: 'Package tag not found',
    },
  );
}

/** @throws GatehouseError `conflict` if a tag has another version than `expected` (null: none); undefined expects nothing. */
function requireExpected(
  tag: string,
  tags: readonly { readonly tag: string; readonly version: string }[],
  expected: string | null | undefined,
): void {
  if (expected === undefined) return;
  const present = tags.find((candidate) => candidate.tag === tag)?.version ?? null;
  if (present === expected) return;
  const state = present === null ? 'was removed' : `now points to ${present}`;
  throw new GatehouseError('conflict', `Another change came first: ${tag} ${state}. It stays so.`);
}
