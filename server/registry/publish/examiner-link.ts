import { Worker } from 'node:worker_threads';
import { GatehouseError } from '../../contract/errors.ts';
import type { Examination, ExaminerAnswer, ExaminerMessage, UploadOutcome, UploadQuestion } from './examination.ts';
import type { SigningKey } from './manifest-signer.ts';
import { completeInspection } from './tarball-inspector.ts';
import type { InspectionLimits } from './upload-limits.ts';

/** Milliseconds without work after which the thread gives its memory back. */
const restTime = 60_000;

const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './examiner-thread.ts' : './examiner-thread.js',
  import.meta.url,
);

/** The thread ended, or met something that is no fault of the tarball; it may be examined in another way. */
export class ExaminerFailed extends Error {}

/**
 * What it unpacks becomes garbage at once, outside its heap; V8 lets half as much of that gather as the old generation may hold. It holds
 * one document at a time, of at most a quarter of a megabyte, so it needs little.
 */
const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 };

/** What ends a question: everything but the news that a piece was taken. */
type LastAnswer = Exclude<ExaminerAnswer, { kind: 'taken' | 'failed' }>;

/** Whoever sends a large tarball piece by piece. */
export interface PieceSender {
  /** The thread took a piece; its memory comes along if it can be used again. */
  taken(size: number, memory: ArrayBuffer | undefined): void;
  /** It will take no more. */
  failed(): void;
}

interface Waiting {
  readonly sender: PieceSender | undefined;
  readonly resolve: (answer: LastAnswer) => void;
  readonly reject: (error: ExaminerFailed) => void;
}

/** A tarball that the thread looks at. */
export interface LinkedTarball {
  /** A small one as a whole. */
  sendWhole(bytes: Uint8Array): void;
  /** The next part of a large one; its memory is given away. */
  sendPiece(bytes: Uint8Array): void;
  /** @throws GatehouseError for what is no npm tarball, ExaminerFailed. */
  end(subject: string): Promise<Examination>;
  cancel(): void;
}

/** This end of the examiner's thread, which is started when it is first needed and ends when it has had nothing to do for a while. */
export class ExaminerLink {
  readonly #key: SigningKey;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #isUp = false;
  #isClosed = false;
  #lastId = 0;
  #rest: NodeJS.Timeout | undefined;

  constructor(key: SigningKey) {
    this.#key = key;
  }

  /** Tarballs and documents that the thread has not done with. */
  get underWay(): number {
    return this.#waiting.size;
  }

  /** Whether the thread runs; if not, it is started for those who come later. */
  wake(): boolean {
    return this.#threadToUse() !== undefined && this.#isUp;
  }

  /**
   * Has a whole document read; its memory is given away.
   * @throws ExaminerFailed if there is no thread, or it ends.
   */
  async read(question: UploadQuestion): Promise<UploadOutcome> {
    const thread = this.#threadToUse();
    if (!thread) throw new ExaminerFailed('There is no thread.');
    const { id, answer } = this.#ask();
    const message: ExaminerMessage = { id, kind: 'upload', question };
    thread.postMessage(message, [question.body.buffer as ArrayBuffer]);
    const last = await answer;
    if (last.kind !== 'outcome') throw new ExaminerFailed(`It said ${last.kind}.`);
    return last.outcome;
  }

  /** Begins with a tarball; undefined where no thread is to be had. */
  begin(limits: InspectionLimits, sender?: PieceSender): LinkedTarball | undefined {
    const thread = this.#threadToUse();
    if (!thread) return undefined;
    const { id, answer } = this.#ask(sender);
    // Heard by `end`, if that is ever called.
    answer.catch(() => undefined);
    const tell = (message: ExaminerMessage, given: ArrayBuffer[] = []): void => thread.postMessage(message, given);
    tell({ id, kind: 'begin', limits });
    return {
      // Cloning a view clones all that lies beneath it.
      sendWhole: (bytes) =>
        tell({ id, kind: 'whole', bytes: bytes.length * 2 < bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes }),
      sendPiece: (bytes) => tell({ id, kind: 'piece', bytes }, [bytes.buffer as ArrayBuffer]),
      end: async (subject) => {
        tell({ id, kind: 'end', subject });
        const last = await answer;
        if (last.kind === 'refused') throw new GatehouseError(last.code, last.message, last.details);
        if (last.kind !== 'done') throw new ExaminerFailed(`It said ${last.kind}.`);
        const { digests, found, signature } = last;
        return { digests, inspection: completeInspection(found), signature };
      },
      cancel: () => {
        if (this.#waiting.delete(id)) tell({ id, kind: 'cancel' });
      },
    };
  }

  /** Ends the thread; what it had not done fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
  }

  #ask(sender?: PieceSender): { readonly id: number; readonly answer: Promise<LastAnswer> } {
    this.#rest?.refresh();
    const id = (this.#lastId += 1);
    const answer = new Promise<LastAnswer>((resolve, reject) => {
      this.#waiting.set(id, { sender, resolve, reject });
    });
    return { id, answer };
  }

  #threadToUse(): Worker | undefined {
    if (this.#isClosed) return undefined;
    try {
      this.#thread ??= this.#start();
    } catch {
      // No memory for one more thread.
    }
    return this.#thread;
  }

  #start(): Worker {
    const thread = new Worker(threadFile, { workerData: this.#key, name: 'examiner', resourceLimits });
    thread.unref();
    thread.on('online', () => {
      this.#isUp = true;
    });
    thread.on('message', (answer: ExaminerAnswer) => this.#hear(answer));
    thread.on('error', () => undefined);
    thread.on('exit', () => {
      // One that was sent to rest; another may be at work by now.
      if (this.#thread !== thread) return;
      this.#isUp = false;
      this.#thread = undefined;
      clearTimeout(this.#rest);
      const left = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { sender, reject } of left) {
        reject(new ExaminerFailed('The thread ended.'));
        sender?.failed();
      }
    });
    this.#rest = setTimeout(() => {
      if (this.underWay > 0) {
        this.#rest?.refresh();
        return;
      }
      // What comes while it ends gets another.
      this.#thread = undefined;
      this.#isUp = false;
      void thread.terminate();
    }, restTime).unref();
    return thread;
  }

  #hear(answer: ExaminerAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    if (answer.kind === 'taken') {
      waiting.sender?.taken(answer.size, answer.memory);
      return;
    }
    this.#waiting.delete(answer.id);
    if (answer.kind === 'failed') waiting.reject(new ExaminerFailed(answer.message));
    else waiting.resolve(answer);
  }
}
