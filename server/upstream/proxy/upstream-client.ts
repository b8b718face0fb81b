import type { Connectivity } from '../network/connectivity.ts';
import { OutboundError } from '../network/outbound-error.ts';
import { readAll } from '../network/outbound.ts';
import type { Outbound, OutboundResponse, OutboundRequest } from '../network/outbound.ts';
import type { SecretBox } from '../secret-box.ts';
import type { UpstreamRow } from '../upstream-store.ts';

/** Milliseconds that any upstream gets for the head of an answer, whoever waits for it. */
export const answerTimeout = 30_000;
/** Bytes of a packument or of another JSON document. */
const documentLimit = 256 * 1024 * 1024;

export type ClientRequest = Omit<OutboundRequest, 'base' | 'token' | 'timeout'> & { readonly timeout?: number };

/** Asks one upstream, with its token, and tells its circuit breaker how that went. */
export class UpstreamClient {
  readonly #outbound: Pick<Outbound, 'send'>;
  readonly #connectivity: Connectivity;
  readonly #secrets: SecretBox;

  constructor(outbound: Pick<Outbound, 'send'>, connectivity: Connectivity, secrets: SecretBox) {
    this.#outbound = outbound;
    this.#connectivity = connectivity;
    this.#secrets = secrets;
  }

  /** Any answer below 500 but 429. @throws OutboundError */
  async send(upstream: UpstreamRow, request: ClientRequest): Promise<OutboundResponse> {
    const permission = this.#connectivity.mayAsk(upstream.id);
    if (!permission.allowed) throw refusal(upstream, permission);
    return this.#attempt(upstream, request);
  }

  /** As `send`, even while the circuit is open; the offline switch still holds. For probes and for a person's own test. */
  async sendAnyway(upstream: UpstreamRow, request: ClientRequest): Promise<OutboundResponse> {
    return this.#attempt(upstream, request);
  }

  /** The answer with its body as JSON; undefined where it is none. */
  async json(
    upstream: UpstreamRow,
    request: ClientRequest,
  ): Promise<{ status: number; headers: OutboundResponse['headers']; value: unknown }> {
    const answer = await this.send(upstream, request);
    const host = new URL(request.url).host;
    try {
      const bytes = await readAll(answer, documentLimit, host);
      return { status: answer.status, headers: answer.headers, value: parse(bytes) };
    } catch (error) {
      if (error instanceof OutboundError) this.noteFailure(upstream, error);
      throw error;
    }
  }

  /** Notes that an answer that had begun well did not end well. */
  noteFailure(upstream: UpstreamRow, error: OutboundError): void {
    if (error.isTheirs) this.#connectivity.failed(upstream.id, error);
  }

  async #attempt(upstream: UpstreamRow, request: ClientRequest): Promise<OutboundResponse> {
    const token = upstream.token === null ? null : this.#secrets.open(upstream.token);
    try {
      const answer = await this.#outbound.send({ timeout: answerTimeout, ...request, base: upstream.url, token });
      if (answer.status !== 429 && answer.status < 500) {
        this.#connectivity.succeeded(upstream.id);
        return answer;
      }
      answer.body.destroy();
      const { host } = new URL(request.url);
      throw new OutboundError(
        'status',
        answer.status === 429 ? `${host} asks for a pause (429)` : `${host} answers with an error (${answer.status})`,
        { status: answer.status, retryAfterSeconds: retryAfter(answer) },
      );
    } catch (error) {
      if (error instanceof OutboundError && error.isTheirs) this.#connectivity.failed(upstream.id, error);
      throw error;
    }
  }
}

/** Address of a package at a registry: the scope's slash encoded, as npm sends it and GitLab wants it. */
export function packageUrl(base: string, name: string): string {
  return `${base}/${name.replace('/', '%2f')}`;
}

function refusal(upstream: UpstreamRow, permission: { reason: string; retryAt: number | null }): OutboundError {
  if (permission.retryAt === null) return new OutboundError('offline', 'offline: no request leaves this machine');
  return new OutboundError('network', `${upstream.name} is away (${permission.reason})`, {
    retryAfterSeconds: Math.max(1, Math.ceil((permission.retryAt - Date.now()) / 1000)),
  });
}

function retryAfter(answer: OutboundResponse): number | null {
  const header = answer.headers['retry-after'];
  if (header === undefined) return null;
  if (/^\d{1,6}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
