import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal } from './principal.ts';

/** A decision that let a caller act; throws what a request that came now would be refused with. */
type Decision = (principal: Principal) => void;

const current = new AsyncLocalStorage<Standing | undefined>();

/**
 * Who makes a request, and the decisions that it rests on. Time passes between those and the change: a body arrives, a password is
 * hashed, a tarball is synced. So all of them are made again when the body has arrived and inside each write of the request.
 */
export class Standing {
  readonly #identify: () => Principal;
  readonly #decisions: Decision[] = [];
  #principal: Principal;

  /** @param identify finds out who the caller is, as of now; @throws what it throws */
  constructor(identify: () => Principal) {
    this.#identify = identify;
    this.#principal = identify();
  }

  /** The caller, as of the last confirmation. */
  get principal(): Principal {
    return this.#principal;
  }

  /** Runs a request, so that `restOn`, `confirmStanding` and writes find this standing. */
  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  /** @throws GatehouseError as the decisions do, if one of them would be another now. */
  confirm(): void {
    // Outside, or each decision would be noted once more.
    onOwnBehalf(() => {
      this.#principal = this.#identify();
      for (const decide of this.#decisions) decide(this.#principal);
    });
  }

  note(decision: Decision): void {
    this.#decisions.push(decision);
  }
}

/** Notes a decision in favour of the caller, to be made again later. Without a request there is nothing to note. */
export function restOn(decision: Decision): void {
  current.getStore()?.note(decision);
}

/** Makes every decision of the current request again. @throws GatehouseError if the caller may not act any more. */
export function confirmStanding(): void {
  current.getStore()?.confirm();
}

/** The check that belongs into a write that is asked for now; undefined where the registry acts by itself. */
export function confirmationOfWrite(): (() => void) | undefined {
  const standing = current.getStore();
  return standing && (() => standing.confirm());
}

/** Runs what the registry does by itself, whichever request set it off. */
export function onOwnBehalf<T>(work: () => T): T {
  return current.run(undefined, work);
}
