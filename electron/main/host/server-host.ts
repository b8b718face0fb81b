import type {
  AppFailure,
  AppState,
  BridgeEvent,
  CallReply,
  MoveProgress,
  RecoveryProgress,
  Unsubscribe,
} from '../../../server/contract/bridge.ts';
import { messageFromServer, type LinkEvent, type LinkStartFailed } from '../../../server/contract/link.ts';
import type { MethodName, MethodParams, MethodResult } from '../../../server/contract/methods.ts';
import { failureNamed, failureOfExitCode, failureTexts } from './failures.ts';
import { PendingCalls, serverUnavailable } from './pending-calls.ts';
import { judgeExit } from './restart-policy.ts';
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

const defaultLimits: HostLimits = { start: 120_000, failedExit: 2_000, stop: 15_000, call: 30_000, heartbeat: 5_000 };

export interface HostOptions {
  /** Starts a server child. An Error that it throws is shown as the cause. */
  readonly launch: () => ServerProcess;
  /** Called with everything that the server writes. */
  readonly onOutput?: (text: string) => void;
  readonly limits?: Partial<HostLimits>;
}

interface Child {
  readonly server: ServerProcess;
  readonly log: LogTail;
  readonly exited: Promise<void>;
  readyAt: number | null;
  startFailure: LinkStartFailed | null;
  startTimer: NodeJS.Timeout | null;
  heartbeat: NodeJS.Timeout | null;
}

/**
 * Supervises the server child: starts it, reports its state, carries calls and events, restarts it after a crash, and stops it, with a
 * kill at the deadline. There is at most one child at a time.
 */
