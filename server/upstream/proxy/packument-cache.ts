import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { GatehouseError } from '../../contract/errors.ts';
import type { UnitOfWork } from '../../accounts/change.ts';
import { ByteCache } from '../../lib/byte-cache.ts';
import { asClientError, readPackument } from './packument-document.ts';
import type { ForeignPackument } from './packument-document.ts';
import { OutboundError } from '../network/outbound-error.ts';
import { expectedIntegrity, sameIntegrity } from '../../lib/integrity.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import { packageUrl } from './upstream-client.ts';
import type { UpstreamClient } from './upstream-client.ts';
import type { PackumentRow, UpstreamRow, UpstreamStore } from '../upstream-store.ts';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** How an answer came about, for the Cache-Status header: `stale` with why the upstream was not heard. */
export type Freshness =
  | { readonly kind: 'fetched' | 'revalidated' | 'fresh' | 'archive' }
  | { readonly kind: 'stale'; readonly reason: string };

export interface FoundPackument {
  readonly upstream: UpstreamRow;
  readonly row: PackumentRow;
  readonly document: ForeignPackument;
  readonly freshness: Freshness;
}

export interface PackumentCacheOptions {
  readonly store: UpstreamStore;
  readonly client: UpstreamClient;
  readonly unitOfWork: UnitOfWork;
  readonly clock: () => number;
  /** Milliseconds for which "there is no such package" is believed. */
  readonly negativeTime: number;
  /** Bytes of parsed documents that are kept in memory. */
  readonly memory: number;
  readonly onTarballsDropped: (contents: readonly string[]) => void;
}

const mostNegatives = 10_000;

/** Packuments of other registries: fetched once, revalidated, and served as they were when nobody can be asked. */
export class PackumentCache {
  readonly #options: PackumentCacheOptions;
  readonly #flights = new SingleFlight<'found' | 'missing'>();
  readonly #negatives = new Map<string, number>();
  readonly #documents: ByteCache<ForeignPackument>;

  constructor(options: PackumentCacheOptions) {
    this.#options = options;
    this.#documents = new ByteCache(options.memory);
  }

  /**
   * The packument of a name at one upstream; undefined if that has no such package. Waits for the upstream at most its budget where a
   * copy is here.
   * @throws GatehouseError `offline_not_cached`, `upstream_unavailable`, `upstream_invalid`, `forbidden` if there is no copy either.
   */
  async find(upstream: UpstreamRow, name: string): Promise<FoundPackument | undefined> {
    const { store, clock } = this.#options;
    const row = store.packument(upstream.id, name);
    if (upstream.kind === 'archive') return row ? this.#found(upstream, row, { kind: 'archive' }) : undefined;
    if (row && clock() - row.validatedAt < upstream.freshSeconds * 1000 && clock() >= row.validatedAt) {
      return this.#found(upstream, row, { kind: 'fresh' });
    }
    const key = keyOf(upstream.id, name);
    if (!row && (this.#negatives.get(key) ?? 0) > clock()) return undefined;
    const asking = this.#flights.run(key, () => this.#ask(upstream, name));
    return row ? this.#orStale(upstream, row, asking) : this.#orFail(upstream, name, asking);
  }

  /** The packument as it stands there now. @throws GatehouseError if it can't be asked. */
  async refresh(upstream: UpstreamRow, name: string): Promise<FoundPackument | undefined> {
    return this.#orFail(
      upstream,
      name,
      this.#flights.run(keyOf(upstream.id, name), () => this.#ask(upstream, name)),
    );
  }

  /** What is here, without asking anybody. */
  async kept(upstream: UpstreamRow, name: string): Promise<FoundPackument | undefined> {
    const row = this.#options.store.packument(upstream.id, name);
    return row ? this.#found(upstream, row, { kind: 'fresh' }) : undefined;
  }

  /** Keeps a document that came another way (a bundle). For a unit of work. */
  async encode(value: unknown): Promise<Buffer> {
    return zip(JSON.stringify(value), { level: 6 });
  }

  /** The document as it came. */
  async raw(upstreamId: number, name: string): Promise<unknown> {
    const body = this.#options.store.packumentBody(upstreamId, name);
    return body ? JSON.parse((await unzip(body)).toString('utf8')) : undefined;
  }

  /** Forgets that packages were missing, because somebody may have just published them. */
  forgetNegatives(): void {
    this.#negatives.clear();
  }

  /** Forgets what is in memory, because the store has another state now. */
  forgetDocuments(): void {
    this.#documents.clear();
  }

  async #orStale(
    upstream: UpstreamRow,
    row: PackumentRow,
    asking: Promise<'found' | 'missing'>,
  ): Promise<FoundPackument> {
    const { store } = this.#options;
    let outcome: 'found' | 'missing' | 'slow';
    try {
      outcome = await withBudget(asking, upstream.budgetMilliseconds);
    } catch (error) {
      return this.#found(upstream, row, { kind: 'stale', reason: reasonOf(error) });
    }
    if (outcome === 'slow') return this.#found(upstream, row, { kind: 'stale', reason: 'slow' });
    const now = store.packument(upstream.id, row.name) ?? row;
    if (outcome === 'missing') return this.#found(upstream, now, { kind: 'stale', reason: 'gone' });
    return this.#found(upstream, now, { kind: now.revision === row.revision ? 'revalidated' : 'fetched' });
  }

