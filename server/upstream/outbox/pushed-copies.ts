import { GatehouseError } from '../../contract/errors.ts';
import { integrityOf } from '../../lib/integrity.ts';
import { OutboundError } from '../network/outbound-error.ts';
import type { OutboxContext } from './operations.ts';
import { Peer } from './peer.ts';

export interface PushedCopiesOptions extends Pick<
  OutboxContext,
  'outboxStore' | 'upstreams' | 'client' | 'tarballs' | 'collector'
> {
  /** Bytes of one tarball. */
  readonly tarballLimit: number;
}

/** Fetches contents that are damaged here back from the registries that they were pushed to. */
export class PushedCopies {
  readonly #options: PushedCopiesOptions;
  #closed = false;

  constructor(options: PushedCopiesOptions) {
    this.#options = options;
  }

  /**
   * Puts a content in place if a registry that has it by a push still gives the very same bytes.
   * @returns whether it is in place. @throws GatehouseError if the registry is being closed, so that nothing is given up for that.
   */
  async restore(sha512: string): Promise<boolean> {
    const { outboxStore, upstreams, client } = this.#options;
    const integrity = integrityOf(sha512);
    for (const { upstreamId, name, version } of outboxStore.arrivedWith(integrity)) {
      const upstream = upstreams.find(upstreamId);
      if (!upstream || upstream.kind === 'archive') continue;
      try {
        const bytes = await new Peer(client, upstream).download(name, version, integrity);
        if (bytes && (await this.#keep(sha512, bytes))) return true;
      } catch (error) {
        // Out of reach, or refused: the next one may have it.
        if (!(error instanceof GatehouseError) && !(error instanceof OutboundError)) throw error;
      }
      if (this.#closed) throw new GatehouseError('unprocessable', 'The registry is being closed.');
    }
    return false;
  }

  close(): void {
    this.#closed = true;
  }

  async #keep(sha512: string, bytes: AsyncIterable<Buffer>): Promise<boolean> {
    const { tarballs, collector, tarballLimit } = this.#options;
    const writer = tarballs.create();
    try {
      for await (const chunk of bytes) {
        if (writer.size + chunk.length > tarballLimit) return false;
        await writer.write(chunk);
      }
      if (writer.digests().sha512 !== sha512) return false;
      const release = collector.hold(sha512);
      // A row refers to it, unless it was unpublished meanwhile.
      await writer.keep().finally(() => release(false));
      return true;
    } finally {
      await writer.discard();
    }
  }
}
