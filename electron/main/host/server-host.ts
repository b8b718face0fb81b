import type {
  AppFailure,
  AppState,
  BridgeEvent,
  CallReply,
  MoveProgress,
  RecoveryProgress,
  Unsubscribe,
} from '../../../server/contract/bridge.ts';
import type { MethodName, MethodParams, MethodResult } from '../../../server/contract/methods.ts';
import { failureNamed, failureOfExitCode, failureTexts } from './failures.ts';
import { serverUnavailable } from './pending-calls.ts';
import { judgeExit } from './restart-policy.ts';
import { ServerChild, type HostLimits } from './server-child.ts';
import type { LogTail, ServerProcess } from './server-process.ts';

const defaultLimits: HostLimits = { start: 120_000, failedExit: 2_000, stop: 15_000, call: 30_000, heartbeat: 5_000 };

export interface HostOptions {
  /** Starts a server child. An Error that it throws is shown as the cause. */
  readonly launch: () => ServerProcess;
  /** Called with everything that the server writes. */
  readonly onOutput?: (text: string) => void;
  readonly limits?: Partial<HostLimits>;
}

/**
 * Supervises the server child: starts it, reports its state, carries calls and events, restarts it after a crash, and stops it, with a
 * kill at the deadline. There is at most one child at a time.
 */
export class ServerHost {
  readonly #options: HostOptions;
  readonly #limits: HostLimits;
  readonly #stateListeners = new Set<(state: AppState) => void>();
  readonly #eventListeners = new Set<(event: BridgeEvent) => void>();
  #state: AppState = { phase: 'starting' };
  #child: ServerChild | null = null;
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
    const isFrozen = this.#state.phase === 'ready' && !this.#state.answering;
    this.#stopping ??= child.shutDown(!isFrozen).finally(() => (this.#stopping = null));
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

  async #send(caller: 'app' | 'window', method: string, params: unknown): Promise<CallReply<unknown>> {
    return this.#child?.call(caller, method, params) ?? { ok: false, error: serverUnavailable };
  }

  #watch(server: ServerProcess): void {
    const child = new ServerChild({
      server,
      limits: this.#limits,
      onReady: ({ origin, port, pid }) => this.#setState({ phase: 'ready', origin, port, pid, answering: true }),
      onEvent: (event) => {
        for (const listener of this.#eventListeners) listener(event);
      },
      onAnswering: (isAnswering) => this.#setAnswering(isAnswering),
      onOutput: (text) => this.#options.onOutput?.(text),
      onExit: (code) => {
        this.#child = null;
        if (this.#stopping === null) this.#handleExit(child, code);
      },
    });
    this.#child = child;
    this.#lastLog = child.log;
  }

  #setAnswering(answering: boolean): void {
    const state = this.#state;
    if (state.phase === 'ready' && state.answering !== answering) this.#setState({ ...state, answering });
  }

  #handleExit(child: ServerChild, code: number | null): void {
    const wasReady = child.readyAt !== null;
    const named = child.startFailure === null ? null : failureNamed(child.startFailure.failure);
    const uptime = child.readyAt === null ? 0 : Date.now() - child.readyAt;
    const verdict = judgeExit({ code, wasReady, named, uptime, restarts: this.#restarts });
    const logTail = child.log.lines();
    if (verdict.kind === 'give-up') {
      const unexplained = failureOfExitCode(code) === null ? exitCause(code) : undefined;
      this.#fail(verdict.failure, logTail, child.startFailure?.message ?? unexplained);
      return;
    }
    this.#restarts = verdict.attempt;
    this.#setState({
      phase: 'restarting',
      attempt: verdict.attempt,
      restartAt: Date.now() + verdict.delay,
      cause: exitCause(code),
      remedy: 'If you were publishing, publish again.',
      logTail,
    });
    this.#restartTimer = setTimeout(() => this.start(), verdict.delay);
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

/** The cause of an exit that the server did not explain. */
function exitCause(code: number | null): string {
  return code === null ? 'It was killed or crashed.' : `It ended with exit code ${code}.`;
}
