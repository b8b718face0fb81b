import { GatehouseError } from '../contract/errors.ts';

/** The part of a budget that one request holds. */
export interface HeldBytes {
  /** Holds this many from now on, in place of what was held before. @throws GatehouseError `busy` if there are not as many left. */
  hold(bytes: number): void;
  release(): void;
}

/** A number of bytes that requests share: whoever comes when it is used up is asked to come again. */
export class ByteBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  hold(): HeldBytes {
    let held = 0;
    const hold = (bytes: number): void => {
      if (bytes - held > this.#left) throw new GatehouseError('busy', undefined, { retryAfterSeconds: 1 });
      this.#left -= bytes - held;
      held = bytes;
    };
    return { hold, release: () => hold(0) };
  }
}

/** For documents that are collected and then parsed: each takes several times its size while that happens. */
export const documentBudget = new ByteBudget(64 * 1024 * 1024);
