import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { LoadJob, LoadReply, LoadRequest, LoadResult } from './load-job.ts';

interface Pending {
  readonly begun: () => void;
  readonly resolve: (result: LoadResult) => void;
  readonly reject: (error: Error) => void;
}

/** A process of its own that sends requests, so that measuring takes nothing from the event loop that is measured. */
export class LoadGenerator {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  #last = 0;

  constructor() {
    this.#child = fork(path.join(import.meta.dirname, 'load-process.ts'), [], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child.on('message', (reply: LoadReply) => this.#receive(reply));
    this.#child.on('exit', () => {
      for (const { reject } of this.#pending.values()) reject(new Error('The load process has ended.'));
      this.#pending.clear();
    });
  }

  /** @throws Error with the head of the answer if one is not the expected one. */
  async run(job: LoadJob): Promise<LoadResult> {
    return this.#post(job).result;
  }

  /** Starts a probe; the answer ends it and tells what it met. */
  async startProbe(job: Extract<LoadJob, { kind: 'probe' }>): Promise<() => Promise<LoadResult>> {
    const { begun, result } = this.#post(job);
    await Promise.race([begun, result]);
    return () => {
      this.#child.send({ id: 0, job: { kind: 'stop' } } satisfies LoadRequest);
      return result;
    };
  }

  stop(): void {
    this.#child.removeAllListeners('exit');
    this.#child.kill();
  }

  #post(job: LoadJob): { begun: Promise<void>; result: Promise<LoadResult> } {
    this.#last += 1;
    const id = this.#last;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const result = new Promise<LoadResult>((resolve, reject) => {
      this.#pending.set(id, { begun: begin, resolve, reject });
    });
    this.#child.send({ id, job } satisfies LoadRequest);
    return { begun, result };
  }

  #receive(reply: LoadReply): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    if (reply.kind === 'begun') {
      pending.begun();
      return;
    }
    this.#pending.delete(reply.id);
    if (reply.kind === 'done') pending.resolve(reply.result);
    else pending.reject(new Error(reply.message));
  }
}
