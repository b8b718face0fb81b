import type { IncomingMessage, ServerResponse } from 'node:http';
import { ByteCache } from '../../lib/byte-cache.ts';
import type { Registry } from '../../services.ts';
import type { Principal } from '../../accounts/access/principal.ts';
import type { RequestLog } from '../request-log.ts';
import { isPackageManager } from '../negotiate.ts';
import { matchesEtag } from '../preconditions.ts';

/** An answer that the next equal request can have as it is. */
export interface ReadyAnswer {
  readonly etag: string;
  /** Names and values in turn, as Node writes them fastest; without Content-Length. */
  readonly headers: readonly string[];
  readonly bytes: Buffer;
  /** The package that the answer is about, whose next change ends it. */
  readonly packageName: string;
  readonly principal: Principal;
  /** For a tarball: the version that each answer counts as a download of. */
  readonly versionId?: number;
}

interface Kept extends ReadyAnswer {
  readonly headersWithLength: string[];
  readonly headersWithoutBody: string[];
  readonly generation: number;
  readonly day: number;
}

/** Headers that change an answer in ways that a key does not show; a request with one goes the long way. */
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

const dayLength = 86_400_000;

/**
 * The hot path: answers that were worked out once (who may read, which bytes, which headers) and hold until the package or the directory
 * changes or a day ends. A hit costs one look into a map; there is no SQL, JSON or compression on it.
 */
export class ReadyAnswers {
  readonly #registry: Registry;
  readonly #log: RequestLog;
  readonly #answers: ByteCache<Kept>;
  readonly #keysOfPackage = new Map<string, Set<string>>();

  /** @param limit bytes that the answers may keep in memory */
  constructor(registry: Registry, log: RequestLog, limit: number) {
    this.#registry = registry;
    this.#log = log;
    this.#answers = new ByteCache(limit, (key, kept) => this.#forget(key, kept.packageName));
    registry.events.subscribe((event) => {
      if (event.topic === 'packages.changed') this.#drop(event.payload.name);
      if (event.topic === 'publish_age.changed') this.clear();
    });
  }

  /** Bytes that the answers hold. */
  get size(): number {
    return this.#answers.size;
  }

  /** Answers a request if it can be answered at once; says whether it did. */
  answer(req: IncomingMessage, res: ServerResponse): boolean {
    const key = keyOf(req);
    if (key === undefined) return false;
    const kept = this.#answers.get(key);
    if (!kept) return false;
    const now = Date.now();
    const { directory, packages } = this.#registry;
    if (kept.generation !== directory.generation || kept.day !== Math.floor(now / dayLength)) {
      this.#answers.delete(key);
      return false;
    }
    if (kept.principal.kind === 'user' && kept.principal.token) directory.noteTokenUse(kept.principal.token.id);
    if (matchesEtag(req.headers['if-none-match'], kept.etag)) {
      res.writeHead(304, kept.headersWithoutBody);
      res.end();
      this.#log.recordAt(now, req, 304, 0, kept.principal);
      return true;
    }
    res.writeHead(200, kept.headersWithLength);
    res.end(kept.bytes);
    if (kept.versionId !== undefined && req.method === 'GET') packages.downloads.count(kept.versionId);
    this.#log.recordAt(now, req, 200, kept.bytes.length, kept.principal);
    return true;
  }

  /** Keeps an answer for requests that equal this one in all that it depends on. */
  keep(req: IncomingMessage, answer: ReadyAnswer, generation: number): void {
    const key = keyOf(req);
    // What changed while the answer was put together must not outlive it.
    if (key === undefined || generation !== this.#registry.directory.generation) return;
    const headers = [...answer.headers, 'ETag', answer.etag];
    this.#answers.set(
      key,
      {
        ...answer,
        generation,
        day: Math.floor(Date.now() / dayLength),
        headersWithoutBody: headers,
        headersWithLength: [...headers, 'Content-Length', String(answer.bytes.length)],
      },
      answer.bytes.length + 1024,
    );
    const keys = this.#keysOfPackage.get(answer.packageName) ?? new Set();
    keys.add(key);
    this.#keysOfPackage.set(answer.packageName, keys);
  }

  /** Ends every answer; for changes that are not about one package. */
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

/** All that an answer depends on, as one text; undefined if the request has more to it. */
function keyOf(req: IncomingMessage): string | undefined {
  const { method, url, headers } = req;
  if ((method !== 'GET' && method !== 'HEAD') || url === undefined || url.includes('?')) return undefined;
  for (const name of excluding) if (headers[name] !== undefined) return undefined;
  const kind = isPackageManager(req) ? 'package manager' : 'other';
  return `${url}\n${kind}\n${headers.host}\n${headers.authorization ?? ''}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
}
