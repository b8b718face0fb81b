import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GatehouseError } from '../../contract/errors.ts';
import { ByteCache } from '../../lib/byte-cache.ts';
import { expectedIntegrity, sameIntegrity } from '../../lib/integrity.ts';
import { ownText } from '../../lib/own-copy.ts';
import { onOwnBehalf } from '../../accounts/access/standing.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import { Slots } from '../../lib/slots.ts';
import { OutboundError, toClientError } from '../network/outbound-error.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { PackumentRow, UpstreamRow } from '../upstream-store.ts';
import { parseStoredJson } from './foreign-json.ts';
import { readPackument } from './foreign-packument.ts';
import type { ForeignPackument } from './foreign-packument.ts';
import { packageUrl } from './upstream-client.ts';
import type { UpstreamClient } from './upstream-client.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** How an answer came about, for the Cache-Status header: `stale` with the reason why the upstream's own is missing. */
export type Freshness =
  | { readonly kind: 'fetched' | 'revalidated' | 'fresh' | 'archive' }
  | { readonly kind: 'stale'; readonly reason: string };

export interface FoundPackument {
  readonly upstream: UpstreamRow;
  readonly row: PackumentRow;
  readonly document: ForeignPackument;
  readonly freshness: Freshness;
}

export interface PackumentCacheOptions extends UpstreamContext {
  readonly client: UpstreamClient;
  /** Milliseconds for which a missing package counts as missing. */
  readonly negativeTime: number;
}

const mostNegatives = 10_000;
/** Bytes of a packument as it is stored, compressed: it is written in one go. */
const largestBody = 16 * 1024 * 1024;

/** Packuments of other registries: fetched once, revalidated, and served as they were while the upstream is out of reach. */
export class PackumentCache {
  readonly #options: PackumentCacheOptions;
  readonly #requests = new SingleFlight<'found' | 'missing'>();
  readonly #parses = new SingleFlight<ForeignPackument>();
  /** Documents that are parsed at a time: each takes several times its bytes. */
  readonly #slots = new Slots(2);
  readonly #negatives = new Map<string, number>();
  readonly #documents: ByteCache<{ readonly revision: number; readonly document: ForeignPackument }>;

  constructor(options: PackumentCacheOptions) {
    this.#options = options;
    this.#documents = new ByteCache(options.caches);
  }

