import { createHash } from 'node:crypto';
import { GatehouseError } from '../../contract/errors.ts';
import { expectedIntegrity, integrityOf, sameIntegrity } from '../../lib/integrity.ts';
import type { ExpectedIntegrity } from '../../lib/integrity.ts';
import { shorten } from '../../lib/printable.ts';
import { tarballFileName } from '../../registry/package-name.ts';
import { OutboundError, toClientError, toOutboundError } from '../network/outbound-error.ts';
import type { OutboundResponse } from '../network/outbound.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { CachedTarballRow, UpstreamRow } from '../upstream-store.ts';
import type { ForeignManifest } from './foreign-packument.ts';
import { TarballDownload } from './tarball-download.ts';
import { packageUrl } from './upstream-client.ts';
import type { UpstreamClient } from './upstream-client.ts';

export interface TarballCacheOptions extends UpstreamContext {
  readonly client: UpstreamClient;
  /** Bytes of one tarball. */
  readonly tarballLimit: number;
}

/** Requests for one tarball, the first and those that resume it, before its client gets an error. */
const attempts = 3;

export type TarballSource =
  | { readonly kind: 'cached'; readonly row: CachedTarballRow }
  | { readonly kind: 'download'; readonly download: TarballDownload };

/** A version of an upstream's package, for messages and requests. */
interface Wanted {
  readonly upstream: UpstreamRow;
  readonly manifest: ForeignManifest;
  readonly label: string;
}

/** Tarballs of other registries: fetched once, verified against the packument, stored for good. */
export class TarballCache {
  readonly #options: TarballCacheOptions;
  readonly #downloads = new Map<string, Promise<TarballDownload>>();

  constructor(options: TarballCacheOptions) {
    this.#options = options;
  }

  /** A tarball that is here, whole and with its right size. */
  async cached(upstream: UpstreamRow, name: string, version: string): Promise<CachedTarballRow | undefined> {
    const { store, tarballs } = this.#options;
    const row = store.tarball(upstream.id, name, version);
    // A file that is gone from the disk is simply fetched again.
    return row && (await tarballs.sizeOf(row.sha512)) === row.size ? row : undefined;
  }

  /**
   * A version's tarball, from here or from its upstream; concurrent callers share one request.
   * @throws GatehouseError `offline_not_cached`, `upstream_unavailable`, `upstream_invalid`, `package_not_found`, `forbidden`.
   */
  async open(upstream: UpstreamRow, manifest: ForeignManifest): Promise<TarballSource> {
    const { name, version } = manifest;
    const row = await this.cached(upstream, name, version);
    if (row) return { kind: 'cached', row };
    const key = `${upstream.id} ${name}@${version}`;
    let download = this.#downloads.get(key);
    if (!download) {
      download = this.#start({ upstream, manifest, label: `${name}@${version}` });
      this.#downloads.set(key, download);
      const forget = (): boolean => this.#downloads.delete(key);
      void download.then(({ stored }) => stored).then(forget, forget);
    }
    return { kind: 'download', download: await download };
  }

