import { systemActor } from '../../accounts/change.ts';
import type { Actor } from '../../accounts/change.ts';
import type { OutboxContext } from './operations.ts';
import type { OutboxRun } from './outbox-store.ts';
import { Push } from './push.ts';

export interface PushRunsOptions extends OutboxContext {
  readonly onProgress: (upstreamId: number) => void;
  /** Called when a push has ended by itself and that is saved. */
  readonly onEnded: (upstreamId: number) => Promise<void>;
}

/** The pushes under way, one for each upstream. A push is saved as a run before it begins, so that the next start of the server continues it. */
export class PushRuns {
  readonly #options: PushRunsOptions;
  readonly #pushes = new Map<number, Push>();
  /** Upstreams whose push is being prepared: a second one would send the same changes. */
  readonly #starting = new Set<number>();
  #closed = false;

  constructor(options: PushRunsOptions) {
    this.#options = options;
  }

  /** The push to an upstream that is under way. */
  of(upstreamId: number): Push | undefined {
    return this.#pushes.get(upstreamId);
  }

  /** Whether a push to an upstream is under way or being prepared. */
  isBusy(upstreamId: number): boolean {
    return this.#pushes.has(upstreamId) || this.#starting.has(upstreamId);
  }

  /** Whether no push begins any more. */
  get isClosed(): boolean {
    return this.#closed;
  }

  /** Saves a run together with `work`, then begins it; its end is in the audit trail. */
  async start(run: OutboxRun, actor: Actor, work: (change: { readonly now: number }) => void): Promise<void> {
    const { outboxStore, unitOfWork } = this.#options;
    this.#starting.add(run.upstreamId);
    try {
      await unitOfWork.write((change) => {
        work(change);
        outboxStore.putRun(run);
      });
      if (!this.#closed) this.#drive(run, actor);
    } finally {
      this.#starting.delete(run.upstreamId);
    }
  }

  /** Continues the runs that were under way when the server ended. */
  resume(): void {
    const { outboxStore, upstreams } = this.#options;
    for (const run of outboxStore.activeRuns()) if (upstreams.find(run.upstreamId)) this.#drive(run, systemActor);
  }

  /** Stops the push to an upstream after the change that is being pushed. */
  async stop(upstreamId: number): Promise<void> {
    const { outboxStore, unitOfWork } = this.#options;
    await this.#pushes.get(upstreamId)?.stop();
    const run = outboxStore.run(upstreamId);
    if (run?.running === true) await unitOfWork.write(() => outboxStore.putRun({ ...run, running: false }));
  }

  /** The server ends: every run stays as it is. */
  close(): void {
    this.#closed = true;
    for (const push of this.#pushes.values()) push.abandon();
    this.#pushes.clear();
  }

  #drive(run: OutboxRun, actor: Actor): void {
    const { upstreamId } = run;
    const onProgress = (): void => this.#options.onProgress(upstreamId);
    const push = new Push({ ...this.#options, run, onProgress });
    this.#pushes.set(upstreamId, push);
    onProgress();
    const ended = push.ended.then(async (outcome) => {
      if (outcome === 'finished' && !this.#closed) {
        // Before another push can begin, whose run this would replace.
        await this.#saveEnd(run, push, actor).finally(() => this.#pushes.delete(upstreamId));
      } else if (this.#pushes.get(upstreamId) === push) this.#pushes.delete(upstreamId);
      if (outcome !== 'finished' || this.#closed) return;
      onProgress();
      await this.#options.onEnded(upstreamId);
    });
    // What could not be saved or started (a full disk) is taken up by the next change, or by the next start of the server.
    ended.catch(() => undefined);
  }

  #saveEnd(run: OutboxRun, { arrived, hasSent, notSent }: Push, actor: Actor): Promise<void> {
    const { outboxStore, unitOfWork, upstreams } = this.#options;
    const upstream = upstreams.find(run.upstreamId);
    return unitOfWork.write((change) => {
      outboxStore.putRun({ ...run, running: false });
      if (upstream === undefined || (!hasSent && notSent === 0)) return;
      const target = { type: 'upstream', id: upstream.id, name: upstream.name };
      change.record({
        actor,
        action: 'outbox.sent',
        target,
        after: { sent: hasSent ? arrived : 0, not_sent: notSent },
      });
    });
  }
}
