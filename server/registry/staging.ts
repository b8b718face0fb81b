import { randomUUID } from 'node:crypto';
import { GatehouseError } from '../contract/errors.ts';
import type { Actor, Change, UnitOfWork } from '../accounts/change.ts';
import type { Project } from '../accounts/access/principal.ts';
import type { PackageStore } from './package-store.ts';
import type { PreparedVersion } from './publish/prepare-version.ts';
import type { PublishedVersion, Publisher, PublishTarget } from './publish/publish.ts';
import type { ReceivedUpload } from './publish/receive-upload.ts';
import type { TagChecks } from './tag-guard.ts';
import type { TarballCollector } from './publish/tarball-collector.ts';
import type { Manifest } from './publish/upload-document.ts';

/** An uploaded version that waits to be approved or rejected. */
export interface StagedVersion {
  /** A UUID: npm refuses anything else. */
  readonly id: string;
  readonly projectId: number;
  /** Who staged it; the id is null once that user is deleted. */
  readonly actorId: number | null;
  readonly actorName: string;
  readonly createdAt: number;
  readonly prepared: PreparedVersion;
}

/** A staged version in a list, without its manifest, README and bundle, which are megabytes. */
export interface StagedEntry
  extends Omit<StagedVersion, 'prepared'>, Pick<PreparedVersion, 'name' | 'tags' | 'digests'> {
  readonly version: string;
}

/** A staged version as lists have it. */
export function entryOf({ prepared, ...staged }: StagedVersion): StagedEntry {
  const { name, tags, digests, version } = prepared;
  return { ...staged, name, tags, digests, version: version.version };
}

export interface StageQuery {
  readonly projectIds: readonly number[];
  readonly packageName?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Stores staged versions; their tarballs count as used. */
export interface StageStore {
  find(id: string): StagedVersion | undefined;
  findVersion(projectId: number, name: string, version: string): StagedVersion | undefined;
  /** Newest first. */
  list(query: StageQuery): { total: number; rows: StagedEntry[] };
  /** Versions that wait because of one user, in all projects. */
  countOf(actorId: number): number;
  /** These two only inside a unit of work. */
  insert(staged: StagedVersion): void;
  delete(id: string): void;
}

export interface StagingOptions {
  readonly store: StageStore;
  readonly packages: Pick<PackageStore, 'insertTarball'>;
  readonly publisher: Publisher;
  readonly collector: TarballCollector;
  readonly unitOfWork: UnitOfWork;
}

/** Versions that can wait because of one user, and moves of dist-tags: all of them are in the inbox. */
const mostWaiting = 1000;

/**
 * Asked before one more waits because of a user.
 * @param count how many do already
 * @throws GatehouseError `invalid_request` if that is as many as can.
 */
export function requireRoomToWait(count: number): void {
  if (count < mostWaiting) return;
  throw new GatehouseError(
    'invalid_request',
    `${mostWaiting} of your changes wait for approval, which is as many as can. Take some back with "npm stage reject" or in the inbox, or have them approved.`,
  );
}

/** Staged publishing: an upload is checked and stored like a publish, but invisible until approved. Callers have authorised the actor. */
export class Staging {
  readonly #options: StagingOptions;

  constructor(options: StagingOptions) {
    this.#options = options;
  }

  find(id: string): StagedVersion | undefined {
    return this.#options.store.find(id);
  }

  /** @throws GatehouseError `not_found` if it does not wait any more. */
  require(id: string): StagedVersion {
    const staged = this.find(id);
    if (!staged) throw noSuchStage(id);
    return staged;
  }

  list(query: StageQuery): { total: number; rows: StagedEntry[] } {
    return this.#options.store.list(query);
  }

  /** @throws GatehouseError as a publish does, `conflict` if this version is staged already, `invalid_request` if too many wait. */
  async stage(upload: ReceivedUpload, document: Manifest, target: PublishTarget): Promise<StagedVersion> {
    const { store, packages, publisher, collector, unitOfWork } = this.#options;
    const { prepared, writer } = await publisher.prepare(upload, document, target);
    return collector.withReference(writer, unitOfWork, (change) => {
      this.#refuseStaged(target.project, prepared);
      if (target.actor.userId !== null) requireRoomToWait(store.countOf(target.actor.userId));
      const staged: StagedVersion = {
        id: randomUUID(),
        projectId: target.project.id,
        actorId: target.actor.userId,
        actorName: target.actor.username,
        createdAt: change.now,
        prepared,
      };
      packages.insertTarball(prepared.digests, change.now);
      store.insert(staged);
      this.#note(change, target.actor, 'package.staged', staged);
      return staged;
    });
  }

  /**
   * Publishes a staged version as of now, inside a unit of work; the one who staged it stays its publisher. `checks` is asked about its tags.
   * @throws GatehouseError as a publish does if the version came by another way meanwhile.
   */
  publishWithin(
    change: Change,
    staged: StagedVersion,
    project: Project,
    actor: Actor,
    checks: TagChecks,
  ): PublishedVersion {
    const { store, publisher } = this.#options;
    // The bytes are held by the staged row until the version has them, which is within this transaction.
    const version = { ...staged.prepared.version, publisherId: staged.actorId };
    const published = publisher.commit(change, project, { ...staged.prepared, version }, actor, checks);
    store.delete(staged.id);
    this.#note(change, actor, 'package.stage_approved', staged);
    return published;
  }

  /** Drops a staged version, inside a unit of work. @returns what deletes its bytes, to be called after the commit. */
  rejectWithin(change: Change, staged: StagedVersion, actor: Actor, comment?: string): () => void {
    const { store, collector } = this.#options;
    store.delete(staged.id);
    this.#note(change, actor, 'package.stage_rejected', staged, comment);
    return () => collector.deleteUnused([staged.prepared.digests.sha512]);
  }

  #refuseStaged(project: Project, { name, version: { version } }: PreparedVersion): void {
    const present = this.#options.store.findVersion(project.id, name, version);
    if (!present) return;
    throw new GatehouseError(
      'conflict',
      `${name}@${version} is staged already, by ${present.actorName}. Approve it with "npm stage approve ${present.id}", or reject it first.`,
    );
  }

  #note(change: Change, actor: Actor, action: string, staged: StagedVersion, comment?: string): void {
    const { name, tags, version } = staged.prepared;
    change.record({
      actor,
      action,
      target: { type: 'staged_version', id: null, name: `${name}@${version.version}` },
      projectId: staged.projectId,
      after: {
        id: staged.id,
        tags,
        integrity: version.integrity,
        size: version.size,
        ...(action === 'package.staged' ? {} : { requested_by: staged.actorName }),
        ...(comment ? { comment } : {}),
      },
    });
    const what = action === 'package.staged' ? 'waiting' : 'ended';
    change.emit('releases.changed', {
      projectId: staged.projectId,
      name,
      version: version.version,
      change: what,
    });
  }
}

/** @returns the error for a staged version or a request that is not there or not for the caller to know of. */
export function noSuchStage(id: string): GatehouseError {
  return new GatehouseError(
    'not_found',
    `Nothing waits for approval as ${id}. It may have been approved or rejected; "npm stage list" shows the versions that wait.`,
  );
}
