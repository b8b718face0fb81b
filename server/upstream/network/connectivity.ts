import type { OfflineMode, UpstreamFinding, UpstreamState } from '../../contract/upstream.ts';
import type { schedule } from '../../lib/timers.ts';
import type { OutboundError } from './outbound-error.ts';

export interface ConnectivityOptions {
  readonly clock: () => number;
  readonly schedule: typeof schedule;
  /** Sends a request to an upstream; rejects if it does not answer. */
  readonly probe: (upstreamId: number) => Promise<void>;
  /** Called when the state of an upstream changed. */
  readonly onChange: (upstreamId: number) => void;
  /** Called when an upstream answers again, or for the first time. */
  readonly onBack: (upstreamId: number) => void;
}

/** Why no request goes to an upstream now, and until when. */
export type Block =
  | { readonly kind: 'offline'; readonly retryAt: null }
  | { readonly kind: 'away'; readonly error: OutboundError; readonly retryAt: number };

interface Circuit {
  status: 'unknown' | 'reachable' | 'away';
  since: number | null;
  lastError: OutboundError | null;
  failures: number;
  openUntil: number;
  /** When the last request failed. */
  failedAt: number;
  /** Whether the upstream itself requested a pause (429), which counts in every mode. */
  pauseRequested: boolean;
  /** What the last test found. It keeps no request back. */
  finding: UpstreamFinding | null;
  cancelProbe: (() => void) | undefined;
}

const firstPause = 2_000;
const longestPause = 300_000;
/** Milliseconds between two probes of an upstream whose packages are wanted. */
const wantedPause = 5_000;
/** Failures in a row that open the circuit of an upstream that answers badly or slowly; one that is unreachable opens it at once. */
const failureThreshold = 3;

/**
 * A circuit breaker for each upstream, and the offline switch above all of them. While an upstream is away, clients' requests are refused
 * at once instead of waiting for a timeout each; probes find out when it is back.
 */
export class Connectivity {
  readonly #options: ConnectivityOptions;
  readonly #circuits = new Map<number, Circuit>();
  #mode: OfflineMode;

  constructor(mode: OfflineMode, options: ConnectivityOptions) {
    this.#mode = mode;
    this.#options = options;
  }

  get mode(): OfflineMode {
    return this.#mode;
  }

