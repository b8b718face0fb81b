import { GatehouseError } from '../../contract/errors.ts';
import type { OutboxOperation, OutboxStatus } from '../../contract/upstream.ts';
import { OutboundError } from '../network/outbound-error.ts';
import { isSelected } from '../proxy/routing.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import { lastComparison, localFactsOf, newItem, operationOf } from './operations.ts';
import type { OutboxContext } from './operations.ts';
import type { OutboxChange, OutboxRun } from './outbox-store.ts';
import { Peer, requirePushable } from './peer.ts';
import { applyChange, compareChange, mergeChanges } from './plan.ts';
import type { RemotePackage } from './plan.ts';
import { Push } from './push.ts';

export interface OutboxOptions extends OutboxContext {
  readonly onProgress: (upstreamId: number) => void;
}

/** Pushes changes that were made here to other registries, in order and each once. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #pushes = new Map<number, Push>();
  #closed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /**
   * What a push would do, with the upstream as it stands now. Changes nothing.
   * @param selection names and scopes; empty for the upstream's own
   * @throws GatehouseError `not_found`, `invalid_request`; an upstream out of reach shows as verdict `unknown`.
   */
  async plan(upstreamId: number, selection: readonly string[]): Promise<OutboxOperation[]> {
    const upstream = requirePushable(this.#options.upstreams.require(upstreamId));
    const { effective } = this.#pending(upstream, selection);
    const peer = new Peer(this.#options.client, upstream);
    const remotes = new Map<string, RemotePackage | Error>();
    const operations: OutboxOperation[] = [];
    for (const change of effective) {
      const remote = remotes.get(change.name) ?? (await readOrError(peer, change.name));
      remotes.set(change.name, remote);
      const item = this.#options.outboxStore.item(upstreamId, change.id);
      if (remote instanceof Error) {
        const unknown = { verdict: 'unknown', here: null, there: null, explanation: remote.message } as const;
        operations.push(operationOf(change, item, unknown));
        continue;
      }
      const local = localFactsOf(this.#options, change);
      const comparison = compareChange(change, remote, local);
      operations.push(operationOf(change, item, comparison));
      if (comparison.verdict === 'new') remotes.set(change.name, applyChange(change, remote, local));
    }
    return operations;
  }

  /** Starts to push what a plan shows. @throws GatehouseError `conflict` while a push to this upstream is running. */
  async start(upstreamId: number, selection: readonly string[]): Promise<OutboxStatus> {
    const upstream = requirePushable(this.#options.upstreams.require(upstreamId));
    if (this.#pushes.has(upstreamId)) {
      throw new GatehouseError('conflict', `A push to ${upstream.name} is running. Wait for it, or stop it first.`);
    }
    const { effective, superseded } = this.#pending(upstream, selection);
    const { outboxStore, unitOfWork, clock } = this.#options;
    const changes = new Set([...this.#unsettled(upstreamId), ...effective.map((change) => change.id)]);
    const run: OutboxRun = {
      upstreamId,
      running: true,
      startedAt: clock(),
      changes: [...changes].toSorted((a, b) => a - b),
    };
    await unitOfWork.write(({ now }) => {
      for (const change of superseded) {
        const error = 'Superseded by a later change.';
        outboxStore.putItem({ ...newItem(upstreamId, change.id), state: 'skipped', error }, now);
      }
      for (const change of effective) {
        const known = outboxStore.item(upstreamId, change.id) ?? newItem(upstreamId, change.id);
        outboxStore.putItem({ ...known, state: 'waiting', attempts: 0, error: null }, now);
      }
      outboxStore.putRun(run);
    });
    this.#drive(run);
    return this.status(upstreamId);
  }

  /** Continues pushes that were running when the server ended. */
  resume(): void {
    const { outboxStore, upstreams } = this.#options;
    for (const run of outboxStore.activeRuns()) if (upstreams.find(run.upstreamId)) this.#drive(run);
  }

  /** Stops the push to an upstream after the change that is being pushed. */
  async stop(upstreamId: number): Promise<OutboxStatus> {
    this.#options.upstreams.require(upstreamId);
    await this.#pushes.get(upstreamId)?.stop();
    const run = this.#options.outboxStore.run(upstreamId);
    if (run?.running === true) await this.#saveRun({ ...run, running: false });
    this.#options.onProgress(upstreamId);
    return this.status(upstreamId);
  }

  /** Settles a change that stopped (see the contract), and continues. */
  async resolve(upstreamId: number, changeId: number, how: 'theirs' | 'ours' | 'retry'): Promise<OutboxStatus> {
    const { outboxStore, unitOfWork, upstreams, onProgress } = this.#options;
    const upstream = requirePushable(upstreams.require(upstreamId));
    const item = outboxStore.item(upstreamId, changeId);
    const change = outboxStore.change(changeId);
    if (!item || !change || (item.state !== 'conflict' && item.state !== 'failed')) {
      throw new GatehouseError('not_found', `No change of this number needs a decision at ${upstream.name}.`);
    }
    if (how === 'ours' && change.kind === 'publish') {
      throw new GatehouseError(
        'unprocessable',
        `${change.name}@${change.version} can't be replaced there. Publish it under another version, or leave theirs.`,
      );
    }
    const after =
      how === 'theirs'
        ? { state: 'skipped' as const, error: 'Left as it is there.' }
        : { state: 'waiting' as const, error: null, attempts: 0, forced: how === 'ours' };
    await unitOfWork.write(({ now }) => outboxStore.putItem({ ...item, ...after }, now));
    const run = outboxStore.run(upstreamId);
    if (run && !this.#pushes.has(upstreamId)) {
      const again = { ...run, running: true };
      await this.#saveRun(again);
      this.#drive(again);
    }
    onProgress(upstreamId);
    return this.status(upstreamId);
  }

  /** The running push, or the last one. */
  status(upstreamId: number): OutboxStatus {
    const { outboxStore, upstreams } = this.#options;
    const upstream = upstreams.require(upstreamId);
    const run = outboxStore.run(upstreamId);
    const push = this.#pushes.get(upstreamId);
    const operations = (run?.changes ?? []).flatMap((id) => {
      const change = outboxStore.change(id);
      const item = outboxStore.item(upstreamId, id);
      if (!change || !item) return [];
      const now = push?.current?.changeId === id ? { ...item, state: 'running' as const } : item;
      return [operationOf(change, now, lastComparison(item))];
    });
    const count = (...states: string[]): number => operations.filter(({ state }) => states.includes(state)).length;
    return {
      upstreamId,
      upstream: upstream.name,
      running: run?.running === true,
      total: operations.length,
      done: count('done', 'skipped'),
      failed: count('failed'),
      conflicts: count('conflict'),
      current: push?.current?.label ?? null,
      retryAt: push?.retryAt ?? null,
      operations,
    };
  }

  /** Continues a push that waits for the upstream; else starts one if the upstream is set to automatic pushes and anything is pending. */
  async continueOrAutoPush(upstreamId: number): Promise<void> {
    const { upstreams, connectivity, outboxStore } = this.#options;
    const upstream = upstreams.find(upstreamId);
    if (!upstream || this.#closed) return;
    const push = this.#pushes.get(upstreamId);
    if (push) {
      push.wake();
      return;
    }
    if (!upstream.autoPush || !upstream.enabled || connectivity.blockOf(upstreamId)) return;
    const { effective } = this.#pending(upstream, []);
    // A change that needs a person holds back its whole package.
    const needsPerson = ({ id }: OutboxChange): boolean =>
      ['conflict', 'failed'].includes(outboxStore.item(upstreamId, id)?.state ?? 'waiting');
    const stopped = new Set(effective.filter(needsPerson).map((change) => change.name));
    const names = new Set(effective.map((change) => change.name).filter((name) => !stopped.has(name)));
    if (names.size > 0) await this.start(upstreamId, [...names]);
  }

  close(): void {
    this.#closed = true;
    for (const push of this.#pushes.values()) push.abandon();
    this.#pushes.clear();
  }

  #drive(run: OutboxRun): void {
    const { upstreamId } = run;
    const onProgress = (): void => this.#options.onProgress(upstreamId);
    const push = new Push({ ...this.#options, run, onProgress });
    this.#pushes.set(upstreamId, push);
    onProgress();
    const ended = push.ended.then(async (outcome) => {
      if (this.#pushes.get(upstreamId) === push) this.#pushes.delete(upstreamId);
      if (outcome !== 'finished' || this.#closed) return;
      await this.#saveRun({ ...run, running: false });
      onProgress();
      // Changes made while it ran.
      await this.continueOrAutoPush(upstreamId);
    });
    // What could not be saved or started (a full disk) is taken up by the next change, or by the next start of the server.
    ended.catch(() => undefined);
  }

  /** Changes of the last run that did not arrive; they stay in its list until they are settled. */
  #unsettled(upstreamId: number): number[] {
    const { outboxStore } = this.#options;
    return (outboxStore.run(upstreamId)?.changes ?? []).filter((id) => {
      const state = outboxStore.item(upstreamId, id)?.state;
      return state === 'conflict' || state === 'failed' || state === 'waiting';
    });
  }

  #saveRun(run: OutboxRun): Promise<void> {
    return this.#options.unitOfWork.write(() => this.#options.outboxStore.putRun(run));
  }

  #pending(upstream: UpstreamRow, selection: readonly string[]): ReturnType<typeof mergeChanges> {
    const chosen = selection.length > 0 ? selection : upstream.pushSelection;
    if (chosen.length === 0) {
      throw new GatehouseError(
        'invalid_request',
        `Name the packages or scopes to push; ${upstream.name} has none in its settings.`,
      );
    }
    const { outboxStore } = this.#options;
    const pending = outboxStore.pending(upstream.id).filter((change) => isSelected(change.name, chosen));
    return mergeChanges(pending, (name, version) => outboxStore.wasPushed(upstream.id, name, version));
  }
}

async function readOrError(peer: Peer, name: string): Promise<RemotePackage | Error> {
  try {
    return await peer.read(name);
  } catch (error) {
    if (error instanceof GatehouseError || error instanceof OutboundError) return error;
    throw error;
  }
}
