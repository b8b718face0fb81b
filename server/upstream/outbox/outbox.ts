import { systemActor } from '../../accounts/change.ts';
import type { Actor } from '../../accounts/change.ts';
import { skippedByPerson } from '../../contract/constants.ts';
import { GatehouseError } from '../../contract/errors.ts';
import { countChanges, isSettled } from '../../contract/outbox-words.ts';
import type { OutboxOperation, OutboxStatus, SentCheck } from '../../contract/outbox.ts';
import type { PushOrigin } from '../../contract/upstream.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import { compareAll } from './compare-changes.ts';
import { isCarried, lastComparison, newItem, operationOf, packageOf } from './operations.ts';
import type { OutboxContext } from './operations.ts';
import type { OutboxChange, OutboxRun } from './outbox-store.ts';
import { requirePushable } from './peer.ts';
import { PendingChanges } from './pending-changes.ts';
import type { mergeChanges } from './plan.ts';
import type { SendingFacts } from './proposal.ts';
import { PushRuns } from './push-runs.ts';
import { checkSent } from './sent-changes.ts';

export interface OutboxOptions extends OutboxContext, SendingFacts {
  readonly onProgress: (upstreamId: number) => void;
}

/** Pushes changes that were made here to other registries, in order and each once. */
export class Outbox {
  /** What waits. */
  readonly pending: PendingChanges;
  readonly #options: OutboxOptions;
  readonly #runs: PushRuns;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.pending = new PendingChanges(options);
    // For changes made while a push ran.
    this.#runs = new PushRuns({ ...options, onEnded: (upstreamId) => this.continueOrAutoPush(upstreamId) });
  }

  /**
   * What a push would do, with the upstream as it stands now. Changes nothing.
   * @param selection names and scopes; empty for the upstream's own
   * @param pushFrom whose packages; null for the upstream's own
   * @throws GatehouseError `not_found`, `invalid_request`; an upstream out of reach shows as verdict `unknown`.
   */
  async plan(
    upstreamId: number,
    selection: readonly string[],
    pushFrom: PushOrigin | null = null,
  ): Promise<OutboxOperation[]> {
    const settings = requirePushable(this.#options.upstreams.require(upstreamId));
    const upstream = { ...settings, pushFrom: pushFrom ?? settings.pushFrom };
    const { effective } = this.pending.of(upstream, selection);
    await this.#options.connectivity.retry(upstreamId);
    return compareAll(this.#options, upstream, effective);
  }

  /** What an upstream has now of what the last push sent. Changes nothing. @throws GatehouseError `not_found`, `invalid_request`, as a plan. */
  async checkSent(upstreamId: number): Promise<SentCheck> {
    const upstream = requirePushable(this.#options.upstreams.require(upstreamId));
    await this.#options.connectivity.retry(upstreamId);
    return checkSent(this.#options, upstream);
  }

  /** Starts to push what a plan shows; its end is in the audit trail. @throws GatehouseError `conflict` while a push to this upstream is running. */
  async start(upstreamId: number, selection: readonly string[], actor: Actor = systemActor): Promise<OutboxStatus> {
    const upstream = requirePushable(this.#options.upstreams.require(upstreamId));
    this.#requireIdle(upstream);
    this.#requireOnline(upstream);
    await this.#begin(upstreamId, this.pending.of(upstream, selection), actor);
    return this.status(upstreamId);
  }

  #requireIdle({ id, name }: UpstreamRow): void {
    if (!this.#runs.isBusy(id)) return;
    throw new GatehouseError('conflict', `A push to ${name} is running. Wait for it, or stop it first.`);
  }

  #requireOnline(upstream: UpstreamRow): void {
    if (this.#options.connectivity.mode !== 'on') return;
    throw new GatehouseError(
      'upstream_unavailable',
      `Nothing was sent to ${upstream.name}: Gatehouse is offline. Choose Automatic under Upstream ("gatehouse offline auto"), and send again.`,
    );
  }

  async #begin(
    upstreamId: number,
    { effective, superseded }: Pick<ReturnType<typeof mergeChanges>, 'effective' | 'superseded'>,
    actor = systemActor,
  ): Promise<void> {
    const { outboxStore, clock } = this.#options;
    const changes = new Set([...this.pending.unsettled(upstreamId), ...effective.map((change) => change.id)]);
    const run: OutboxRun = {
      upstreamId,
      running: true,
      startedAt: clock(),
      changes: [...changes].toSorted((a, b) => a - b),
    };
    const known = (change: OutboxChange) => outboxStore.item(upstreamId, change.id) ?? newItem(upstreamId, change.id);
    await this.#runs.start(run, actor, ({ now }) => {
      for (const change of superseded) {
        outboxStore.putItem({ ...known(change), state: 'skipped', error: 'Superseded by a later change.' }, now);
      }
      for (const change of effective) {
        const item = known(change);
        // Skipped meanwhile.
        if (item.state === 'skipped') continue;
        outboxStore.putItem({ ...item, state: 'waiting', attempts: 0, error: null }, now);
      }
    });
  }

  /** Continues pushes that were running when the server ended. */
  resume(): void {
    this.#runs.resume();
  }

  /** Stops the push to an upstream after the change that is being pushed. */
  async stop(upstreamId: number): Promise<OutboxStatus> {
    this.#options.upstreams.require(upstreamId);
    await this.#runs.stop(upstreamId);
    this.#options.onProgress(upstreamId);
    return this.status(upstreamId);
  }

  /** Settles a change that stopped, skips one that waits, or takes a skip back: see the contract. */
  async resolve(
    upstreamId: number,
    changeId: number,
    how: 'theirs' | 'ours' | 'retry',
    actor: Actor = systemActor,
  ): Promise<OutboxStatus> {
    const { outboxStore, unitOfWork, upstreams, clock, onProgress } = this.#options;
    const upstream = requirePushable(upstreams.require(upstreamId));
    const item = outboxStore.item(upstreamId, changeId) ?? newItem(upstreamId, changeId);
    const change = outboxStore.change(changeId);
    const carried = change && isCarried(this.#options, upstream, change);
    const skips = how === 'theirs' && item.state === 'waiting';
    const unskips = how === 'retry' && item.state === 'skipped';
    if (carried !== true || !(skips || unskips || item.state === 'conflict' || item.state === 'failed')) {
      throw new GatehouseError('not_found', `No change of this number needs a decision at ${upstream.name}.`);
    }
    if (how === 'ours' && change.kind === 'publish') {
      throw new GatehouseError(
        'unprocessable',
        `${change.name}@${change.version} can't be replaced there. Publish it under another version, or leave theirs.`,
      );
    }
    if (unskips && this.pending.isOvertaken(upstreamId, change)) {
      throw new GatehouseError('unprocessable', 'A later change of the package replaces this one. Nothing is sent.');
    }
    const after =
      how === 'theirs'
        ? { state: 'skipped' as const, error: skippedByPerson }
        : { state: 'waiting' as const, error: null, attempts: 0, forced: how === 'ours' };
    if (how !== 'theirs' && !unskips) this.#requireOnline(upstream);
    const save = ({ now }: { readonly now: number }): void => outboxStore.putItem({ ...item, ...after }, now);
    const run = outboxStore.run(upstreamId);
    if (skips || unskips) {
      this.#requireIdle(upstream);
      const { changes, ...rest } = run ?? { upstreamId, running: false, startedAt: clock(), changes: [] };
      // Skipped, it stays in sight there; after that it waits as one that no push has begun.
      const others = changes.filter((id) => id !== changeId);
      const listed = skips ? [...others, changeId].toSorted((a, b) => a - b) : others;
      await unitOfWork.write((work) => {
        save(work);
        outboxStore.putRun({ ...rest, changes: listed });
      });
      if (unskips) await this.continueOrAutoPush(upstreamId);
    } else if (run && !this.#runs.isBusy(upstreamId)) await this.#runs.start({ ...run, running: true }, actor, save);
    else await unitOfWork.write(save);
    onProgress(upstreamId);
    return this.status(upstreamId);
  }

  /** Sends all changes again that failed: see the contract. @throws GatehouseError `conflict` while a push is running, `not_found`. */
  async retryFailed(upstreamId: number, actor: Actor = systemActor): Promise<OutboxStatus> {
    const { outboxStore, upstreams } = this.#options;
    const upstream = requirePushable(upstreams.require(upstreamId));
    this.#requireIdle(upstream);
    this.#requireOnline(upstream);
    const run = outboxStore.run(upstreamId);
    const unsettled = new Set(this.pending.unsettled(upstreamId));
    const failed = [...outboxStore.openItems(upstreamId).values()].filter(
      ({ state, changeId }) => state === 'failed' && unsettled.has(changeId),
    );
    if (run === undefined || failed.length === 0) {
      throw new GatehouseError('not_found', `No change that goes to ${upstream.name} failed.`);
    }
    await this.#runs.start({ ...run, running: true }, actor, ({ now }) => {
      for (const item of failed) outboxStore.putItem({ ...item, state: 'waiting', attempts: 0, error: null }, now);
    });
    return this.status(upstreamId);
  }

  /** The running push, or the last one, with what waits to be sent automatically. */
  status(upstreamId: number): OutboxStatus {
    const { outboxStore, upstreams, connectivity } = this.#options;
    const upstream = upstreams.require(upstreamId);
    const run = outboxStore.run(upstreamId);
    const push = this.#runs.of(upstreamId);
    const pushed = (run?.changes ?? []).flatMap((id) => {
      const change = outboxStore.change(id);
      const item = outboxStore.item(upstreamId, id);
      if (!change || !item) return [];
      // What is not carried any more waits for nobody's decision.
      if (!isSettled(item) && !isCarried(this.#options, upstream, change)) return [];
      const now = push?.current?.changeId === id ? { ...item, state: 'running' as const } : item;
      return [operationOf(change, now, lastComparison(item))];
    });
    const queued = this.pending.describe(upstreamId, this.pending.queued(upstream, run));
    const block = queued.length > 0 ? connectivity.blockOf(upstreamId) : undefined;
    const operations = [...pushed, ...queued];
    const { conflicts, failed } = countChanges(operations);
    return {
      upstreamId,
      upstream: upstream.name,
      running: run?.running === true,
      total: operations.length,
      done: operations.filter(isSettled).length,
      failed,
      conflicts,
      current: push?.current?.label ?? null,
      waiting: push?.isWaiting ?? block !== undefined,
      retryAt: push ? push.retryAt : (block?.retryAt ?? null),
      operations,
    };
  }

  /** Continues a push that waits for the upstream; else starts one if the upstream is set to automatic pushes and anything is pending. */
  async continueOrAutoPush(upstreamId: number): Promise<void> {
    const { upstreams, connectivity, outboxStore } = this.#options;
    const upstream = upstreams.find(upstreamId);
    if (!upstream || this.#runs.isClosed) return;
    const push = this.#runs.of(upstreamId);
    if (push) {
      push.wake();
      return;
    }
    if (this.#runs.isBusy(upstreamId) || upstream.pushFrom === null) return;
    if (!upstream.autoPush || !upstream.enabled || connectivity.blockOf(upstreamId)) return;
    const { effective, superseded } = this.pending.of(upstream, []);
    // A change that needs a person holds back its whole package.
    const needsPerson = ({ id }: OutboxChange): boolean =>
      ['conflict', 'failed'].includes(outboxStore.item(upstreamId, id)?.state ?? 'waiting');
    const stopped = new Set(effective.filter(needsPerson).map(packageOf));
    const ready = effective.filter((change) => !stopped.has(packageOf(change)));
    if (ready.length > 0) await this.#begin(upstreamId, { effective: ready, superseded });
  }

  /** The server ends: pushes under way stay as they are, for its next start. */
  close(): void {
    this.#runs.close();
  }
}
