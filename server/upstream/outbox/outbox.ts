import { GatehouseError } from '../../contract/errors.ts';
import type { OutboxOperation, OutboxStatus } from '../../contract/upstream.ts';
import type { UnitOfWork } from '../../accounts/change.ts';
import { integrityOf } from '../../lib/integrity.ts';
import type { PackageStore, VersionRow } from '../../registry/package-store.ts';
import type { TarballStore } from '../../registry/publish/tarball-port.ts';
import type { Connectivity } from '../network/connectivity.ts';
import { OutboundError } from '../network/outbound-error.ts';
import { isSelected } from '../proxy/routing.ts';
import type { UpstreamClient } from '../proxy/upstream-client.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import type { Upstreams } from '../upstreams.ts';
import { applyChange, decideChange } from './decide.ts';
import type { LocalFacts, RemotePackage } from './decide.ts';
import { foldChanges } from './fold.ts';
import { decisionOf, newItem, operationOf, unknownDecision } from './operations.ts';
import type { OutboxChange, OutboxRun, OutboxStore } from './outbox-store.ts';
import { Peer } from './peer.ts';
import { Push } from './push.ts';
import { requirePushable } from './pushable.ts';

export interface OutboxOptions {
  readonly store: OutboxStore;
  readonly upstreams: Upstreams;
  readonly client: UpstreamClient;
  readonly connectivity: Connectivity;
  readonly packages: PackageStore;
  readonly tarballs: TarballStore;
  readonly unitOfWork: UnitOfWork;
  readonly clock: () => number;
  readonly onProgress: (upstreamId: number) => void;
  readonly later: (milliseconds: number, work: () => void) => () => void;
}

