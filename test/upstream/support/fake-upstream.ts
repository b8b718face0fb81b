import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { integrityOf, makeTarball, sha1Of } from '../../support/tarballs.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

/** Takes a request over; `true` if it answered, `false` to let the registry answer as usual. */
export type Mischief = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>;

interface FakeVersion {
  manifest: Record<string, unknown>;
  tarball: Buffer;
  at: number;
}

/** A registry on loopback that serves what it is given, counts what it is asked, and misbehaves when told to. */
export class FakeUpstream {
  readonly requests: SeenRequest[] = [];
  mischief: Mischief | undefined;
  /** Leaves `integrity` out of packuments, as GitLab does. */
  onlyShasum = false;
  #server: Server;
  readonly #packages = new Map<string, { versions: Map<string, FakeVersion>; tags: Record<string, string> }>();

  static async start(): Promise<FakeUpstream> {
    const upstream = new FakeUpstream();
    await upstream.#listen(0);
    return upstream;
  }

  private constructor() {
    this.#server = createServer((req, res) => void this.#answer(req, res));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #origin = '';
  get url(): string {
    return this.#origin;
  }

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

  remove(name: string): void {
    this.#packages.delete(name);
  }

  /** How often a path was asked, whatever its query. */
  asked(path: string): number {
    return this.requests.filter((request) => decodeURIComponent(request.url.split('?')[0] ?? '') === path).length;
  }

  /** Goes away: the port refuses connections. */
  async goAway(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Comes back on the same port. */
  async comeBack(): Promise<void> {
    const { port } = new URL(this.#origin);
    this.#server = createServer((req, res) => void this.#answer(req, res));
    await this.#listen(Number(port));
  }

  async #listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.#origin = `http://127.0.0.1:${this.port}`;
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.requests.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers });
    if (this.mischief && (await this.mischief(req, res))) return;
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
              tarball: `${this.#origin}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`,
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
