import { schedule } from '../../lib/timers.ts';
import { OutboundError } from '../network/outbound-error.ts';
import { ChangeSender, labelOf } from './change-sender.ts';
import { isCarried, localFactsOf, packageOf } from './operations.ts';
import type { OutboxContext } from './operations.ts';
import type { OutboxChange, OutboxItem, OutboxRun } from './outbox-store.ts';
import { compareChange } from './plan.ts';
import type { Comparison, RemotePackage } from './plan.ts';

export interface PushOptions extends OutboxContext {
  readonly run: OutboxRun;
  readonly onProgress: () => void;
}

/** Error responses in a row that fail a change; an upstream that is out of reach is waited for. */
const mostAttempts = 5;
const firstPause = 2_000;
const longestPause = 300_000;
const longestTimer = 2 ** 31 - 1;
/**
 * One run of a push. Each change is compared with the upstream right before it is pushed, so one that arrived although its response was
 * lost (a crash, a cut connection) is recognised and never pushed twice. A change that stops holds back only the next ones of its package.
 */
export class Push {
  /** The change that is being pushed. */
  current: { readonly changeId: number; readonly label: string } | null = null;
  /** Whether it waits for the upstream, or for the offline switch. */
  isWaiting = false;
  /** When it continues, while it waits for the upstream. */
  retryAt: number | null = null;
  /** Changes that arrived; the tags that went along with a version, and what was there already, are among them. */
  arrived = 0;
  /** Whether it changed anything there. */
  hasSent = false;
  /** Changes that conflict or failed. */
  notSent = 0;
  /** `abandoned` leaves the run as it is, for the next start of the server. */
  readonly ended: Promise<'finished' | 'abandoned'>;
  readonly #options: PushOptions;
  readonly #sender: ChangeSender;
  readonly #upstreamId: number;
  #stopping = false;
  #abandoned = false;
  #wake: (() => void) | undefined;

  constructor(options: PushOptions) {
    this.#options = options;
    this.#upstreamId = options.run.upstreamId;
    this.#sender = new ChangeSender({
      ...options,
      save: (item) => this.#save(item),
      sleep: (milliseconds) => this.#sleep(milliseconds),
    });
    this.ended = this.#run().then(
      () => (this.#abandoned ? 'abandoned' : 'finished'),
      () => 'abandoned',
    );
  }

  /** Ends after the current change. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake?.();
    await this.ended;
  }

  /** The server ends: nothing more is written. */
  abandon(): void {
    this.#abandoned = true;
    this.#stopping = true;
    this.#wake?.();
  }

  /** Ends the wait for the upstream. */
  wake(): void {
    this.#wake?.();
  }

  async #run(): Promise<void> {
    const { run, outboxStore, onProgress } = this.#options;
    const blocked = new Set<string>();
    let pauses = 0;
    const remaining = [...run.changes];
    while (remaining.length > 0 && !this.#stopping) {
      const change = outboxStore.change(remaining[0] ?? 0);
      const item = change && outboxStore.item(this.#upstreamId, change.id);
      if (change && (item?.state === 'conflict' || item?.state === 'failed')) blocked.add(packageOf(change));
      if (!change || item?.state !== 'waiting' || blocked.has(packageOf(change)) || !this.#isCarried(change)) {
        remaining.shift();
        continue;
      }
      this.current = { changeId: change.id, label: labelOf(change) };
      const outcome = await this.#attempt(change, item);
      this.current = null;
      if (outcome === 'wait') {
        pauses += 1;
        await this.#pause(pauses);
        continue;
      }
      pauses = 0;
      if (outcome === 'stopped') {
        this.notSent += 1;
        blocked.add(packageOf(change));
      }
      remaining.shift();
      onProgress();
    }
  }

  async #attempt(change: OutboxChange, item: OutboxItem): Promise<'done' | 'stopped' | 'wait'> {
    try {
      const remote = await this.#sender.read(change.name);
      const { verdict, here, there, explanation } = this.#compare(change, item, remote);
      if (verdict === 'conflict') {
        await this.#save({ ...item, state: 'conflict', here, there, error: explanation });
        return 'stopped';
      }
      const isSent = verdict === 'new' && (await this.#sender.send(change, item, remote));
      // Also of a version that arrived with an earlier attempt.
      if (change.kind === 'publish') await this.#sender.removeTemporaryTag(change, remote);
      const isGone = change.kind === 'publish' && here === null;
      const state = isGone ? 'skipped' : 'done';
      const sent = isSent || item.sent;
      await this.#save({ ...item, state, sent, here, there, error: isGone ? explanation : null });
      this.arrived += 1;
      this.hasSent ||= verdict === 'new';
      return 'done';
    } catch (error) {
      if (this.#abandoned) return 'wait';
      return this.#saveFailure(this.#options.outboxStore.item(this.#upstreamId, change.id) ?? item, error);
    }
  }

  /** Decided again right before each change: settings, groups and projects may have changed since the push began. */
  #isCarried(change: OutboxChange): boolean {
    return isCarried(this.#options, this.#options.upstreams.require(this.#upstreamId), change);
  }

  #compare(change: OutboxChange, item: OutboxItem, remote: RemotePackage): Comparison {
    const local = localFactsOf(this.#options, this.#upstreamId, change);
    // Forced: what a tag points at there, and what is deprecated, counts as ours.
    return compareChange(change, remote, item.forced ? { ...local, isOurs: () => true } : local);
  }

  async #saveFailure(item: OutboxItem, error: unknown): Promise<'stopped' | 'wait'> {
    const message = error instanceof Error ? error.message : String(error);
    const attempts = item.attempts + 1;
    if (error instanceof OutboundError && (error.failure === 'offline' || error.isTheirs)) {
      const isErrorResponse = error.failure === 'status' && error.status !== 429;
      if (!isErrorResponse || attempts < mostAttempts) {
        await this.#save({ ...item, attempts, error: message });
        return 'wait';
      }
    }
    await this.#save({ ...item, state: 'failed', attempts, error: message });
    return 'stopped';
  }

  /** Waits until requests may go to the upstream again, or until `wake`. */
  async #pause(pauses: number): Promise<void> {
    const { connectivity, clock, onProgress } = this.#options;
    const block = connectivity.blockOf(this.#upstreamId);
    const backoff = Math.min(firstPause * 2 ** Math.min(pauses - 1, 10), longestPause);
    this.retryAt = block ? block.retryAt : clock() + backoff;
    this.isWaiting = true;
    onProgress();
    await this.#sleep(this.retryAt === null ? longestTimer : Math.max(0, this.retryAt - clock()));
    this.retryAt = null;
    this.isWaiting = false;
  }

  #sleep(milliseconds: number): Promise<void> {
    if (milliseconds === 0 || this.#stopping) return Promise.resolve();
    return new Promise((resolve) => {
      const proceed = (): void => {
        this.#wake = undefined;
        cancel();
        resolve();
      };
      const cancel = schedule(Math.min(milliseconds, longestTimer), proceed);
      this.#wake = proceed;
    });
  }

  async #save(item: OutboxItem): Promise<void> {
    if (this.#abandoned) throw new Error('The server ends.');
    const { outboxStore, unitOfWork } = this.#options;
    await unitOfWork.write(({ now }) => outboxStore.putItem(item, now));
  }
}