  set mode(mode: OfflineMode) {
    this.#mode = mode;
    for (const circuit of this.#circuits.values()) {
      cancelProbe(circuit);
      Object.assign(circuit, { failures: 0, openUntil: 0, pauseRequested: false });
    }
    // The person who switches wants to know at once who is back.
    for (const [upstreamId, { status }] of this.#circuits) if (status === 'away') void this.probe(upstreamId);
  }

  /** What keeps requests from an upstream now; undefined if nothing does. */
  blockOf(upstreamId: number): Block | undefined {
    if (this.#mode === 'on') return { kind: 'offline', retryAt: null };
    const { openUntil, pauseRequested, lastError } = this.#circuitOf(upstreamId);
    const isOpen = openUntil > this.#options.clock() && (pauseRequested || this.#mode === 'auto');
    return isOpen && lastError ? { kind: 'away', error: lastError, retryAt: openUntil } : undefined;
  }

  /** Notes that a package of an upstream that is away is wanted now: it is probed soon, however long it has been away. */
  hurry(upstreamId: number): void {
    const circuit = this.#circuitOf(upstreamId);
    const at = circuit.failedAt + wantedPause;
    if (!circuit.cancelProbe || circuit.pauseRequested || at >= circuit.openUntil) return;
    circuit.openUntil = at;
    this.#probeAt(upstreamId, circuit);
  }

  /** Records an answer. */
  succeeded(upstreamId: number): void {
    const circuit = this.#circuitOf(upstreamId);
    const wasReachable = circuit.status === 'reachable';
    cancelProbe(circuit);
    Object.assign(circuit, { failures: 0, openUntil: 0, pauseRequested: false, lastError: null });
    if (wasReachable) return;
    circuit.status = 'reachable';
    circuit.since = this.#options.clock();
    this.#options.onChange(upstreamId);
    this.#options.onBack(upstreamId);
  }

  /** Records a failure that is the upstream's own (see `OutboundError.isTheirs`). */
  failed(upstreamId: number, error: OutboundError): void {
    const circuit = this.#circuitOf(upstreamId);
    const now = this.#options.clock();
    circuit.failures += 1;
    circuit.lastError = error;
    circuit.failedAt = now;
    circuit.pauseRequested = error.status === 429 || error.retryAfterSeconds !== null;
    const unreachable = error.failure === 'network';
    if (circuit.pauseRequested) {
      circuit.openUntil = now + Math.min((error.retryAfterSeconds ?? 10) * 1000, longestPause);
    } else if (unreachable || circuit.failures >= failureThreshold) {
      const steps = circuit.failures - (unreachable ? 1 : failureThreshold);
      circuit.openUntil = now + Math.min(firstPause * 2 ** Math.min(steps, 16), longestPause);
    } else return;
    if (circuit.status !== 'away') {
      circuit.status = 'away';
      circuit.since = now;
      this.#options.onChange(upstreamId);
    }
    if (this.#mode === 'auto') this.#probeAt(upstreamId, circuit);
  }

  /** Records what a test found, or null where a test or a packument shows a registry that can be used. */
  noteFinding(upstreamId: number, finding: UpstreamFinding | null): void {
    const circuit = this.#circuitOf(upstreamId);
    if (circuit.finding === finding) return;
    circuit.finding = finding;
    this.#options.onChange(upstreamId);
  }

  /** The state that people see. */
  stateOf(upstreamId: number): UpstreamState {
    const { status, since, lastError: error, openUntil, finding } = this.#circuitOf(upstreamId);
    const lastError = error?.message ?? null;
    if (this.#mode === 'on') return { status: 'offline', since, lastError, retryAt: null, finding };
    const retryAt = openUntil > this.#options.clock() ? openUntil : null;
    return { status, since, lastError, retryAt, finding };
  }

  /** Forgets the circuit of an upstream: its settings changed, or it was removed. */
  forget(upstreamId: number): void {
    this.#circuits.get(upstreamId)?.cancelProbe?.();
    this.#circuits.delete(upstreamId);
  }

  /** Finds out whether an upstream answers now, whatever its circuit says. */
  async probe(upstreamId: number): Promise<void> {
    if (this.#mode === 'on') return;
    // The probe reports through `succeeded` and `failed` like every request.
    await this.#options.probe(upstreamId).catch(() => undefined);
  }

  /** Before a request that a person waits for: one that is away may be back, unless it requested the pause itself. */
  async retry(upstreamId: number): Promise<void> {
    if (this.blockOf(upstreamId) && !this.#circuitOf(upstreamId).pauseRequested) await this.probe(upstreamId);
  }

  close(): void {
    for (const circuit of this.#circuits.values()) cancelProbe(circuit);
    this.#circuits.clear();
  }

  /** Probes when the circuit closes. */
  #probeAt(upstreamId: number, circuit: Circuit): void {
    cancelProbe(circuit);
    const wait = Math.max(circuit.openUntil - this.#options.clock(), 0) + 1;
    circuit.cancelProbe = this.#options.schedule(wait, () => {
      circuit.cancelProbe = undefined;
      void this.probe(upstreamId);
    });
  }

  #circuitOf(upstreamId: number): Circuit {
    let circuit = this.#circuits.get(upstreamId);
    if (!circuit) {
      circuit = {
        status: 'unknown',
        since: null,
        lastError: null,
        failures: 0,
        openUntil: 0,
        failedAt: 0,
        pauseRequested: false,
        finding: null,
        cancelProbe: undefined,
      };
      this.#circuits.set(upstreamId, circuit);
    }
    return circuit;
  }
}

function cancelProbe(circuit: Circuit): void {
  circuit.cancelProbe?.();
  circuit.cancelProbe = undefined;
}