/** Carries changes that were made here to other registries, in order and each once. */
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
   * @throws GatehouseError `not_found`, `invalid_request`; an upstream that can't be asked shows as verdict `unknown`.
   */
  async plan(upstreamId: number, selection: readonly string[]): Promise<OutboxOperation[]> {
    const upstream = requirePushable(this.#options.upstreams.require(upstreamId));
    const { effective } = this.#folded(upstream, selection);
    const peer = new Peer(this.#options.client, upstream);
    const remotes = new Map<string, RemotePackage | GatehouseError | OutboundError>();
    const operations: OutboxOperation[] = [];
    for (const change of effective) {
      let remote = remotes.get(change.name) ?? (await readOrFail(peer, change.name));
      const local = this.localFacts(change);
      const item = this.#options.store.item(upstreamId, change.id);
      if (remote instanceof Error) operations.push(operationOf(change, item, unknownDecision(remote)));
      else {
        const decision = decideChange(change, remote, local);
        operations.push(operationOf(change, item, decision));
        if (decision.verdict === 'new') remote = applyChange(change, remote, local);
      }
      remotes.set(change.name, remote);
    }
    return operations;
  }

  /** Starts to carry what a plan shows. @throws GatehouseError `conflict` while a push to this upstream is under way. */
  async start(upstreamId: number, selection: readonly string[]): Promise<OutboxStatus> {
    const upstream = requirePushable(this.#options.upstreams.require(upstreamId));
    if (this.#pushes.has(upstreamId)) {
      throw new GatehouseError('conflict', `A push to ${upstream.name} is under way. Wait for it, or stop it first.`);
    }
    const { effective, superseded } = this.#folded(upstream, selection);
    const { store, unitOfWork, clock } = this.#options;
    const run: OutboxRun = {
      upstreamId,
      running: true,
      startedAt: clock(),
      changes: [...this.#unsettled(upstreamId), ...effective.map((change) => change.id)]
        .filter((id, index, all) => all.indexOf(id) === index)
        .toSorted((a, b) => a - b),
    };
    await unitOfWork.write(({ now }) => {
      for (const change of superseded) {
        const error = 'A later change took its place.';
        store.putItem({ ...newItem(upstreamId, change.id), state: 'skipped', error }, now);
      }
      for (const change of effective) {
        const known = store.item(upstreamId, change.id) ?? newItem(upstreamId, change.id);
        store.putItem({ ...known, state: 'waiting', attempts: 0, error: null }, now);
      }
      store.putRun(run);
    });
    this.#drive(run);
    return this.status(upstreamId);
  }

  /** Goes on with pushes that were under way when the server ended. */
  resume(): void {
    for (const run of this.#options.store.runsUnderWay())
      if (this.#options.upstreams.find(run.upstreamId)) this.#drive(run);
  }

  async stop(upstreamId: number): Promise<OutboxStatus> {
    this.#options.upstreams.require(upstreamId);
    await this.#pushes.get(upstreamId)?.stop();
    const run = this.#options.store.run(upstreamId);
    if (run?.running === true) await this.#endRun(run);
    this.#options.onProgress(upstreamId);
    return this.status(upstreamId);
  }

  /** Settles a change that stopped (see the contract), and goes on. */
  async resolve(upstreamId: number, changeId: number, how: 'theirs' | 'ours' | 'retry'): Promise<OutboxStatus> {
    const { store, unitOfWork } = this.#options;
    const upstream = requirePushable(this.#options.upstreams.require(upstreamId));
    const item = store.item(upstreamId, changeId);
    const change = store.change(changeId);
    if (!item || !change || (item.state !== 'conflict' && item.state !== 'failed')) {
      throw new GatehouseError('not_found', `Nothing of ${upstream.name} waits for a decision under this number.`);
    }
    if (how === 'ours' && change.kind === 'publish') {
      throw new GatehouseError(
        'unprocessable',
        `${change.name}@${change.version} can't be replaced there. Publish it under another version, or leave theirs.`,
      );
    }
    await unitOfWork.write(({ now }) => {
      const after =
        how === 'theirs'
          ? { state: 'skipped' as const, error: 'Left as it is there.' }
          : { state: 'waiting' as const, error: null, attempts: 0, forced: how === 'ours' };
      store.putItem({ ...item, ...after }, now);
    });
    const run = store.run(upstreamId);
    if (run && !this.#pushes.has(upstreamId)) {
      const again = { ...run, running: true };
      await unitOfWork.write(() => store.putRun(again));
      this.#drive(again);
    }
    this.#options.onProgress(upstreamId);
    return this.status(upstreamId);
  }

  /** The push under way, or the last one. */
  status(upstreamId: number): OutboxStatus {
    const { store, upstreams } = this.#options;
    const upstream = upstreams.require(upstreamId);
    const run = store.run(upstreamId);
    const push = this.#pushes.get(upstreamId);
    const operations = (run?.changes ?? []).flatMap((id) => {
      const change = store.change(id);
      const item = store.item(upstreamId, id);
      if (!change || !item) return [];
      const now = push?.currentChange === id ? { ...item, state: 'running' as const } : item;
      return [operationOf(change, now, decisionOf(item))];
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
      current: push?.current ?? null,
      retryAt: push?.retryAt ?? null,
      operations,
    };
  }

  /** Whether anything waits that an upstream gets by itself; then sends it. */
  async sendByItself(upstreamId: number): Promise<void> {
    const upstream = this.#options.upstreams.find(upstreamId);
    if (!upstream || this.#closed) return;
    const push = this.#pushes.get(upstreamId);
    if (push) {
      push.goOn();
      return;
    }
    if (!upstream.autoPush || !upstream.enabled || !this.#options.connectivity.mayAsk(upstreamId).allowed) return;
    const { effective } = this.#folded(upstream, []);
    const stateOf = (change: OutboxChange) => this.#options.store.item(upstreamId, change.id)?.state ?? 'waiting';
    // What waits for a person is left to the person, with all that comes after it in the same package.
    const stopped = new Set(
      effective.filter((change) => ['conflict', 'failed'].includes(stateOf(change))).map((change) => change.name),
    );
    const names = new Set(effective.map((change) => change.name).filter((name) => !stopped.has(name)));
    if (names.size > 0) await this.start(upstreamId, [...names]);
  }

  /** Goes on at once with a push that waits: something changed that it may have waited for. */
  wake(upstreamId: number): void {
    this.#pushes.get(upstreamId)?.goOn();
  }

  close(): void {
    this.#closed = true;
    for (const push of this.#pushes.values()) push.abandon();
    this.#pushes.clear();
  }

  /** How a change's version stands here. */
  localFacts(change: OutboxChange): LocalFacts {
    const row = this.#versionHere(change);
    const ever = new Set(this.#options.store.versionsEver(change.name));
    return {
      integrity: row && `${integrityOf(row.tarballSha512)} ${integrityOf(row.shasum, 'sha1')}`,
      isOurs: (version) => ever.has(version),
    };
  }

  #versionHere({ projectId, name, version }: OutboxChange): VersionRow | undefined {
    const { packages } = this.#options;
    const row = version === null ? undefined : packages.findPackage(projectId, name);
    return row && version !== null ? packages.findVersion(row.id, version) : undefined;
  }

  #drive(run: OutboxRun): void {
    const { store, upstreams, client, connectivity, unitOfWork, packages, tarballs, clock, onProgress, later } =
      this.#options;
    const upstream = upstreams.require(run.upstreamId);
    const push = new Push({
      run,
      upstream,
      // Made anew for each use, so that a changed token or address counts at once.
      get peer() {
        return new Peer(client, upstreams.require(run.upstreamId));
      },
      store,
      connectivity,
      unitOfWork,
      packages,
      tarballs,
      clock,
      later,
      localFacts: (change) => this.localFacts(change),
      versionHere: (change) => this.#versionHere(change),
      onProgress: () => onProgress(run.upstreamId),
    });
    this.#pushes.set(run.upstreamId, push);
    onProgress(run.upstreamId);
    void push.ended.then(async (outcome) => {
      if (this.#pushes.get(run.upstreamId) === push) this.#pushes.delete(run.upstreamId);
      if (outcome === 'finished' && !this.#closed) {
        await this.#endRun(run);
        onProgress(run.upstreamId);
        // Changes made while it ran.
        await this.sendByItself(run.upstreamId);
      }
    });
  }

  /** Changes of the last run that did not arrive; they stay in sight until somebody settles them. */
  #unsettled(upstreamId: number): number[] {
    const { store } = this.#options;
    return (store.run(upstreamId)?.changes ?? []).filter((id) => {
      const state = store.item(upstreamId, id)?.state;
      return state === 'conflict' || state === 'failed' || state === 'waiting';
    });
  }

  #endRun(run: OutboxRun): Promise<void> {
    return this.#options.unitOfWork.write(() => this.#options.store.putRun({ ...run, running: false }));
  }

  #folded(upstream: UpstreamRow, selection: readonly string[]): ReturnType<typeof foldChanges> {
    const chosen = selection.length > 0 ? selection : upstream.pushSelection;
    if (chosen.length === 0) {
      throw new GatehouseError(
        'invalid_request',
        `Name the packages or scopes to push; ${upstream.name} has none in its settings.`,
      );
    }
    const { store } = this.#options;
    const pending = store.pending(upstream.id).filter((change) => isSelected(change.name, chosen));
    return foldChanges(pending, (name, version) => store.wasCarried(upstream.id, name, version));
  }
}

async function readOrFail(peer: Peer, name: string): Promise<RemotePackage | GatehouseError | OutboundError> {
  try {
    return await peer.read(name);
  } catch (error) {
    if (error instanceof GatehouseError || error instanceof OutboundError) return error;
    throw error;
  }
}