export class ServerHost {
  readonly #options: HostOptions;
  readonly #limits: HostLimits;
  readonly #calls = new PendingCalls();
  readonly #stateListeners = new Set<(state: AppState) => void>();
  readonly #eventListeners = new Set<(event: BridgeEvent) => void>();
  #state: AppState = { phase: 'starting' };
  #child: Child | null = null;
  #restarts = 0;
  #restartTimer: NodeJS.Timeout | null = null;
  #stopping: Promise<void> | null = null;
  /** Other code that works on the data or waits for it: no server may start before the last is done. */
  #works = 0;
  #lastWork: Promise<unknown> = Promise.resolve();
  /** A start was asked for meanwhile. */
  #startWanted = false;
  #lastLog: LogTail | null = null;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
  }

  get state(): AppState {
    return this.#state;
  }

  /** The last lines that the server wrote, also after it ended. */
  get log(): readonly string[] {
    return this.#lastLog?.lines() ?? [];
  }

  onState(listener: (state: AppState) => void): Unsubscribe {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  onEvent(listener: (event: BridgeEvent) => void): Unsubscribe {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Starts the server, unless it runs or is being stopped; while other code works on the data, after that. The outcome is a state. */
  start(): void {
    this.#startWanted = this.#works > 0;
    if (this.#child !== null || this.#stopping !== null || this.#startWanted) return;
    this.#clearRestart();
    this.#setState({ phase: 'starting' });
    try {
      this.#watch(this.#options.launch());
    } catch (error) {
      this.#fail('notStarted', [], error instanceof Error ? error.message : undefined);
    }
  }

  /** Starts the server after a failure, with no restarts counted. */
  retry(): void {
    this.#restarts = 0;
    this.start();
  }

  /** Stops the server after its open requests, or kills it at the deadline. Resolves when the child is gone. */
  async stop(): Promise<void> {
    this.#startWanted = false;
    await this.#stopChild();
  }

  async #stopChild(): Promise<void> {
    this.#clearRestart();
    const child = this.#child;
    if (child === null) return;
    this.#stopping ??= this.#shutDown(child).finally(() => (this.#stopping = null));
    await this.#stopping;
  }

  /** Stops the server and starts it with the settings of now. */
  async restart(): Promise<void> {
    await this.stop();
    this.retry();
  }

  /**
   * Stops the server and lets none start until `work` on its data is done; what it reports is the state `moving`. One work runs at a
   * time. Starts no server afterwards, unless that was asked for meanwhile. Rejects as `work` does.
   */
  async runWhileStopped<T>(work: (report: (progress: MoveProgress) => void) => Promise<T>): Promise<T> {
    this.#works += 1;
    const run = this.#lastWork.then(async () => {
      await this.#stopChild();
      return work((progress) => this.#setState({ phase: 'moving', ...progress }));
    });
    this.#lastWork = run.catch(() => undefined);
    try {
      return await run;
    } finally {
      this.#works -= 1;
      if (this.#works === 0 && this.#startWanted) this.start();
    }
  }

  /** Says in the state of a failure what is being done about it; null when that has ended. */
  showRecovery(progress: RecoveryProgress | null): void {
    if (this.#state.phase !== 'failed') return;
    const { recovery: _former, ...state } = this.#state;
    this.#setState(progress === null ? state : { ...state, recovery: progress });
  }

  /** Calls the server for the app itself. Never rejects; without a running server the reply is `app_unavailable`. */
  async call<M extends MethodName>(method: M, params: MethodParams<M>): Promise<CallReply<MethodResult<M>>> {
    return (await this.#send('app', method, params)) as CallReply<MethodResult<M>>;
  }

  /** Passes on a call of a page, which only the server checks. */
  callFromWindow(method: string, params: unknown): Promise<CallReply<unknown>> {
    return this.#send('window', method, params);
  }

  async #send(
    caller: 'app' | 'window',
    method: string,
    params: unknown,
    deadline = this.#limits.call,
  ): Promise<CallReply<unknown>> {
    const child = this.#child;
    if (child === null || child.readyAt === null || this.#stopping !== null) {
      return { ok: false, error: serverUnavailable };
    }
    const { id, reply } = this.#calls.open(deadline);
    child.server.send({ kind: 'request', id, caller, method, params });
    return reply;
  }

  #watch(server: ServerProcess): void {
    const { promise: exited, resolve: markExited } = Promise.withResolvers<void>();
    const child: Child = {
      server,
      log: new LogTail(),
      exited,
      readyAt: null,
      startFailure: null,
      startTimer: null,
      heartbeat: null,
    };
    this.#child = child;
    this.#lastLog = child.log;
    child.startTimer = setTimeout(() => this.#startTimedOut(child), this.#limits.start);
    server.onOutput((text) => {
      child.log.add(text);
      this.#options.onOutput?.(text);
    });
    server.onMessage((message) => this.#receive(child, message));
    server.onExit((code) => {
      this.#child = null;
      clearTimeout(child.startTimer ?? undefined);
      clearTimeout(child.heartbeat ?? undefined);
      this.#calls.rejectAll(serverUnavailable);
      markExited();
      if (this.#stopping === null) this.#handleExit(child, code);
    });
  }

  #receive(child: Child, raw: unknown): void {
    const parsed = messageFromServer.safeParse(raw);
    if (!parsed.success) {
      this.#options.onOutput?.('Gatehouse: the server sent a message that the app does not understand.\n');
      return;
    }
    const message = parsed.data;
    this.#setAnswering(true);
    switch (message.kind) {
      case 'reply':
        this.#calls.settle(message);
        break;
      case 'event':
        this.#announce(message);
        break;
      case 'start-failed':
        child.startFailure = message;
        // It exits right after, except as a utility process, which an empty event loop does not end.
        clearTimeout(child.startTimer ?? undefined);
        child.startTimer = setTimeout(() => child.server.kill(), this.#limits.failedExit);
        break;
      case 'ready':
        clearTimeout(child.startTimer ?? undefined);
        child.readyAt = Date.now();
        this.#setState({
          phase: 'ready',
          origin: message.origin,
          port: message.port,
          pid: message.pid,
          answering: true,
        });
        this.#scheduleHeartbeat(child);
        break;
      default:
        message satisfies never;
    }
  }

  #scheduleHeartbeat(child: Child): void {
    child.heartbeat = setTimeout(() => {
      void this.#send('app', 'server.status', {}, this.#limits.heartbeat).then((reply) => {
        if (this.#child !== child) return;
        if (!reply.ok && reply.error.code === 'app_timeout') this.#setAnswering(false);
        this.#scheduleHeartbeat(child);
      });
    }, this.#limits.heartbeat);
  }

  #setAnswering(answering: boolean): void {
    const state = this.#state;
    if (state.phase === 'ready' && state.answering !== answering) this.#setState({ ...state, answering });
  }

  #announce({ seq, topic, payload }: LinkEvent): void {
    // The server is the app's own: its events have the types of the contract.
    const event = { seq, topic, payload } as BridgeEvent;
    for (const listener of this.#eventListeners) listener(event);
  }

  #handleExit(child: Child, code: number | null): void {
    const wasReady = child.readyAt !== null;
    const named = child.startFailure === null ? null : failureNamed(child.startFailure.failure);
    const uptime = child.readyAt === null ? 0 : Date.now() - child.readyAt;
    const verdict = judgeExit({ code, wasReady, named, uptime, restarts: this.#restarts });
    const logTail = child.log.lines();
    if (verdict.kind === 'give-up') {
      this.#fail(verdict.failure, logTail, child.startFailure?.message ?? exitCause(code, verdict.failure));
      return;
    }
    this.#restarts = verdict.attempt;
    this.#setState({
      phase: 'restarting',
      attempt: verdict.attempt,
      restartAt: Date.now() + verdict.delay,
      cause: exitCause(code, 'crashed') ?? failureTexts.crashed.cause,
      remedy: 'Publish again what was being published.',
      logTail,
    });
    this.#restartTimer = setTimeout(() => this.start(), verdict.delay);
  }

  #startTimedOut(child: Child): void {
    const seconds = Math.round(this.#limits.start / 1_000);
    child.startFailure = {
      kind: 'start-failed',
      failure: 'failed',
      message: `The registry was not ready after ${seconds} seconds and was stopped.`,
    };
    child.server.kill();
  }

  async #shutDown(child: Child): Promise<void> {
    child.server.send({ kind: 'shutdown' });
    const { stop, failedExit } = this.#limits;
    const frozen = this.#state.phase === 'ready' && !this.#state.answering;
    const deadline = setTimeout(() => child.server.kill(), frozen ? failedExit : stop);
    await child.exited;
    clearTimeout(deadline);
  }

  #fail(failure: AppFailure, logTail: readonly string[], cause?: string): void {
    const texts = failureTexts[failure];
    this.#setState({ phase: 'failed', failure, cause: cause ?? texts.cause, remedy: texts.remedy, logTail });
  }

  #setState(state: AppState): void {
    this.#state = state;
    for (const listener of this.#stateListeners) listener(state);
  }

  #clearRestart(): void {
    clearTimeout(this.#restartTimer ?? undefined);
    this.#restartTimer = null;
  }
}

/** The cause of an exit that the server did not explain; undefined where the failure's own text is better. */
function exitCause(code: number | null, failure: AppFailure): string | undefined {
  if (failureOfExitCode(code) !== null || failure !== 'crashed') return undefined;
  return code === null
    ? 'The registry was killed or crashed.'
    : `The registry stopped unexpectedly (exit code ${code}).`;
}
