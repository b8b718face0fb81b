import { GatehouseError } from '../../contract/errors.ts';
import { asGatehouseError, explainDataError } from '../../lib/file-error.ts';
import type { BackupSummary, DoctorReport, Job } from '../../contract/maintenance.ts';

/** Reports the progress of a job; `total` is 0 while it is not known. */
export type OnProgress = (phase: string, done: number, total: number) => void;

/** The result of a job, where it has one. */
export interface JobResult {
  readonly report?: DoctorReport;
  readonly backup?: BackupSummary;
}

type Work = (onProgress: OnProgress, signal: AbortSignal) => Promise<JobResult | void>;

interface StoredJob {
  job: Job;
  readonly abort: AbortController;
  readonly ended: Promise<Job>;
}

const mostStored = 50;
/** Milliseconds between two announcements of one job's progress. */
const announceEvery = 100;

/** Runs long jobs one at a time in order, and reports their progress. */
export class JobList {
  readonly #dataFolder: string;
  readonly #announce: (job: Job) => void;
  readonly #jobs: StoredJob[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #nextId = 1;

  constructor(dataFolder: string, announce: (job: Job) => void) {
    this.#dataFolder = dataFolder;
    this.#announce = announce;
  }

  /** Newest first. */
  list(): Job[] {
    return this.#jobs.map(({ job }) => job).toReversed();
  }

  /** Queues a job; returns its id. */
  start(kind: Job['kind'], work: Work, { scheduled = false } = {}): number {
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
      scheduled,
    };
    const stored: StoredJob = { job, abort, ended: this.#last.then(() => this.#run(() => stored, work)) };
    this.#last = stored.ended;
    this.#jobs.push(stored);
    while (this.#jobs.length > mostStored && this.#jobs[0]?.job.state !== 'running') this.#jobs.shift();
    this.#announce(job);
    return id;
  }

  /** Resolves when the job has ended in any way. @throws GatehouseError `not_found`. */
  ended(id: number): Promise<Job> {
    return this.#find(id).ended;
  }

  /** @throws GatehouseError `not_found`. One that has ended stays as it is. */
  cancel(id: number): void {
    this.#find(id).abort.abort();
  }

  /** Cancels all and resolves when none runs. */
  async stop(): Promise<void> {
    for (const { abort } of this.#jobs) abort.abort();
    await this.#last;
  }

  #find(id: number): StoredJob {
    const stored = this.#jobs.find(({ job }) => job.id === id);
    if (!stored) throw new GatehouseError('not_found', `There is no job ${id}.`);
    return stored;
  }

  /** Never rejects: the error is in the job. */
  async #run(get: () => StoredJob, work: Work): Promise<Job> {
    const stored = get();
    let announcedAt = 0;
    const update = (change: Partial<Job>): void => {
      const isNewPhase = change.phase !== undefined && change.phase !== stored.job.phase;
      stored.job = { ...stored.job, ...change };
      const now = Date.now();
      if (!isNewPhase && stored.job.state === 'running' && now - announcedAt < announceEvery) return;
      announcedAt = now;
      this.#announce(stored.job);
    };
    try {
      stored.abort.signal.throwIfAborted();
      const result = await work((phase, done, total) => update({ phase, done, total }), stored.abort.signal);
      update({ state: 'done', finishedAt: Date.now(), report: result?.report ?? null, backup: result?.backup ?? null });
    } catch (error) {
      const isCancelled = stored.abort.signal.aborted;
      update({
        state: isCancelled ? 'cancelled' : 'failed',
        finishedAt: Date.now(),
        error: isCancelled ? null : describe(error, this.#dataFolder),
      });
    }
    return stored.job;
  }
}

function describe(error: unknown, dataFolder: string): string {
  const fault = explainDataError(error, dataFolder);
  if (fault === undefined) return error instanceof Error ? error.message : String(error);
  const isFull = asGatehouseError(error).code === 'storage_full';
  return isFull ? `${fault} Nothing was changed; what was written so far is deleted again.` : fault;
}
