import { createHash } from 'node:crypto';
import { GatehouseError } from '../../contract/errors.ts';
import type { UnitOfWork } from '../../accounts/change.ts';
import type { PackageStore } from '../../registry/package-store.ts';
import { tarballFileName } from '../../registry/package-name.ts';
import type { TarballKeeper } from '../../registry/publish/tarball-keeper.ts';
import type { TarballStore } from '../../registry/publish/tarball-port.ts';
import { expectedIntegrity, integrityOf, sameIntegrity } from '../../lib/integrity.ts';
import type { ExpectedIntegrity } from '../../lib/integrity.ts';
import { shorten } from '../../lib/printable.ts';
import { OutboundError, toOutboundError } from '../network/outbound-error.ts';

import type { OutboundResponse } from '../network/outbound.ts';
import { asClientError } from './packument-document.ts';
import type { ForeignManifest } from './packument-document.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import { TarballFlight } from './tarball-flight.ts';
import { packageUrl } from './upstream-client.ts';
import type { UpstreamClient } from './upstream-client.ts';
import type { CachedTarballRow, UpstreamRow, UpstreamStore } from '../upstream-store.ts';

export interface TarballCacheOptions {
  readonly store: UpstreamStore;
  readonly packages: Pick<PackageStore, 'insertTarball'>;
  readonly tarballs: TarballStore;
  readonly keeper: TarballKeeper;
  readonly client: UpstreamClient;
  readonly unitOfWork: UnitOfWork;
  readonly clock: () => number;
  /** Bytes of one tarball. */
  readonly limit: number;
}

/** How often one tarball is begun or gone on with before its client is told. */
const attempts = 3;

export type TarballSource =
  | { readonly kind: 'kept'; readonly row: CachedTarballRow }
  | { readonly kind: 'flight'; readonly flight: TarballFlight };

/** Tarballs of other registries: fetched once, verified against what the packument says, kept for good. */
export class TarballCache {
  readonly #options: TarballCacheOptions;
  readonly #starting = new SingleFlight<TarballSource>();
  readonly #flights = new Map<string, TarballFlight>();

  constructor(options: TarballCacheOptions) {
    this.#options = options;
  }

  /** A tarball that is here, whole and with the size that it had. */
  async kept(upstream: UpstreamRow, name: string, version: string): Promise<CachedTarballRow | undefined> {
    const { store, tarballs } = this.#options;
    const row = store.tarball(upstream.id, name, version);
    if (!row) return undefined;
    // One that went from the disk is simply fetched again.
    return (await tarballs.sizeOf(row.sha512)) === row.size ? row : undefined;
  }

