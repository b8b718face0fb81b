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
  /** Bytes that one holder may have, so that nobody keeps others out with requests that never end. */
  readonly #share: number;
  readonly #ofHolder = new Map<string, number>();

  constructor(bytes: number) {
    this.#left = bytes;
    this.#share = bytes / 4;
  }

  /** @param holder who is counted together: a user, or the network of callers without a token */
  hold(holder: string): HeldBytes {
    let held = 0;
    const hold = (bytes: number): void => {
      const more = bytes - held;
      const ofHolder = (this.#ofHolder.get(holder) ?? 0) + more;
      if (more > 0 && (more > this.#left || ofHolder > this.#share)) {
        throw new GatehouseError('busy', undefined, { retryAfterSeconds: 1 });
      }
      this.#left -= more;
      held = bytes;
      if (ofHolder > 0) this.#ofHolder.set(holder, ofHolder);
      else this.#ofHolder.delete(holder);
    };
    return { hold, release: () => hold(0) };
  }
}

/** For documents that are collected and then parsed: each takes several times its size while that happens. */
export const documentBudget = new ByteBudget(64 * 1024 * 1024);
