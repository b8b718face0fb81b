import { GatehouseError } from '../../contract/errors.ts';
import type { BackupSummary, DoctorReport, Job } from '../../contract/maintenance.ts';
import type { OnProgress } from './backup.ts';

/** What a job may leave behind besides its effect. */
export interface JobResult {
  readonly report?: DoctorReport;
  readonly backup?: BackupSummary;
}

type Work = (onProgress: OnProgress, signal: AbortSignal) => Promise<JobResult | undefined>;

interface Kept {
  job: Job;
  readonly abort: AbortController;
  readonly ended: Promise<Job>;
}

const mostKept = 50;
/** Milliseconds between two announcements of one job's progress. */
const announceEvery = 100;

/** Long works on the store, one at a time in the order in which they were asked for, with their progress. */
export class JobList {
  readonly #announce: (job: Job) => void;
  readonly #kept: Kept[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #nextId = 1;

  constructor(announce: (job: Job) => void) {
    this.#announce = announce;
  }

  /** Newest first. */
  list(): Job[] {
    return this.#kept.map(({ job }) => job).toReversed();
  }

  /** Queues a work; answers its id at once. */
  start(kind: Job['kind'], work: Work): number {
    const id = this.#nextId;
    this.#nextId += 1;
    const abort = new AbortController();
    const job: Job = {
      id,
      kind,
      state: 'running',
      phase: 'Waiting',
      done: 0,
      total: 0,
      startedAt: Date.now(),
      finishedAt: null,
      error: null,
      report: null,
      backup: null,
    };
    const kept: Kept = { job, abort, ended: this.#last.then(() => this.#run(() => kept, work)) };
    this.#last = kept.ended;
    this.#kept.push(kept);
    while (this.#kept.length > mostKept && this.#kept[0]?.job.state !== 'running') this.#kept.shift();
    this.#announce(job);
    return id;
  }

  /** Resolves when the job has ended, however it ended. @throws GatehouseError `not_found`. */
  ended(id: number): Promise<Job> {
    return this.#find(id).ended;
  }

  /** @throws GatehouseError `not_found`. One that has ended stays as it is. */
  cancel(id: number): void {
    this.#find(id).abort.abort();
  }

  /** Cancels all and resolves when none runs any more. */
  async stop(): Promise<void> {
    for (const { abort } of this.#kept) abort.abort();
    await this.#last;
  }

  #find(id: number): Kept {
    const kept = this.#kept.find(({ job }) => job.id === id);
    if (!kept) throw new GatehouseError('not_found', `There is no job ${id}.`);
    return kept;
  }

  /** Never rejects: what went wrong stands in the job. */
  async #run(get: () => Kept, work: Work): Promise<Job> {
    const kept = get();
    let announcedAt = 0;
    const update = (change: Partial<Job>): void => {
      const isNewPhase = change.phase !== undefined && change.phase !== kept.job.phase;
      kept.job = { ...kept.job, ...change };
      const now = Date.now();
      if (!isNewPhase && kept.job.state === 'running' && now - announcedAt < announceEvery) return;
      announcedAt = now;
      this.#announce(kept.job);
    };
    try {
      kept.abort.signal.throwIfAborted();
      const result = await work((phase, done, total) => update({ phase, done, total }), kept.abort.signal);
      update({ state: 'done', finishedAt: Date.now(), report: result?.report ?? null, backup: result?.backup ?? null });
    } catch (error) {
      const isCancelled = kept.abort.signal.aborted;
      update({
        state: isCancelled ? 'cancelled' : 'failed',
        finishedAt: Date.now(),
        error: isCancelled ? null : describe(error),
      });
    }
    return kept.job;
  }
}

function describe(error: unknown): string {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'SQLITE_FULL')) {
    return 'The disk is full. Nothing was changed; what was written so far is deleted again.';
  }
  return error instanceof Error ? error.message : String(error);
}
