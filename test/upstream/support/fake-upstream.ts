import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { integrityOf, makeTarball, sha1Of } from '../../support/tarballs.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

type Answer = (req: IncomingMessage, res: ServerResponse) => void;
/** Answers a request in the registry's place; `false` lets the registry answer. */
type Override = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>;

interface FakeVersion {
  manifest: Record<string, unknown>;
  tarball: Buffer;
  at: number;
}

/** A registry on loopback that serves what it is given, records its requests, and misbehaves on demand. */
export class FakeUpstream {
  readonly requests: SeenRequest[] = [];
  override: Override | undefined;
  /** Leaves `integrity` out of packuments, as GitLab does. */
  onlyShasum = false;
  readonly #server = createServer((req, res) => void this.#answer(req, res));
  readonly #packages = new Map<string, { versions: Map<string, FakeVersion>; tags: Record<string, string> }>();

  static async start(): Promise<FakeUpstream> {
    const upstream = new FakeUpstream();
    await new Promise<void>((resolve) => upstream.#server.listen(0, '127.0.0.1', resolve));
    upstream.url = `http://127.0.0.1:${(upstream.#server.address() as AddressInfo).port}`;
    return upstream;
  }

  /** Address of the registry, without a trailing slash. */
  url = '';

  async publish(
    name: string,
    version: string,
    options: {
      manifest?: Record<string, unknown>;
      files?: Record<string, string | Buffer>;
      at?: number;
      tag?: string;
    } = {},
  ): Promise<Buffer> {
    const manifest = { name, version, ...options.manifest };
    const tarball = await makeTarball(manifest, options.files);
    const entry = this.#packages.get(name) ?? { versions: new Map<string, FakeVersion>(), tags: {} };
    entry.versions.set(version, { manifest, tarball, at: options.at ?? Date.UTC(2020, 0, 1) });
    entry.tags[options.tag ?? 'latest'] = version;
    this.#packages.set(name, entry);
    return tarball;
  }

  /** Answers every request from now on. */
  answerAll(answer: Answer): void {
    this.override = (req, res) => {
      answer(req, res);
      return true;
    };
  }

  /** Answers every request for a tarball from now on. */
  answerTarballs(answer: Answer): void {
    this.override = (req, res) => {
      if (!req.url?.endsWith('.tgz')) return false;
      answer(req, res);
      return true;
    };
  }

  /** Answers tarball requests with the first part of these bytes; the returned function sends the rest. */
  sendInParts(bytes: Buffer, firstPart: number): () => void {
    let finish = (): void => undefined;
    this.answerTarballs((_req, res) => {
      res.writeHead(200, { 'content-length': bytes.length });
      res.write(bytes.subarray(0, firstPart));
      finish = () => res.end(bytes.subarray(firstPart));
    });
    return () => finish();
  }

  /** Leaves every request without an answer until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.override = () => promise.then(() => false);
    return resolve;
  }

  remove(name: string): void {
    this.#packages.delete(name);
  }

  /** Number of requests for a path, with any query. */
  requestsFor(path: string): number {
    return this.requests.filter((request) => decodeURIComponent(request.url.split('?')[0] ?? '') === path).length;
  }

  /** Goes away: the port refuses connections. Does nothing if it is away. */
  async goAway(): Promise<void> {
    this.override = undefined;
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.requests.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers });
    if (this.override && (await this.override(req, res))) return;
    const path = decodeURIComponent((req.url ?? '').split('?')[0] ?? '').slice(1);
    const [name = '', file] = path.split('/-/');
    if (path === '-/ping') return json(res, 200, {});
    const entry = this.#packages.get(name);
    if (!entry) return json(res, 404, { error: 'not_found' });
    if (file === undefined) return this.#sendPackument(req, res, name, entry);
    const found = [...entry.versions].find(([version]) => file === `${name.split('/').at(-1)}-${version}.tgz`);
    if (!found) return json(res, 404, { error: 'not_found' });
    res.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': found[1].tarball.length });
    res.end(found[1].tarball);
  }

  #sendPackument(
    req: IncomingMessage,
    res: ServerResponse,
    name: string,
    { versions, tags }: { versions: Map<string, FakeVersion>; tags: Record<string, string> },
  ): void {
    const document = {
      name,
      'dist-tags': tags,
      versions: Object.fromEntries(
        [...versions].map(([version, { manifest, tarball }]) => [
          version,
          {
            ...manifest,
            dist: {
              shasum: sha1Of(tarball),
              ...(this.onlyShasum ? {} : { integrity: integrityOf(tarball) }),
              tarball: `${this.url}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`,
            },
          },
        ]),
      ),
      time: Object.fromEntries([...versions].map(([version, { at }]) => [version, new Date(at).toISOString()])),
    };
    const body = JSON.stringify(document);
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    if (req.headers['if-none-match'] === etag) {
      res.writeHead(304, { etag });
      res.end();
    } else {
      res.writeHead(200, { 'content-type': 'application/json', etag });
      res.end(body);
    }
  }
}

function json(res: ServerResponse, status: number, value: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(value));
}
