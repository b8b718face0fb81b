import type { Block, Connectivity } from '../network/connectivity.ts';
import { OutboundError, toOutboundError } from '../network/outbound-error.ts';
import type { Outbound, OutboundResponse, OutboundRequest } from '../network/outbound.ts';
import { Slots } from '../../lib/slots.ts';
import type { SecretBox } from '../secret-box.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import { readForeignJson, type ForeignJson } from './foreign-json.ts';

export type ClientRequest = Omit<OutboundRequest, 'base' | 'token' | 'timeout'> & { readonly timeout?: number };

/** Sends requests to an upstream, with its token, and reports each outcome to its circuit breaker. */
export class UpstreamClient {
  readonly #outbound: Pick<Outbound, 'send'>;
  readonly #connectivity: Connectivity;
  readonly #secrets: SecretBox;
  /** For long documents of each upstream, so that none takes much memory and none keeps others waiting. */
  readonly #long = new Map<number, Slots>();

  constructor(outbound: Pick<Outbound, 'send'>, connectivity: Connectivity, secrets: SecretBox) {
    this.#outbound = outbound;
    this.#connectivity = connectivity;
    this.#secrets = secrets;
  }

  /** The response, of any status below 500 but 429. @throws OutboundError */
  async send(upstream: UpstreamRow, request: ClientRequest): Promise<OutboundResponse> {
    const block = this.#connectivity.blockOf(upstream.id);
    if (block) {
      this.#connectivity.hurry(upstream.id);
      throw blockedError(upstream, block);
    }
    return this.sendAnyway(upstream, request);
  }

  /** As `send`, even while the circuit is open; the offline switch still holds. For probes and tests. */
  async sendAnyway(upstream: UpstreamRow, request: ClientRequest): Promise<OutboundResponse> {
    const token = upstream.token === null ? null : this.#secrets.open(upstream.token);
    try {
      const response = await this.#outbound.send({
        timeout: upstream.timeoutMilliseconds,
        ...request,
        base: upstream.url,
        token,
      });
      const { status, headers } = response;
      if (status !== 429 && status < 500) {
        if (isOwn(upstream, request.url)) this.#connectivity.succeeded(upstream.id);
        return response;
      }
      response.body.destroy();
      const { host } = new URL(request.url);
      throw new OutboundError(
        'status',
        status === 429 ? `${host} requests a pause (429)` : `${host} answers with an error (${status})`,
        { status, retryAfterSeconds: retryAfter(headers['retry-after']) },
      );
    } catch (error) {
      if (error instanceof OutboundError) this.noteFailure(upstream, request.url, error);
      throw error;
    }
  }

  /**
   * The response with its body as JSON; `value` is undefined where it is none.
   * @throws OutboundError also for a document that is broken or too large.
   */
  async json(
    upstream: UpstreamRow,
    request: ClientRequest,
  ): Promise<ForeignJson & Pick<OutboundResponse, 'status' | 'headers'>> {
    const { status, headers, body } = await this.send(upstream, request);
    const { host } = new URL(request.url);
    const slots = this.#long.get(upstream.id) ?? new Slots(1);
    this.#long.set(upstream.id, slots);
    let isLong = false;
    const onLong = async (): Promise<void> => {
      await slots.take();
      isLong = true;
    };
    try {
      return { status, headers, ...(await readForeignJson(body as AsyncIterable<Buffer>, host, onLong)) };
    } catch (error) {
      const failure = toOutboundError(error, host);
      this.noteFailure(upstream, request.url, failure);
      throw failure;
    } finally {
      if (isLong) slots.release();
    }
  }

  /** Reports that an upstream answered as a registry, whatever its last test found. */
  noteRegistry({ id }: UpstreamRow): void {
    this.#connectivity.noteFinding(id, null);
  }

  /** Reports a failure of a request to an address, also of a response after its head. */
  noteFailure(upstream: UpstreamRow, url: string, error: OutboundError): void {
    if (error.isTheirs && isOwn(upstream, url)) this.#connectivity.failed(upstream.id, error);
  }
}

/** Whether an address is the registry's own. Its packuments may name tarballs at any host, which says nothing about the registry. */
function isOwn(upstream: UpstreamRow, url: string): boolean {
  return new URL(url).origin === new URL(upstream.url).origin;
}

/** Address of a package at a registry: the scope's slash encoded, as npm sends it and GitLab wants it. */
export function packageUrl(base: string, name: string): string {
  return `${base}/${name.replace('/', '%2f')}`;
}

/** A body as JSON; undefined if it is none. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function blockedError(upstream: UpstreamRow, block: Block): OutboundError {
  if (block.kind === 'offline') return new OutboundError('offline', 'offline: no request leaves this machine');
  const { failure, message, status } = block.error;
  return new OutboundError(failure, `${upstream.name} is away (${message})`, {
    ...(status === null ? {} : { status }),
    retryAfterSeconds: Math.max(1, Math.ceil((block.retryAt - Date.now()) / 1000)),
    cause: block.error,
  });
}

function retryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d{1,6}$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