  /**
   * A version's tarball, from here or from its upstream; concurrent callers share one request.
   * @throws GatehouseError `offline_not_cached`, `upstream_unavailable`, `upstream_invalid`, `package_not_found`, `forbidden`.
   */
  async open(upstream: UpstreamRow, manifest: ForeignManifest): Promise<TarballSource> {
    const { name, version } = manifest;
    const row = await this.kept(upstream, name, version);
    if (row) return { kind: 'kept', row };
    const key = `${upstream.id} ${name}@${version}`;
    const flight = this.#flights.get(key);
    if (flight) return { kind: 'flight', flight };
    return this.#starting.run(key, async () => {
      const started = await this.#start(upstream, manifest, key);
      return { kind: 'flight', flight: started };
    });
  }

  async #start(upstream: UpstreamRow, manifest: ForeignManifest, key: string): Promise<TarballFlight> {
    const { name, version, dist } = manifest;
    const label = `${name}@${version}`;
    const expected = expectedIntegrity(dist);
    if (!expected) {
      throw new GatehouseError(
        'upstream_invalid',
        `${upstream.name} gives no checksum for ${label}, so its bytes cannot be verified; it is not passed on.`,
      );
    }
    if (upstream.kind === 'archive') {
      throw new GatehouseError('offline_not_cached', `offline, not cached: ${label}. The bundle did not hold it.`);
    }
    const answer = await this.#request(upstream, manifest, label);
    const { limit } = this.#options;
    const announced = sizeOf(answer);
    if (announced !== null && announced > limit) {
      answer.body.destroy();
      throw new GatehouseError('upstream_invalid', `${label} has ${announced} bytes, more than the ${limit} allowed.`);
    }
    const flight = new TarballFlight(
      announced,
      (take) => this.#receive(upstream, manifest, expected, answer, take),
      (sha512, start) => this.#options.tarballs.open(sha512, { start, end: Number.MAX_SAFE_INTEGER }),
    );
    this.#flights.set(key, flight);
    void flight.kept.catch(() => undefined).finally(() => this.#flights.delete(key));
    return flight;
  }

  async #request(
    upstream: UpstreamRow,
    manifest: ForeignManifest,
    label: string,
    offset = 0,
  ): Promise<OutboundResponse> {
    const { client } = this.#options;
    let answer: OutboundResponse;
    try {
      answer = await client.send(upstream, {
        url: tarballUrl(upstream, manifest),
        headers: {
          accept: 'application/octet-stream, */*',
          'accept-encoding': 'identity',
          ...(offset > 0 ? { range: `bytes=${offset}-` } : {}),
        },
      });
    } catch (error) {
      throw error instanceof OutboundError ? asClientError(error, upstream.name, label) : error;
    }
    if (answer.status === 200) return answer;
    if (answer.status === 206 && answer.headers['content-range']?.startsWith(`bytes ${offset}-`) === true)
      return answer;
    answer.body.destroy();
    if (answer.status === 404 || answer.status === 410) {
      throw new GatehouseError('package_not_found', `${upstream.name} does not have the tarball of ${label} any more.`);
    }
    if (answer.status === 401 || answer.status === 403) {
      throw new GatehouseError(
        'forbidden',
        `${upstream.name} refuses to give the tarball of ${label} (${answer.status}). Set a token for this upstream that may read it.`,
      );
    }
    throw new GatehouseError('upstream_invalid', `${upstream.name} answers with ${answer.status} for ${label}.`);
  }

  /** The bytes of a tarball; when the connection is cut in the middle it goes on from there, a few times. */
  async *#bytes(upstream: UpstreamRow, manifest: ForeignManifest, first: OutboundResponse): AsyncGenerator<Buffer> {
    const label = `${manifest.name}@${manifest.version}`;
    let offset = 0;
    let answer = first;
    for (let attempt = 1; ; attempt += 1) {
      let skip = answer.status === 206 ? 0 : offset;
      try {
        for await (const chunk of answer.body as AsyncIterable<Buffer>) {
          const fresh = chunk.subarray(Math.min(skip, chunk.length));
          skip -= chunk.length - fresh.length;
          offset += fresh.length;
          if (fresh.length > 0) yield fresh;
        }
        return;
      } catch (error) {
        const failure = toOutboundError(error, new URL(upstream.url).host);
        if (attempt >= attempts || !failure.isTheirs) {
          this.#options.client.noteFailure(upstream, failure);
          throw asClientError(failure, upstream.name, label);
        }
      }
      answer = await this.#request(upstream, manifest, label, offset);
    }
  }

  async #receive(
    upstream: UpstreamRow,
    manifest: ForeignManifest,
    expected: ExpectedIntegrity,
    answer: OutboundResponse,
    take: (chunk: Buffer) => void,
  ): Promise<string> {
    const { tarballs, keeper, store, packages, unitOfWork, clock, limit } = this.#options;
    const { name, version } = manifest;
    const label = `${name}@${version}`;
    const writer = tarballs.create();
    try {
      const hash = createHash(expected.algorithm);
      for await (const chunk of this.#bytes(upstream, manifest, answer)) {
        hash.update(chunk);
        await writer.write(chunk);
        if (writer.size > limit) {
          throw new GatehouseError('upstream_invalid', `${label} is larger than the ${limit} bytes allowed.`);
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
      await keeper.keepWhile(writer, unitOfWork, (change) => {
        packages.insertTarball(digests, change.now);
        store.putTarball({
          upstreamId: upstream.id,
          name,
          version,
          sha512: digests.sha512,
          integrity: expected.text,
          size: digests.size,
          fetchedAt: clock(),
        });
      });
      return digests.sha512;
    } finally {
      await writer.discard();
    }
  }
}

/**
 * Where a tarball is fetched. A registry behind a proxy often tells addresses that only work from inside; those with another host are
 * taken as they are (they get no token), those that are no address at all are built from the registry's own.
 */
function tarballUrl(upstream: UpstreamRow, { name, version, dist }: ForeignManifest): string {
  if (URL.canParse(dist.tarball, upstream.url)) return new URL(dist.tarball, upstream.url).href;
  return `${packageUrl(upstream.url, name)}/-/${tarballFileName(name, version)}`;
}

function sizeOf(answer: OutboundResponse): number | null {
  const text = answer.headers['content-length'];
  return text !== undefined && answer.headers['content-encoding'] === undefined && /^\d{1,15}$/.test(text)
    ? Number(text)
    : null;
}
