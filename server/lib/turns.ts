import { AsyncLocalStorage } from 'node:async_hooks';

/** Milliseconds of one turn of the event loop in which requests are begun. */
const share = 10;
const mostWaiting = 100;

/** Runs a function without the context of a request. */
const outside = AsyncLocalStorage.snapshot();

/**
 * Shares the event loop out. A turn of it takes all that sockets have brought, so what is short for one request adds up: hundreds of
 * pipelined ones, or the slices of many long ones, would hold it for seconds.
 */
class Turns {
  readonly #waiting = new Map<object, (() => void)[]>();
  /** Milliseconds used in this turn. */
  #used = 0;
  /** Keys of which this turn may still begin a work: what comes to wait from now on is for the next one. */
  #left = 0;
  #isScheduled = false;

  begin(key: object, work: () => void): boolean {
    if ((this.#waiting.get(key)?.length ?? 0) >= mostWaiting) return false;
    this.#schedule();
    if (this.#waiting.size === 0 && this.#used < share) this.#measure(work);
    else this.#enqueue(key, work);
    return true;
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#enqueue(resolve, resolve);
      this.#schedule();
    });
  }

  #enqueue(key: object, work: () => void): void {
    const others = this.#waiting.get(key);
    if (others) others.push(work);
    else this.#waiting.set(key, [work]);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    outside(() => setImmediate(() => this.#take()));
  }

  /** Begins what waits, one of each key in turn. */
  #take(): void {
    this.#isScheduled = false;
    this.#used = 0;
    this.#left = this.#waiting.size;
    this.#proceed();
  }

  #proceed(): void {
    const [first] = this.#waiting;
    if (!first) return;
    if (this.#left === 0 || this.#used >= share) {
      this.#schedule();
      return;
    }
    this.#left -= 1;
    const [key, works] = first;
    const work = works.shift();
    this.#waiting.delete(key);
    if (works.length > 0) this.#waiting.set(key, works);
    const began = performance.now();
    // What goes on after a piece does so in microtasks, which are all done before the next tick.
    queueMicrotask(() =>
      process.nextTick(() => {
        this.#used += performance.now() - began;
        this.#proceed();
      }),
    );
    work?.();
  }

  #measure(work: () => void): void {
    const began = performance.now();
    try {
      work();
    } finally {
      this.#used += performance.now() - began;
    }
  }
}

const turns = new Turns();

/**
 * Runs `work` at once if this turn of the event loop has time for it, else in a later turn and outside of the context of its caller.
 * @param key what is shared fairly: works with the same one are begun in their order, and alternate with those of others
 * @returns false, and does not run it, if too many works with this key wait.
 */
export function beginInTurn(key: object, work: () => void): boolean {
  return turns.begin(key, work);
}

/** Lets other work run between two pieces of a long one. Pieces of several long ones get turns of their own. */
export function nextTurn(): Promise<void> {
  return turns.next();
}
