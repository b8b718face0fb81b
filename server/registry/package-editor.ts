import { GatehouseError } from '../contract/errors.ts';
import type { Actor, Change, UnitOfWork } from '../accounts/change.ts';
import { noSuchVersion, type PackageChanges } from './package-changes.ts';
import type { PackageStore } from './package-store.ts';
import { maximumTagsPerPackage, requireValidTag, withoutBuild } from './package-version.ts';
import { shorten } from '../lib/printable.ts';
import { tooManyTags } from './publish/publish.ts';
import type { TagChecks } from './tag-guard.ts';

/** Versions that one transaction deprecates. */
const versionsPerWrite = 100;

export interface PackageEditorOptions {
  readonly store: PackageStore;
  readonly changes: PackageChanges;
  readonly unitOfWork: UnitOfWork;
  /** Who may touch which tags, besides roles. */
  readonly checks: TagChecks;
}

export interface DeprecateOptions {
  /** The messages that versions have now (null: none), for a caller that must not overwrite another's change. */
  readonly expected?: Readonly<Record<string, string | null>> | undefined;
  /** Whether versions that are not there are left out, for a client that sends all it has read of the package, which may be old. */
  readonly skipsMissing?: boolean;
}

/** The versions of a deprecation. */
export interface Deprecated {
  /** Those that got another message. */
  readonly changed: readonly string[];
  /** Those that are not there. */
  readonly missing: readonly string[];
}

/**
 * Every change of what is published already, but for taking it away (`Unpublisher`). Callers have checked that the actor's role allows it;
 * what guards dist-tags is asked here.
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
    this.#options.changes.changeWithin(change, packageId, (row) => {
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
      this.#options.changes.note(row, change, actor, 'tag.set', 'tags', {
        before: { tag, version: present?.version ?? null },
        after: { tag, version: target.version },
      });
      return true;
    });
  }

  /**
   * @param expected as for `setTag`
   * @throws GatehouseError `tag_not_found` for a tag that was never set, the computed `latest` included, `tag_guarded`,
   * `conflict` if it is not as expected.
   */
  removeTag(packageId: number, tag: string, actor: Actor, expected?: string | null): Promise<void> {
    return this.#options.changes.change(packageId, (row, change) => {
      const { store } = this.#options;
      const tags = store.tagsOf(row.id);
      requireExpected(tag, tags, expected);
      const present = tags.find((candidate) => candidate.tag === tag);
      if (!present) throw noSuchTag(row.name, tag);
      this.#options.checks.requireRemove(row, tag, actor);
      store.deleteTag(row.id, tag);
      this.#options.changes.note(row, change, actor, 'tag.removed', 'tags', {
        before: { tag, version: present.version },
        after: { tag, version: null },
      });
      return true;
    });
  }

  /**
   * Gives each named version its own deprecation message, or lifts it with an empty one. Versions that keep what they have are not touched.
   * Of very many, a hundred are changed at a time, so that nobody else is kept waiting.
   * @throws GatehouseError `package_not_found` (package or version), `tag_guarded` for one of the versions, or `conflict`: one is not as
   * expected.
   */
  async deprecate(
    packageId: number,
    messages: ReadonlyMap<string, string>,
    actor: Actor,
    { expected = {}, skipsMissing = false }: DeprecateOptions = {},
  ): Promise<Deprecated> {
    const { store, unitOfWork } = this.#options;
    const { name } = this.#options.changes.require(packageId);
    const present = new Map(
      [...store.deprecationsOf(packageId)].map(([version, text]) => [withoutBuild(version), text]),
    );
    const isPresent = (version: string) => present.has(withoutBuild(version));
    const missing = [...messages.keys()].filter((version) => !isPresent(version));
    const refuse = ([version]: readonly string[]): void => {
      if (version !== undefined && !skipsMissing) throw noSuchVersion(name, version);
    };
    refuse(missing);
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
        if (at === 0) requireExpectedMessages(store.deprecationsOf(packageId), expected);
        refuse(this.deprecateWithin(change, packageId, some, actor));
      });
    }
    return { changed: names, missing };
  }

  /** As `deprecate`, inside a unit of work that changes more. Returns the versions that are not there. */
  deprecateWithin(change: Change, packageId: number, messages: ReadonlyMap<string, string>, actor: Actor): string[] {
    const unknown: string[] = [];
    this.#options.changes.changeWithin(change, packageId, (row) => {
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
      this.#options.changes.note(row, change, actor, 'package.deprecated', 'deprecation', { before, after });
      return true;
    });
    return unknown;
  }

  /** Sets the maintainers of a package, as `npm owner` shows them. The list is for display; permissions come from roles. */
  setMaintainers(packageId: number, userIds: readonly number[], actor: Actor): Promise<void> {
    return this.#options.changes.change(packageId, (row, change) => {
      const { store } = this.#options;
      const before = store.maintainersOf(row.id);
      for (const person of before) if (!userIds.includes(person.id)) store.removeMaintainer(row.id, person.id);
      for (const userId of userIds) store.addMaintainer(row.id, userId);
      this.#options.changes.note(row, change, actor, 'package.maintainers_changed', 'maintainers', {
        before: before.map((person) => person.username),
        after: store.maintainersOf(row.id).map((person) => person.username),
      });
      return true;
    });
  }

  setStar(packageId: number, userId: number, starred: boolean): Promise<void> {
    return this.#options.changes.change(packageId, (row, change) => {
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

function requireExpectedMessages(
  present: ReadonlyMap<string, string | null>,
  expected: Readonly<Record<string, string | null>>,
): void {
  for (const [version, message] of Object.entries(expected)) {
    if (!present.has(version) || present.get(version) === message) continue;
    throw new GatehouseError(
      'conflict',
      `Another change came first: the deprecation of ${version} was changed. It stays so.`,
    );
  }
}