  async #start(wanted: Wanted): Promise<TarballDownload> {
    const { upstream, manifest, label } = wanted;
    const { tarballLimit, tarballs } = this.#options;
    const expected = expectedIntegrity(manifest.dist);
    if (!expected) {
      throw new GatehouseError(
        'upstream_invalid',
        `${upstream.name} gives no checksum for ${label}, so its bytes cannot be verified; it is not passed on.`,
      );
    }
    if (upstream.kind === 'archive') {
      throw new GatehouseError('offline_not_cached', `offline, not cached: ${label}. The bundle did not hold it.`);
    }
    const response = await this.#request(wanted);
    const size = contentLengthOf(response);
    if (size !== null && size > tarballLimit) {
      response.body.destroy();
      throw new GatehouseError(
        'upstream_invalid',
        `${label} has ${size} bytes, more than the ${tarballLimit} allowed.`,
      );
    }
    return new TarballDownload(
      size,
      (take) => this.#receive(wanted, expected, response, take),
      (sha512, start) => tarballs.open(sha512, { start, end: Number.MAX_SAFE_INTEGER }),
    );
  }

  async #request({ upstream, manifest, label }: Wanted, offset = 0): Promise<OutboundResponse> {
    const response = await this.#options.client
      .send(upstream, {
        url: tarballUrl(upstream, manifest),
        headers: {
          accept: 'application/octet-stream, */*',
          'accept-encoding': 'identity',
          ...(offset > 0 ? { range: `bytes=${offset}-` } : {}),
        },
      })
      .catch((error: unknown) => {
        throw error instanceof OutboundError ? toClientError(error, upstream.name, label) : error;
      });
    const { status } = response;
    const isPart = status === 206 && response.headers['content-range']?.startsWith(`bytes ${offset}-`) === true;
    if (status === 200 || isPart) return response;
    response.body.destroy();
    if (status === 404 || status === 410) {
      throw new GatehouseError('package_not_found', `${upstream.name} does not have the tarball of ${label} any more.`);
    }
    if (status === 401 || status === 403) {
      throw new GatehouseError(
        'forbidden',
        `${upstream.name} refuses access to the tarball of ${label} (${status}). Set a token for this upstream that may read it.`,
      );
    }
    throw new GatehouseError('upstream_invalid', `${upstream.name} answers with ${status} for ${label}.`);
  }

  /**
   * The bytes of a tarball; a connection that is cut is resumed a few times. The HTTP client's own retry is no help here: it gives up on a
   * registry that ignores ranges, as Verdaccio does, and hides the failures from the circuit breaker.
   */
  async *#bytes(wanted: Wanted, first: OutboundResponse): AsyncGenerator<Buffer> {
    const { upstream, label } = wanted;
    let offset = 0;
    let response = first;
    for (let attempt = 1; ; attempt += 1) {
      let skip = response.status === 206 ? 0 : offset;
      try {
        for await (const chunk of response.body as AsyncIterable<Buffer>) {
          const rest = chunk.subarray(Math.min(skip, chunk.length));
          skip -= chunk.length - rest.length;
          offset += rest.length;
          if (rest.length > 0) yield rest;
        }
        return;
      } catch (error) {
        const url = tarballUrl(upstream, wanted.manifest);
        const failure = toOutboundError(error, new URL(url).host);
        if (attempt >= attempts || !failure.isTheirs) {
          this.#options.client.noteFailure(upstream, url, failure);
          throw toClientError(failure, upstream.name, label);
        }
      }
      response = await this.#request(wanted, offset);
    }
  }

  async #receive(
    wanted: Wanted,
    expected: ExpectedIntegrity,
    response: OutboundResponse,
    take: (chunk: Buffer) => void,
  ): Promise<string> {
    const { tarballs, collector, store, packages, unitOfWork, clock, tarballLimit } = this.#options;
    const { upstream, manifest, label } = wanted;
    const { name, version } = manifest;
    const writer = tarballs.create();
    try {
      const hash = createHash(expected.algorithm);
      for await (const chunk of this.#bytes(wanted, response)) {
        hash.update(chunk);
        await writer.write(chunk);
        if (writer.size > tarballLimit) {
          throw new GatehouseError('upstream_invalid', `${label} is larger than the ${tarballLimit} bytes allowed.`);
        }
        take(chunk);
      }
      const actual = integrityOf(hash.digest('hex'), expected.algorithm);
      if (sameIntegrity(actual, expected.text) !== true) {
        throw new GatehouseError(
          'upstream_invalid',
          `${upstream.name} sent wrong bytes for ${label}: they hash to ${actual}, the packument says ${shorten(expected.text, 200)}. Nothing was stored, and no client got the whole.`,
        );
      }
      const digests = writer.digests();
      const { sha512, size } = digests;
      await collector.withReference(writer, unitOfWork, (change) => {
        packages.insertTarball(digests, change.now);
        const integrity = expected.text;
        store.putTarball({ upstreamId: upstream.id, name, version, sha512, integrity, size, fetchedAt: clock() });
        change.emit('upstream.changed', { subject: 'cache', upstreamId: upstream.id });
      });
      return sha512;
    } finally {
      await writer.discard();
    }
  }
}

/** The address in the manifest, at whatever host (another host gets no token); built from the registry's own if that is no address. */
function tarballUrl(upstream: UpstreamRow, { name, version, dist }: ForeignManifest): string {
  if (URL.canParse(dist.tarball, upstream.url)) return new URL(dist.tarball, upstream.url).href;
  return `${packageUrl(upstream.url, name)}/-/${tarballFileName(name, version)}`;
}

function contentLengthOf({ headers }: OutboundResponse): number | null {
  const text = headers['content-length'];
  return text !== undefined && headers['content-encoding'] === undefined && /^\d{1,15}$/.test(text)
    ? Number(text)
    : null;
}
