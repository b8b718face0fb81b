import type { OfflineMode, UpstreamState } from '../../contract/upstream.ts';
import type { OutboundError } from './outbound-error.ts';

export interface ConnectivityOptions {
  readonly clock: () => number;
  /** Runs `work` after `milliseconds`; answers how to call it off. Must not keep the process alive. */
  readonly later: (milliseconds: number, work: () => void) => () => void;
  /** Asks an upstream whether it is there. Rejects if it is not. */
  readonly probe: (upstreamId: number) => Promise<void>;
  /** Told when the state of an upstream changed. */
  readonly onChange: (upstreamId: number) => void;
  /** Told when an upstream answers again, or for the first time. */
  readonly onBack: (upstreamId: number) => void;
}

export type Permission =
  { readonly allowed: true } | { readonly allowed: false; readonly reason: string; readonly retryAt: number | null };

interface Circuit {
  status: 'unknown' | 'reachable' | 'away';
  since: number | null;
  lastError: string | null;
  failures: number;
  openUntil: number;
  /** Whether the other side itself asked to be left alone (429), which counts in every mode. */
  asked: boolean;
  cancelProbe: (() => void) | undefined;
}

const firstPause = 2_000;
const longestPause = 300_000;
/** Failures in a row after which an upstream that answers badly or slowly is left alone; one that can't be reached at all is at once. */
const patience = 3;

/**
 * A circuit breaker for each upstream, and the offline switch above all of them. An upstream that is away is not asked by clients'
 * requests, which would each wait for nothing; it is probed now and then until it is back.
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
      circuit.cancelProbe?.();
      circuit.cancelProbe = undefined;
      circuit.failures = 0;
      if (!circuit.asked) circuit.openUntil = 0;
    }
  }

  /** Whether an upstream may be asked now. */
  mayAsk(upstreamId: number): Permission {
    if (this.#mode === 'on') return { allowed: false, reason: 'offline', retryAt: null };
    const circuit = this.#circuitOf(upstreamId);
    const open = circuit.openUntil > this.#options.clock() && (circuit.asked || this.#mode === 'auto');
    if (!open) return { allowed: true };
    return { allowed: false, reason: circuit.lastError ?? 'it is away', retryAt: circuit.openUntil };
  }

  succeeded(upstreamId: number): void {
    const circuit = this.#circuitOf(upstreamId);
    const wasBack = circuit.status === 'reachable';
    circuit.cancelProbe?.();
    circuit.cancelProbe = undefined;
    Object.assign(circuit, { failures: 0, openUntil: 0, asked: false, lastError: null });
    if (wasBack) return;
    circuit.status = 'reachable';
    circuit.since = this.#options.clock();
    this.#options.onChange(upstreamId);
    this.#options.onBack(upstreamId);
  }

  /** Notes a failure that is the upstream's own (see `OutboundError.isTheirs`). */
  failed(upstreamId: number, error: OutboundError): void {
    const circuit = this.#circuitOf(upstreamId);
    const now = this.#options.clock();
    circuit.failures += 1;
    circuit.lastError = error.message;
    circuit.asked = error.status === 429 || error.retryAfterSeconds !== null;
    const unreachable = error.failure === 'network';
    if (circuit.asked) {
      circuit.openUntil = now + Math.min((error.retryAfterSeconds ?? 10) * 1000, longestPause);
    } else if (unreachable || circuit.failures >= patience) {
      const steps = circuit.failures - (unreachable ? 1 : patience);
      circuit.openUntil = now + Math.min(firstPause * 2 ** Math.min(steps, 16), longestPause);
    } else return;
    if (circuit.status !== 'away') {
      circuit.status = 'away';
      circuit.since = now;
      this.#options.onChange(upstreamId);
    }
    this.#probeLater(upstreamId, circuit, circuit.openUntil - now);
  }

  stateOf(upstreamId: number): UpstreamState {
    const { status, since, lastError, openUntil } = this.#circuitOf(upstreamId);
    if (this.#mode === 'on') return { status: 'offline', since, lastError, retryAt: null };
    const retryAt = openUntil > this.#options.clock() ? openUntil : null;
    return { status, since, lastError, retryAt };
  }

  forget(upstreamId: number): void {
    this.#circuits.get(upstreamId)?.cancelProbe?.();
    this.#circuits.delete(upstreamId);
  }

  /** Asks an upstream now whether it is there, whatever its circuit says. */
  async probe(upstreamId: number): Promise<void> {
    if (this.#mode === 'on') return;
    // The probe reports through `succeeded` and `failed` like every request.
    await this.#options.probe(upstreamId).catch(() => undefined);
  }

  close(): void {
    for (const circuit of this.#circuits.values()) circuit.cancelProbe?.();
    this.#circuits.clear();
  }

  #probeLater(upstreamId: number, circuit: Circuit, pause: number): void {
    circuit.cancelProbe?.();
    circuit.cancelProbe = undefined;
    if (this.#mode !== 'auto') return;
    circuit.cancelProbe = this.#options.later(Math.max(pause, 0) + 1, () => {
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
        asked: false,
        cancelProbe: undefined,
      };
      this.#circuits.set(upstreamId, circuit);
    }
    return circuit;
  }
}
