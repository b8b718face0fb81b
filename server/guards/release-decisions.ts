import { GatehouseError } from '../contract/errors.ts';
import type { Actor, Change, UnitOfWork } from '../accounts/change.ts';
import type { Directory } from '../accounts/directory.ts';
import type { UserRecord } from '../accounts/records.ts';
import type { PackageEditor } from '../registry/package-editor.ts';
import type { Staging } from '../registry/staging.ts';
import type { TagChecks } from '../registry/tag-guard.ts';
import {
  describeMissing,
  describeRelease,
  type Outcome,
  type Release,
  unknownReader,
  type Verdict,
} from './release.ts';
import type { ReleaseStore, SubjectKey } from './release-store.ts';
import { noteRequest } from './release-requests.ts';
import type { Releases } from './releases.ts';

/** Characters of a comment, at most. */
export const maximumCommentLength = 1000;

export interface ReleaseDecisionsOptions {
  readonly directory: Directory;
  readonly releases: Releases;
  readonly store: ReleaseStore;
  readonly staging: Staging;
  /** Finds the tags that a release touches. */
  readonly checks: TagChecks;
  readonly editor: Pick<PackageEditor, 'setTagWithin'>;
  readonly unitOfWork: UnitOfWork;
}

/**
 * Approvals and rejections of what waits. Rules, members and guards count as they are when a decision is made. Callers have checked that
 * the actor may see the project and that a token may write; who may approve is decided here.
 */
export class ReleaseDecisions {
  readonly #options: ReleaseDecisionsOptions;

  constructor(options: ReleaseDecisionsOptions) {
    this.#options = options;
  }

  /**
   * Approves a release. With the last approval that it needs, it is published or moved in the same transaction.
   * @throws GatehouseError `not_found` if it does not wait any more, `forbidden` if the approval would count for nothing,
   * `unprocessable` for a rule that the user does not match, and as a publish does if the version came by another way meanwhile.
   */
  approve(id: string, actor: Actor, verdict: Verdict = {}): Promise<Outcome> {
    const { releases, store, unitOfWork } = this.#options;
    return unitOfWork.write((change) => {
      const reader = releases.readerFor(actor);
      const before = releases.require(id, reader);
      const approver = this.#approver(before, actor);
      if (before.gates.length === 0) return this.#complete(change, before, actor);
      const representedAs = this.#representedAs(before, approver, verdict.representedAs);
      const comment = verdict.comment ?? '';
      store.putApproval(keyOf(before), {
        userId: approver.id,
        comment,
        representedAs,
        createdAt: change.now,
      });
      const release = releases.require(id, reader);
      const isComplete = release.gates.every(({ progress }) => progress.complete);
      // The audit trail has more readers than the release.
      const { gates, approvals } = releases.require(id, unknownReader);
      const noted = approvals.find(({ userId }) => userId === approver.id)?.representedAs ?? null;
      change.record({
        actor,
        action: 'release.approved',
        target: { type: 'release', id: null, name: describeRelease(release) },
        projectId: release.project.id,
        after: {
          id,
          environments: gates.map(({ environment }) => environment),
          ...(comment === '' ? {} : { comment }),
          ...(noted === null ? {} : { represented_as: noted }),
          ...(isComplete ? {} : { missing: describeMissing(gates) }),
        },
      });
      const { project, packageName: name, version } = release;
      change.emit('releases.changed', { projectId: project.id, name, version, change: 'approved' });
      return isComplete ? this.#complete(change, release, actor) : { state: 'waiting', release };
    });
  }

  /**
   * Rejects a release, which ends it; a staged version goes with its bytes. The user who asked may take it back.
   * @throws GatehouseError `not_found` if it does not wait any more, `forbidden`.
   */
  async reject(id: string, actor: Actor, verdict: Pick<Verdict, 'comment'> = {}): Promise<void> {
    const { releases, staging, store, unitOfWork } = this.#options;
    const deleteBytes = await unitOfWork.write((change) => {
      const release = releases.require(id, releases.readerFor(actor));
      const user = this.#userOf(actor);
      if (user.id !== release.requester.id && !releases.mayApprove(release, user.id))
        throw this.#refusal(release, user);
      const { subject } = release;
      if (subject.kind === 'version') return staging.rejectWithin(change, staging.require(id), actor, verdict.comment);
      store.deleteRequest(id);
      noteRequest(change, actor, 'tag.request_rejected', subject.request, verdict.comment);
      return undefined;
    });
    deleteBytes?.();
  }

  #complete(change: Change, release: Release, actor: Actor): Outcome {
    const { staging, store, editor } = this.#options;
    const { subject, project } = release;
    const checks = this.#options.checks.approved();
    if (subject.kind === 'version') {
      const staged = staging.require(release.id);
      return { state: 'published', release, published: staging.publishWithin(change, staged, project, actor, checks) };
    }
    const { id, packageId, tag, version } = subject.request;
    store.deleteRequest(id);
    editor.setTagWithin(change, packageId, tag, version, actor, checks);
    const { packageName: name } = release;
    change.emit('releases.changed', { projectId: project.id, name, version, change: 'ended' });
    return { state: 'moved', release };
  }

  /** @throws GatehouseError `forbidden` if an approval by the actor would count for nothing. */
  #approver(release: Release, actor: Actor): UserRecord {
    const user = this.#userOf(actor);
    if (!this.#options.releases.mayApprove(release, user.id)) throw this.#refusal(release, user);
    return user;
  }

  #refusal({ gates, requester, packageName, version }: Release, user: UserRecord): GatehouseError {
    const what = `${packageName}@${version}`;
    const [gate] = gates;
    if (!gate) {
      return new GatehouseError(
        'forbidden',
        `The dist-tag of ${what} is not guarded any more, so that approving it publishes it, which needs the Developer role or higher.`,
        { gitlabMessage: '403 Forbidden' },
      );
    }
    const text =
      user.id === requester.id
        ? `The request for ${what} is your own; another user has to approve it.`
        : `Your approval would not count: ${what} needs ${describeMissing(gates) || `approvals for the environment ${gate.environment}`}.`;
    return new GatehouseError('forbidden', text, { gitlabMessage: '403 Forbidden' });
  }

  /** @throws GatehouseError `unprocessable` for a rule that is not there or does not match. */
  #representedAs({ gates }: Release, { id }: UserRecord, wanted: string | undefined): string | null {
    if (wanted === undefined || wanted === '') return null;
    const matching = gates.flatMap(({ facts }) => facts.rules.filter((rule) => facts.matches(id, rule)));
    const names = [...new Set(matching.map(({ name }) => name))];
    if (names.includes(wanted)) return wanted;
    throw new GatehouseError(
      'unprocessable',
      names.length === 0
        ? 'No approval rule is named here: leave "represented_as" out.'
        : `You cannot approve as "${wanted}". You can as: ${names.join(', ')}.`,
    );
  }

  #userOf({ userId }: Actor): UserRecord {
    const user = userId === null ? undefined : this.#options.directory.index.users.get(userId);
    if (!user) throw new GatehouseError('forbidden', 'Only a user of the registry can approve or reject a request.');
    return user;
  }
}

function keyOf({ id, subject }: Pick<Release, 'id' | 'subject'>): SubjectKey {
  return { kind: subject.kind, id };
}