  /**
   * The packument of a name at one upstream; undefined if that has no such package. Where there is a copy, it waits for the upstream
   * no longer than the upstream's budget.
   * @throws GatehouseError `offline_not_cached`, `upstream_unavailable`, `upstream_invalid`, `forbidden` if there is no copy either.
   */
  async find(upstream: UpstreamRow, name: string): Promise<FoundPackument | undefined> {
    const { store, clock } = this.#options;
    const row = store.packument(upstream.id, name);
    if (upstream.kind === 'archive') return row && this.#found(upstream, row, { kind: 'archive' });
    if (!row) {
      const isMissing = (this.#negatives.get(keyOf(upstream.id, name)) ?? 0) > clock();
      return isMissing ? undefined : this.refresh(upstream, name);
    }
    const age = clock() - row.validatedAt;
    if (age >= 0 && age < upstream.freshSeconds * 1000) return this.#found(upstream, row, { kind: 'fresh' });
    return this.#revalidated(upstream, row);
  }

  /** The present packument there. @throws GatehouseError if the upstream is out of reach. */
  async refresh(upstream: UpstreamRow, name: string): Promise<FoundPackument | undefined> {
    try {
      if ((await this.#request(upstream, name)) === 'missing') return undefined;
    } catch (error) {
      throw error instanceof OutboundError ? toClientError(error, upstream.name, name) : error;
    }
    return this.cached(upstream, name, 'fetched');
  }

  /** The copy that is here, without a request. */
  async cached(
    upstream: UpstreamRow,
    name: string,
    kind: 'fetched' | 'fresh' = 'fresh',
  ): Promise<FoundPackument | undefined> {
    const row = this.#options.store.packument(upstream.id, name);
    return row && this.#found(upstream, row, { kind });
  }

  /** A document as the store has it. */
  async encode(value: unknown): Promise<Buffer> {
    return compress(JSON.stringify(value), { level: 6 });
  }

  /** The document as it came. */
  async raw(upstreamId: number, name: string): Promise<unknown> {
    const body = this.#options.store.packumentBody(upstreamId, name);
    return body ? JSON.parse((await decompress(body)).toString('utf8')) : undefined;
  }

  /** Forgets that packages were missing: they may have been published since. */
  forgetNegatives(): void {
    this.#negatives.clear();
  }

  /** Forgets what is in memory: the store was rewound to another state. */
  forgetDocuments(): void {
    this.#documents.clear();
  }

  async #revalidated(upstream: UpstreamRow, row: PackumentRow): Promise<FoundPackument> {
    let outcome: 'found' | 'missing' | 'slow';
    try {
      outcome = await withBudget(this.#request(upstream, row.name), upstream.budgetMilliseconds);
    } catch (error) {
      return this.#found(upstream, row, { kind: 'stale', reason: reasonOf(error) });
    }
    if (outcome === 'slow') return this.#found(upstream, row, { kind: 'stale', reason: 'slow' });
    const now = this.#options.store.packument(upstream.id, row.name) ?? row;
    if (outcome === 'missing') return this.#found(upstream, now, { kind: 'stale', reason: 'gone' });
    return this.#found(upstream, now, { kind: now.revision === row.revision ? 'revalidated' : 'fetched' });
  }

  /** Fetches or revalidates a packument; concurrent callers share one request. */
  #request(upstream: UpstreamRow, name: string): Promise<'found' | 'missing'> {
    // Shared with other callers, so none of them can end it by losing a right.
    return onOwnBehalf(() => this.#requests.run(keyOf(upstream.id, name), () => this.#fetch(upstream, name)));
  }

  async #fetch(upstream: UpstreamRow, name: string): Promise<'found' | 'missing'> {
    const { store, client } = this.#options;
    const known = store.packument(upstream.id, name);
    const { host } = new URL(upstream.url);
    const { status, headers, value, held, bytes } = await client.json(upstream, {
      url: packageUrl(upstream.url, name),
      headers: { accept: 'application/json', ...(known?.etag ? { 'if-none-match': known.etag } : {}) },
    });
    const etag = headers['etag'] ?? null;
    if (status === 304 && known) {
      await this.#touch(upstream.id, name, etag);
      return 'found';
    }
    if (status === 404 || status === 410) {
      // What was fetched stays: an upstream that lost a package is no reason to lose it here. The next request comes after a while.
      if (known) await this.#touch(upstream.id, name, null);
      else this.#noteMissing(keyOf(upstream.id, name));
      return 'missing';
    }
    if (status === 401 || status === 403) {
      throw new GatehouseError(
        'forbidden',
        `${upstream.name} (${host}) refuses access to ${name} (${status}). Set a token for this upstream that may read it.`,
      );
    }
    if (status !== 200) throw new OutboundError('invalid', `${host} answers with ${status} for a packument`);
    const body = await compress(bytes, { level: 6 });
    if (body.length > largestBody) throw new OutboundError('invalid', `${host} sends a packument that is too large`);
    const document = await readPackument(value, name, host);
    client.noteRegistry(upstream);
    await this.#save(upstream, document, body, etag);
    const row = store.packument(upstream.id, name);
    if (row) this.#documents.set(keyOf(upstream.id, name), { revision: row.revision, document }, held);
    return 'found';
  }

  #touch(upstreamId: number, name: string, etag: string | null): Promise<void> {
    const { store, clock, unitOfWork } = this.#options;
    return unitOfWork.write((change) => {
      store.touchPackument(upstreamId, name, etag, clock());
      change.emit('upstream.changed', { subject: 'cache', upstreamId });
    });
  }

  async #save(upstream: UpstreamRow, document: ForeignPackument, body: Buffer, etag: string | null): Promise<void> {
    const { store, clock, unitOfWork, collector } = this.#options;
    const { name, versions } = document;
    const dropped = await unitOfWork.write((change) => {
      // A version whose checksum changed upstream is not the one whose tarball is cached.
      const changed = store.tarballsOf(upstream.id, name).filter((tarball) => {
        const dist = versions.get(tarball.version)?.dist;
        const expected = dist && expectedIntegrity(dist);
        return expected !== undefined && sameIntegrity(expected.text, tarball.integrity) === false;
      });
      for (const tarball of changed) store.dropTarball(upstream.id, name, tarball.version);
      const row = { upstreamId: upstream.id, name, etag, validatedAt: clock(), versionCount: versions.size };
      store.putPackument(row, body);
      change.emit('upstream.changed', { subject: 'cache', upstreamId: upstream.id });
      return changed.map(({ sha512 }) => sha512);
    });
    this.#negatives.delete(keyOf(upstream.id, name));
    collector.deleteUnused(dropped);
  }

  async #found(upstream: UpstreamRow, row: PackumentRow, freshness: Freshness): Promise<FoundPackument> {
    const key = keyOf(upstream.id, row.name);
    const known = this.#documents.get(key);
    if (known?.revision === row.revision) return { upstream, row, document: known.document, freshness };
    const document = await this.#parses.run(`${key} ${row.revision}`, () => this.#parse(upstream, row));
    return { upstream, row, document, freshness };
  }

  async #parse(upstream: UpstreamRow, row: PackumentRow): Promise<ForeignPackument> {
    const body = this.#options.store.packumentBody(upstream.id, row.name);
    if (!body) throw new GatehouseError('package_not_found');
    return this.#slots.run(async () => {
      const { value, held } = await parseStoredJson(await decompress(body));
      const document = await readPackument(value, row.name, upstream.name);
      this.#documents.set(keyOf(upstream.id, row.name), { revision: row.revision, document }, held);
      return document;
    });
  }

  #noteMissing(key: string): void {
    if (this.#negatives.size >= mostNegatives) this.#negatives.clear();
    this.#negatives.set(ownText(key), this.#options.clock() + this.#options.negativeTime);
  }
}

function keyOf(upstreamId: number, name: string): string {
  return `${upstreamId} ${name}`;
}

/** Waits for `work` at most `milliseconds`; it goes on in any case, and its failure is then ignored. */
async function withBudget<T>(work: Promise<T>, milliseconds: number): Promise<T | 'slow'> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<'slow'>((resolve) => {
    timer = setTimeout(() => resolve('slow'), milliseconds);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, slow]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof OutboundError) return error.failure === 'status' ? `status-${error.status}` : error.failure;
  return error instanceof GatehouseError ? error.code : 'failed';
}