  async #orFail(
    upstream: UpstreamRow,
    name: string,
    asking: Promise<'found' | 'missing'>,
  ): Promise<FoundPackument | undefined> {
    try {
      if ((await asking) === 'missing') return undefined;
    } catch (error) {
      throw error instanceof OutboundError ? asClientError(error, upstream.name, name) : error;
    }
    const row = this.#options.store.packument(upstream.id, name);
    return row ? this.#found(upstream, row, { kind: 'fetched' }) : undefined;
  }

  async #ask(upstream: UpstreamRow, name: string): Promise<'found' | 'missing'> {
    const { store, client, clock, unitOfWork } = this.#options;
    const known = store.packument(upstream.id, name);
    const { host } = new URL(upstream.url);
    const answer = await client.json(upstream, {
      url: packageUrl(upstream.url, name),
      headers: { accept: 'application/json', ...(known?.etag ? { 'if-none-match': known.etag } : {}) },
    });
    const etag = answer.headers['etag'] ?? null;
    if (answer.status === 304 && known) {
      await unitOfWork.write(() => store.touchPackument(upstream.id, name, etag, clock()));
      return 'found';
    }
    if (answer.status === 404 || answer.status === 410) {
      // What was fetched stays: an upstream that lost a package is no reason to lose it here. It is asked again after a while.
      if (known) await unitOfWork.write(() => store.touchPackument(upstream.id, name, null, clock()));
      else this.#noteMissing(keyOf(upstream.id, name));
      return 'missing';
    }
    if (answer.status === 401 || answer.status === 403) {
      throw new GatehouseError(
        'forbidden',
        `${upstream.name} (${host}) refuses to give ${name} (${answer.status}). Set a token for this upstream that may read it.`,
      );
    }
    if (answer.status !== 200) {
      throw new OutboundError('invalid', `${host} answers with ${answer.status} for a packument`);
    }
    const document = readPackument(answer.value, name, host);
    await this.#keep(upstream, document, answer.value, etag);
    return 'found';
  }

  async #keep(upstream: UpstreamRow, document: ForeignPackument, value: unknown, etag: string | null): Promise<void> {
    const { store, clock, unitOfWork } = this.#options;
    const body = await this.encode(value);
    const dropped: string[] = [];
    await unitOfWork.write((change) => {
      // A version whose bytes are said to be others now is not the one that was fetched.
      const changed = store.tarballsOf(upstream.id, document.name).filter((tarball) => {
        const dist = document.versions.get(tarball.version)?.dist;
        const expected = dist && expectedIntegrity(dist);
        return expected !== undefined && sameIntegrity(expected.text, tarball.integrity) === false;
      });
      for (const tarball of changed) {
        store.dropTarball(upstream.id, document.name, tarball.version);
        dropped.push(tarball.sha512);
      }
      const { name } = document;
      const row = { upstreamId: upstream.id, name, etag, validatedAt: clock(), versionCount: document.versions.size };
      store.putPackument(row, body);
      change.emit('upstream.changed', { subject: 'cache', upstreamId: upstream.id });
    });
    this.#negatives.delete(keyOf(upstream.id, document.name));
    this.#options.onTarballsDropped(dropped);
  }

  async #found(upstream: UpstreamRow, row: PackumentRow, freshness: Freshness): Promise<FoundPackument> {
    const key = `${keyOf(upstream.id, row.name)} ${row.revision}`;
    let document = this.#documents.get(key);
    if (!document) {
      const body = this.#options.store.packumentBody(upstream.id, row.name);
      if (!body) throw new GatehouseError('package_not_found');
      const bytes = await unzip(body);
      document = readPackument(JSON.parse(bytes.toString('utf8')), row.name, upstream.name);
      this.#documents.set(key, document, bytes.length * 2);
    }
    return { upstream, row, document, freshness };
  }

  #noteMissing(key: string): void {
    if (this.#negatives.size >= mostNegatives) this.#negatives.clear();
    this.#negatives.set(key, this.#options.clock() + this.#options.negativeTime);
  }
}

function keyOf(upstreamId: number, name: string): string {
  return `${upstreamId} ${name}`;
}

/** Waits for `work` at most `milliseconds`; it goes on in any case, and its failure then concerns nobody. */
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
