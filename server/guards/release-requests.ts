import { randomUUID } from 'node:crypto';
import { type Actor, type Change, systemActor, type UnitOfWork } from '../accounts/change.ts';
import { GatehouseError } from '../contract/errors.ts';
import type { PackageEditor } from '../registry/package-editor.ts';
import type { PackageRow, PackageStore } from '../registry/package-store.ts';
import { requireValidTag } from '../registry/package-version.ts';
import { requestOf } from '../registry/publish/prepare-version.ts';
import type { PublishedVersion, Publisher, PublishTarget } from '../registry/publish/publish.ts';
import type { ReceivedUpload } from '../registry/publish/receive-upload.ts';
import type { Manifest } from '../registry/publish/upload-document.ts';
import { requireRoomToWait, type Staging } from '../registry/staging.ts';
import type { TagChecks } from '../registry/tag-guard.ts';
import type { Guards } from './guards.ts';
import type { Release } from './release.ts';
import type { ReleaseStore, TagRequest } from './release-store.ts';
import type { Releases } from './releases.ts';

export interface ReleaseRequestsOptions {
  readonly releases: Releases;
  readonly guards: Guards;
  readonly store: ReleaseStore;
  readonly packages: Pick<PackageStore, 'getPackage' | 'findPackage' | 'tagsOf' | 'findVersion'>;
  readonly publisher: Publisher;
  readonly staging: Staging;
  readonly checks: TagChecks;
  readonly editor: Pick<PackageEditor, 'setTagWithin'>;
  readonly unitOfWork: UnitOfWork;
}

/**
 * Publishes and moves of dist-tags that wait for approval where a guard refuses them. Callers have checked that the actor may see the project
 * and that a token may write.
 */
export class ReleaseRequests {
  readonly #options: ReleaseRequestsOptions;

  constructor(options: ReleaseRequestsOptions) {
    this.#options = options;
  }

  /**
   * Publishes an upload. Where the project says so, one that a guard refuses is staged instead, and waits for approval.
   * @throws GatehouseError as `Publisher.publish` and `Staging.stage`.
   */
  async publish(
    upload: ReceivedUpload,
    document: Manifest,
    target: PublishTarget,
  ): Promise<{ readonly published: PublishedVersion } | { readonly waiting: Release }> {
    const { publisher, releases, staging } = this.#options;
    if (!this.#isRefused(upload, document, target))
      return { published: await publisher.publish(upload, document, target) };
    const { id } = await staging.stage(upload, document, target);
    return { waiting: releases.require(id, releases.readerFor(target.actor)) };
  }

  /**
   * Moves a dist-tag. Where the project says so, a move that a guard refuses becomes a request, which waits for approval.
   * @throws GatehouseError as `PackageEditor.setTag`.
   */
  moveTag(packageId: number, tag: string, version: string, actor: Actor): Promise<Release | undefined> {
    const { editor, packages, guards, releases, unitOfWork } = this.#options;
    requireValidTag(tag);
    return unitOfWork.write((change) => {
      try {
        editor.setTagWithin(change, packageId, tag, version, actor);
        return undefined;
      } catch (error) {
        // Refused before anything was written.
        const row = isGuarded(error) ? packages.getPackage(packageId) : undefined;
        if (!row || guards.onRefusal(row.projectId) !== 'stage') throw error;
        return releases.require(this.#request(change, row, tag, version, actor).id, releases.readerFor(actor));
      }
    });
  }

  /** Ends requests for moves that make no sense any more, inside a unit of work that changed a package's tags or versions. */
  endVoidWithin(change: Change, packageId: number): void {
    const { store } = this.#options;
    for (const request of store.voidRequests(packageId)) {
      store.deleteRequest(request.id);
      noteRequest(change, systemActor, 'tag.request_void', request);
    }
  }

  #isRefused(upload: ReceivedUpload, document: Manifest, { project, nameInUrl, actor }: PublishTarget): boolean {
    const { checks, guards, packages } = this.#options;
    if (guards.onRefusal(project.id) !== 'stage') return false;
    const { name, version, tags } = requestOf(upload, document, nameInUrl).request;
    const row = packages.findPackage(project.id, name) ?? { projectId: project.id, name };
    try {
      checks.requirePublish(row, version, tags, actor);
      return false;
    } catch (error) {
      if (isGuarded(error)) return true;
      throw error;
    }
  }

  /** Asking twice for one move is one request. */
  #request(change: Change, row: PackageRow, tag: string, version: string, actor: Actor): TagRequest {
    const { packages, store } = this.#options;
    const target = packages.findVersion(row.id, version)?.version ?? version;
    // One that became void in this very moment would be in the way of the new one.
    this.endVoidWithin(change, row.id);
    const present = store.findRequest(row.id, tag, target);
    if (present) return present;
    if (actor.userId !== null) requireRoomToWait(store.countOf(actor.userId));
    const request: TagRequest = {
      id: randomUUID(),
      projectId: row.projectId,
      packageId: row.id,
      packageName: row.name,
      tag,
      version: target,
      fromVersion: packages.tagsOf(row.id).find((candidate) => candidate.tag === tag)?.version ?? null,
      actorId: actor.userId,
      actorName: actor.username,
      createdAt: change.now,
    };
    store.insertRequest(request);
    noteRequest(change, actor, 'tag.requested', request);
    return request;
  }
}

/** Adds what became of a request to the audit trail. */
export function noteRequest(
  change: Change,
  actor: Actor,
  action: 'tag.requested' | 'tag.request_rejected' | 'tag.request_void',
  request: TagRequest,
  comment?: string,
): void {
  const { id, projectId, packageId, packageName, tag, version, fromVersion, actorName } = request;
  change.record({
    actor,
    action,
    target: { type: 'package', id: packageId, name: packageName },
    projectId,
    before: { tag, version: fromVersion },
    after: { id, tag, version, requested_by: actorName, ...(comment ? { comment } : {}) },
  });
  const what = action === 'tag.requested' ? 'waiting' : 'ended';
  change.emit('releases.changed', { projectId, name: packageName, version, change: what });
}

function isGuarded(error: unknown): boolean {
  return error instanceof GatehouseError && error.code === 'tag_guarded';
}
