import type { CallError, CallReply } from '../../../server/contract/bridge.ts';
import { isErrorCode } from '../../../server/contract/errors.ts';
import type { LinkError, LinkReply } from '../../../server/contract/link.ts';

interface Pending {
  readonly settle: (reply: CallReply<unknown>) => void;
  readonly timer: NodeJS.Timeout;
}

/** Calls without a reply yet, by id. Each gets one reply: of the server, at its deadline, or when the server ends. */
export class PendingCalls {
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;

  /** Opens a call; `deadline` is in milliseconds. */
  open(deadline: number): { readonly id: number; readonly reply: Promise<CallReply<unknown>> } {
    const id = this.#nextId;
    this.#nextId += 1;
    const reply = new Promise<CallReply<unknown>>((settle) => {
      const timer = setTimeout(() => this.#close(id, { ok: false, error: timedOut(deadline) }), deadline);
      this.#pending.set(id, { settle, timer });
    });
    return { id, reply };
  }

  /** Settles the call of this reply; replies after the deadline and unknown ones are dropped. */
  settle(reply: LinkReply): void {
    this.#close(reply.id, reply.ok ? { ok: true, value: reply.value } : { ok: false, error: fromLink(reply.error) });
  }

  rejectAll(error: CallError): void {
    for (const id of this.#pending.keys()) this.#close(id, { ok: false, error });
  }

  #close(id: number, reply: CallReply<unknown>): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    pending.settle(reply);
  }
}

/** The reply to a call without a server. */
export const serverUnavailable: CallError = {
  code: 'app_unavailable',
  message: 'The registry is not running.',
  details: {},
};

function timedOut(deadline: number): CallError {
  const seconds = Math.round(deadline / 1_000);
  return {
    code: 'app_timeout',
    message: `The registry did not answer within ${seconds} seconds. Whether the change was made is not known.`,
    details: {},
  };
}

function fromLink(error: LinkError): CallError {
  return {
    code: isErrorCode(error.code) ? error.code : 'internal',
    message: error.message,
    details: error.details,
  };
}
