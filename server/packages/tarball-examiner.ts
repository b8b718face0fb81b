import { Worker } from 'node:worker_threads';
import { GatehouseError } from '../contract/errors.ts';
import type { Examination, ExaminerAnswer, ExaminerTask } from './examination.ts';
import { ManifestSigner } from './manifest-signer.ts';
import type { SigningKey } from './manifest-signer.ts';
import type { ReceivedTarball } from './receive-upload.ts';
import { integrityOf } from './verify-upload.ts';

/** Milliseconds without work after which the thread gives its memory back. */
const restTime = 5000;
/** Tarballs that may wait for the thread; what comes on top of them is examined here. */
const mostWaiting = 32;

const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './examiner-thread.ts' : './examiner-thread.js',
  import.meta.url,
);

export interface TarballExaminerOptions {
  readonly key: SigningKey;
  /** How many tarballs are on their way in. */
  readonly uploads: () => number;
}

interface Waiting {
  readonly here: () => Promise<Examination>;
  readonly resolve: (examination: Examination | Promise<Examination>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks at uploads as a whole: digests, contents, signature. One that comes alone is looked at here and now; where several come at once,
 * small ones go to a thread of their own, so that the next request and the commit of the last one need not wait.
 */
export class TarballExaminer {
  readonly #options: TarballExaminerOptions;
  readonly #signer: ManifestSigner;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #isUp = false;
  #lastId = 0;
  #rest: NodeJS.Timeout | undefined;

  constructor(options: TarballExaminerOptions) {
    this.#options = options;
    this.#signer = new ManifestSigner(options.key);
  }

  /** Of the key that signs. */
  get keyId(): string {
    return this.#signer.keyId;
  }

  /**
   * @param subject `name@version`, which is signed together with the integrity
   * @throws GatehouseError `invalid_request` for what is no npm tarball.
   */
  async examine(received: ReceivedTarball, subject: string): Promise<Examination> {
    const bytes = this.#options.uploads() > 1 ? received.writer.held() : undefined;
    const thread = bytes && this.#threadForOneMore();
    if (!thread) return this.#examineHere(received, subject);
    const examination = await new Promise<Examination>((resolve, reject) => {
      const id = (this.#lastId += 1);
      this.#waiting.set(id, { here: () => this.#examineHere(received, subject), resolve, reject });
      const task: ExaminerTask = { id, bytes, limits: received.limits, subject };
      thread.postMessage(task);
    });
    received.writer.learn(examination.digests);
    return examination;
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    clearTimeout(this.#rest);
    await this.#thread?.terminate();
  }

  async #examineHere(received: ReceivedTarball, subject: string): Promise<Examination> {
    const digests = received.writer.digests();
    const inspection = await received.inspect();
    return { digests, inspection, signature: this.#signer.sign(subject, integrityOf(digests.sha512)) };
  }

  #threadForOneMore(): Worker | undefined {
    this.#thread ??= this.#start();
    this.#rest?.refresh();
    return this.#isUp && this.#waiting.size < mostWaiting ? this.#thread : undefined;
  }

  #start(): Worker {
    const thread = new Worker(threadFile, { workerData: this.#options.key, name: 'examiner' });
    thread.unref();
    thread.on('online', () => {
      this.#isUp = true;
    });
    thread.on('message', (answer: ExaminerAnswer) => this.#settle(answer));
    // What it had not done is done here; the next ones get another thread.
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      this.#isUp = false;
      this.#thread = undefined;
      clearTimeout(this.#rest);
      this.#rest = undefined;
      const left = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { here, resolve } of left) resolve(here());
    });
    this.#rest = setTimeout(() => void thread.terminate(), restTime).unref();
    return thread;
  }

  #settle(answer: ExaminerAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    this.#waiting.delete(answer.id);
    if ('examination' in answer) waiting.resolve(answer.examination);
    else if ('failed' in answer) waiting.resolve(waiting.here());
    else waiting.reject(new GatehouseError(answer.refused.code, answer.refused.message, answer.refused.details));
  }
}
