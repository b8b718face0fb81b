import type { BridgeEvent, CallReply } from '../../../server/contract/bridge.ts';
import { messageFromServer, type LinkStartFailed, type MessageFromServer } from '../../../server/contract/link.ts';
import { PendingCalls, serverUnavailable } from './pending-calls.ts';
import { LogTail, type ServerProcess } from './server-process.ts';

/** All in milliseconds. */
export interface HostLimits {
  /** From launch to ready. Generous: a migration of a large database and a slow disk are no failure. */
  readonly start: number;
  /** From `start-failed`, or from the request to stop a server that does not answer, to the hard kill. */
  readonly failedExit: number;
  /** From the request to shut down to the hard kill. */
  readonly stop: number;
  readonly call: number;
  /** Between two heartbeats, and from a heartbeat to the state "not answering". */
  readonly heartbeat: number;
}

export interface ServerChildOptions {
  readonly server: ServerProcess;
  readonly limits: HostLimits;
  readonly onReady: (message: Extract<MessageFromServer, { kind: 'ready' }>) => void;
  readonly onEvent: (event: BridgeEvent) => void;
  /** With each message, and when a heartbeat stays without an answer. */
  readonly onAnswering: (isAnswering: boolean) => void;
  readonly onOutput: (text: string) => void;
  /** `code` is null when a signal ended it or it never started. */
  readonly onExit: (code: number | null) => void;
}

/** One server child from its launch to its exit: the control link to it, its heartbeat, and its deadlines. */
export class ServerChild {
  /** What it wrote last. */
  readonly log = new LogTail();
  /** When it became ready; null before. */
  readyAt: number | null = null;
  /** Why it cannot start, in its own words or after the deadline. */
  startFailure: LinkStartFailed | null = null;
  readonly #options: ServerChildOptions;
  readonly #calls = new PendingCalls();
  readonly #exited: Promise<void>;
  #startTimer: NodeJS.Timeout;
  #heartbeat: NodeJS.Timeout | undefined;
  /** It was asked to stop, or is gone. */
  #isEnding = false;

  constructor(options: ServerChildOptions) {
    this.#options = options;
    const { server, limits, onOutput, onExit } = options;
    this.#startTimer = setTimeout(() => this.#startTimedOut(), limits.start);
    server.onOutput((text) => {
      this.log.add(text);
      onOutput(text);
    });
    server.onMessage((message) => this.#receive(message));
    const { promise: exited, resolve: markExited } = Promise.withResolvers<void>();
    this.#exited = exited;
    server.onExit((code) => {
      this.#isEnding = true;
      clearTimeout(this.#startTimer);
      clearTimeout(this.#heartbeat);
      this.#calls.rejectAll(serverUnavailable);
      markExited();
      onExit(code);
    });
  }

  /** Never rejects; before it is ready, and once it ends, the reply is `app_unavailable`. */
  async call(
    caller: 'app' | 'window',
    method: string,
    params: unknown,
    deadline = this.#options.limits.call,
  ): Promise<CallReply<unknown>> {
    if (this.readyAt === null || this.#isEnding) return { ok: false, error: serverUnavailable };
    const { id, reply } = this.#calls.open(deadline);
    this.#options.server.send({ kind: 'request', id, caller, method, params });
    return reply;
  }

  /** Asks it to stop, and kills it at the deadline: a shorter one where it answers nothing. Resolves when it is gone. */
  async shutDown(isAnswering: boolean): Promise<void> {
    const { server, limits } = this.#options;
    this.#isEnding = true;
    server.send({ kind: 'shutdown' });
    const deadline = setTimeout(() => server.kill(), isAnswering ? limits.stop : limits.failedExit);
    await this.#exited;
    clearTimeout(deadline);
  }

  #receive(raw: unknown): void {
    const { server, limits, onAnswering, onEvent, onOutput, onReady } = this.#options;
    const parsed = messageFromServer.safeParse(raw);
    if (!parsed.success) {
      onOutput('Gatehouse: the server sent a message that the app does not understand.\n');
      return;
    }
    const message = parsed.data;
    onAnswering(true);
    switch (message.kind) {
      case 'reply':
        this.#calls.settle(message);
        break;
      case 'event': {
        const { seq, topic, payload } = message;
        // The server is the app's own: its events have the types of the contract.
        onEvent({ seq, topic, payload } as BridgeEvent);
        break;
      }
      case 'start-failed':
        this.startFailure = message;
        // It exits right after, except as a utility process, which an empty event loop does not end.
        clearTimeout(this.#startTimer);
        this.#startTimer = setTimeout(() => server.kill(), limits.failedExit);
        break;
      case 'ready':
        clearTimeout(this.#startTimer);
        this.readyAt = Date.now();
        onReady(message);
        this.#scheduleHeartbeat();
        break;
      default:
        message satisfies never;
    }
  }

  #scheduleHeartbeat(): void {
    const { limits, onAnswering } = this.#options;
    this.#heartbeat = setTimeout(() => {
      void this.call('app', 'server.status', {}, limits.heartbeat).then((reply) => {
        if (this.#isEnding) return;
        if (!reply.ok && reply.error.code === 'app_timeout') onAnswering(false);
        this.#scheduleHeartbeat();
      });
    }, limits.heartbeat);
  }

  #startTimedOut(): void {
    const { server, limits } = this.#options;
    const seconds = Math.round(limits.start / 1_000);
    this.startFailure = {
      kind: 'start-failed',
      failure: 'failed',
      message: `It was not ready after ${seconds} seconds and was stopped.`,
    };
    server.kill();
  }
}
