import type { IncomingMessage, ServerResponse } from 'node:http';
import { ByteCache } from '../../lib/byte-cache.ts';
import { ownText } from '../../lib/own-copy.ts';
import type { Registry } from '../../services.ts';
import type { Principal } from '../../accounts/access/principal.ts';
import type { RequestLog } from '../request-log.ts';
import { encodingOf, formOf, isPackageManager } from '../negotiate.ts';
import { matchesEtag } from '../preconditions.ts';
import { dayLength } from '../../lib/calendar.ts';

/** An answer for every request that equals the one it was made for. */
export interface ReadyAnswer {
  readonly etag: string;
  /** Names and values alternating, which Node writes fastest; without Content-Length. */
  readonly headers: readonly string[];
  readonly bytes: Buffer;
  /** The package whose next change drops the answer. */
  readonly packageName: string;
  readonly principal: Principal;
  /** For a tarball: the version whose downloads are counted. */
  readonly versionId?: number;
}

interface CachedAnswer extends ReadyAnswer {
  readonly headersWithLength: string[];
  readonly headersWithoutBody: string[];
  readonly generation: number;
  readonly day: number;
}

/** Headers that change an answer but are not part of the key; a request with one is not answered from here. */
const excluding = [
  'range',
  'if-range',
  'private-token',
  'job-token',
  'deploy-token',
  'sudo',
  'x-forwarded-host',
  'x-forwarded-proto',
  'if-modified-since',
  'if-unmodified-since',
  'if-match',
] as const;

/** Bytes that the headers of an answer take, with the place of its key in the list of its package. */
const headersSize = 2500;

/**
 * The hot path: whole answers (permission, headers and bytes), valid until the package or the directory changes or a day ends. A hit
 * costs one map lookup: no SQL, JSON or compression.
 */
export class ReadyAnswers {
  readonly #registry: Registry;
  readonly #log: RequestLog;
  readonly #answers: ByteCache<CachedAnswer>;
  readonly #keysOfPackage = new Map<string, Set<string>>();

  constructor(registry: Registry, log: RequestLog) {
    this.#registry = registry;
    this.#log = log;
    this.#answers = new ByteCache(registry.caches, (key, cached) => this.#forget(key, cached.packageName));
    registry.events.subscribe((event) => {
      if (event.topic === 'packages.changed') this.#drop(event.payload.name);
      if (event.topic === 'publish_age.changed') this.clear();
    });
  }

  /** Answers a request if its answer is cached; returns whether it did. */
  answer(req: IncomingMessage, res: ServerResponse): boolean {
    const key = keyOf(req);
    if (key === undefined) return false;
    const cached = this.#answers.get(key);
    if (!cached) return false;
    const now = Date.now();
    const { directory, packages } = this.#registry;
    if (cached.generation !== directory.generation || cached.day !== Math.floor(now / dayLength)) {
      this.#answers.delete(key);
      return false;
    }
    if (cached.principal.kind === 'user' && cached.principal.token) directory.noteTokenUse(cached.principal.token.id);
    if (matchesEtag(req.headers['if-none-match'], cached.etag)) {
      res.writeHead(304, cached.headersWithoutBody);
      res.end();
      this.#log.record(req, { at: now, duration: 0, status: 304, bytes: 0, principal: cached.principal });
      return true;
    }
    res.writeHead(200, cached.headersWithLength);
    res.end(cached.bytes);
    if (cached.versionId !== undefined && req.method === 'GET') packages.downloads.count(cached.versionId);
    const { bytes, principal } = cached;
    this.#log.record(req, { at: now, duration: 0, status: 200, bytes: bytes.length, principal });
    return true;
  }

  /** Caches an answer for requests that equal this one in all that it depends on. */
  keep(req: IncomingMessage, answer: ReadyAnswer, generation: number): void {
    const key = keyOf(req);
    // A permission may have changed while the answer was made.
    if (key === undefined || generation !== this.#registry.directory.generation) return;
    const headers = [...answer.headers, 'ETag', answer.etag];
    const packageName = ownText(answer.packageName);
    const kept = this.#answers.set(
      key,
      {
        ...answer,
        packageName,
        generation,
        day: Math.floor(Date.now() / dayLength),
        headersWithoutBody: headers,
        headersWithLength: [...headers, 'Content-Length', String(answer.bytes.length)],
      },
      answer.bytes.length + headersSize,
    );
    if (kept === undefined) return;
    const keys = this.#keysOfPackage.get(packageName) ?? new Set();
    keys.add(kept.key);
    this.#keysOfPackage.set(packageName, keys);
  }

  /** Drops every answer, for changes that are not about one package. */
  clear(): void {
    this.#answers.clear();
    this.#keysOfPackage.clear();
  }

  #drop(packageName: string): void {
    for (const key of this.#keysOfPackage.get(packageName) ?? []) this.#answers.delete(key);
  }

  #forget(key: string, packageName: string): void {
    const keys = this.#keysOfPackage.get(packageName);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysOfPackage.delete(packageName);
  }
}

/** Characters of a key. Clients need far fewer, and each is held in memory. */
const longestKey = 2048;

/**
 * All that an answer depends on, as one text; undefined for requests that are not cached. Of the headers that a client may write in countless
 * ways only what they come to.
 */
function keyOf(req: IncomingMessage): string | undefined {
  const { method, url, headers } = req;
  if ((method !== 'GET' && method !== 'HEAD') || url === undefined || url.includes('?')) return undefined;
  for (const name of excluding) if (headers[name] !== undefined) return undefined;
  const kind = isPackageManager(req) ? 'package manager' : 'other';
  const representation = url.endsWith('.tgz') ? '' : `${formOf(req)} ${encodingOf(req)}`;
  const key = `${url}\n${kind} ${representation}\n${headers.host?.toLowerCase()}\n${headers.authorization ?? ''}`;
  return key.length > longestKey ? undefined : key;
}
