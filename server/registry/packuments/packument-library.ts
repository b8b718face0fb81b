import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ByteCache } from '../../lib/byte-cache.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import type { PackageRow, PackageStore, VersionRow } from '../package-store.ts';
import { computedLatest } from '../package-version.ts';
import { TemplateBuilder, mergeSources, packumentFrame, versionText } from './packument-template.ts';
import type { MergedPackument, PackumentForm, PackumentSource, PackumentTemplate } from './packument-template.ts';

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

export type PackumentEncoding = 'identity' | 'gzip' | 'br';

/** A packument as it goes out on the wire. */
export interface RenderedPackument {
  readonly bytes: Buffer;
  /** Weak, since one tag stands for every encoding. */
  readonly etag: string;
  /** As an HTTP date. */
  readonly lastModified: string;
}

/** Which packument is asked for. `packages` are the packages of this name that the caller may read, at least one, by id. */
export interface PackumentRequest {
  readonly packages: readonly PackageRow[];
  readonly form: PackumentForm;
  /** Address of the registry as the client knows it, without a trailing slash. */
  readonly base: string;
  readonly encoding: PackumentEncoding;
}

export interface PackumentLibraryOptions {
  readonly store: PackageStore;
  /** Milliseconds by which a project shows its publish times older. */
  readonly ageShiftOf: (projectId: number) => number;
  /** Bytes that rendered packuments may keep in memory. */
  readonly cacheLimit: number;
}

interface PackumentDraft {
  readonly template: PackumentTemplate;
  readonly lastModified: string;
}

/** Rows read between two turns of the event loop, so that a package of thousands of versions stalls nobody. */
const rowsPerTurn = 200;

/**
 * Renders packuments and keeps them as ready bytes. A key holds the revision of every package in it, so a change never has to look
 * for what it outdates: nobody asks for the old key again, and the cache lets go of it in time.
 */
export class PackumentLibrary {
  readonly #options: PackumentLibraryOptions;
  readonly #templates: ByteCache<PackumentDraft>;
  readonly #rendered: ByteCache<RenderedPackument>;
  readonly #underWay = new Map<string, Promise<RenderedPackument>>();
  readonly #drafts = new Map<string, Promise<PackumentDraft>>();

  constructor(options: PackumentLibraryOptions) {
    this.#options = options;
    this.#templates = new ByteCache(options.cacheLimit / 4);
    this.#rendered = new ByteCache((options.cacheLimit * 3) / 4);
  }

  /** Milliseconds by which a project shows its publish times older. */
  ageShiftOf(projectId: number): number {
    return this.#options.ageShiftOf(projectId);
  }

  /** Bytes that the caches hold now. */
  get memory(): number {
    return this.#templates.size + this.#rendered.size;
  }

  /** The entity tag that a request would get, without rendering anything. */
  etagOf(request: Pick<PackumentRequest, 'packages' | 'form'>): string {
    return `W/"${this.#revisionOf(request.packages)}${request.form === 'full' ? '' : '-a'}"`;
  }

  /** CouchDB's kind of revision, which npm sends back with `-rev` calls. */
  revisionOf(packages: readonly PackageRow[]): string {
    const count = packages.reduce((sum, row) => sum + row.revision, 0);
    return `${count}-${this.#revisionOf(packages)}`;
  }

  /** Ready bytes, at once if they are in memory. */
  render(request: PackumentRequest): RenderedPackument | Promise<RenderedPackument> {
    const key = this.#keyOf(request);
    const ready = this.#rendered.get(key);
    if (ready) return ready;
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const rendering = this.#renderNow(request, key).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, rendering);
    return rendering;
  }

  /** The merged content as values, for calls that need a part of it (one manifest, the tags). */
  async read(packages: readonly PackageRow[]): Promise<MergedPackument> {
    const sources: PackumentSource[] = [];
    for (const row of packages) sources.push(await this.#readSource(row));
    return mergeSources(sources, this.revisionOf(packages));
  }

  async #renderNow(request: PackumentRequest, key: string): Promise<RenderedPackument> {
    const { template, lastModified } = await this.#templateOf(request);
    const plain = template.fill(request.base);
    const bytes = request.encoding === 'identity' ? plain : await compress(plain, request.encoding);
    const rendered = { bytes, etag: this.etagOf(request), lastModified };
    this.#rendered.set(key, rendered, bytes.length + 200);
    return rendered;
  }

  /** The template of a packument; requests for its several encodings that come at once share the work. */
  #templateOf(request: PackumentRequest): Promise<PackumentDraft> {
    const key = `${request.form} ${this.#revisionOf(request.packages)}`;
    const known = this.#templates.get(key);
    if (known) return Promise.resolve(known);
    const underWay = this.#drafts.get(key);
    if (underWay) return underWay;
    const draft = this.#draft(request).then((made) => {
      this.#templates.set(key, made, made.template.size);
      return made;
    });
    const settled = draft.finally(() => this.#drafts.delete(key));
    this.#drafts.set(key, settled);
    return settled;
  }

  async #draft(request: PackumentRequest): Promise<PackumentDraft> {
    const merged = await this.read(request.packages);
    const builder = new TemplateBuilder();
    const { head, tail } = packumentFrame(merged, request.form);
    builder.add(head);
    let inThisTurn = 0;
    for (const [index, { row }] of merged.versions.entries()) {
      const text = versionText(merged.name, row, request.form);
      builder.add(`${index > 0 ? ',' : ''}${JSON.stringify(row.version)}:${text}`);
      inThisTurn += 1;
      if (inThisTurn === rowsPerTurn) {
        inThisTurn = 0;
        await nextTurn();
      }
    }
    builder.add(tail);
    return { template: builder.build(), lastModified: new Date(merged.modifiedAt).toUTCString() };
  }

  async #readSource(wanted: PackageRow): Promise<PackumentSource> {
    const { store } = this.#options;
    for (;;) {
      const before = store.getPackage(wanted.id) ?? wanted;
      const versions: VersionRow[] = [];
      for (;;) {
        const rows = store.versionsOf(wanted.id, versions.at(-1)?.id ?? 0, rowsPerTurn);
        versions.push(...rows);
        if (rows.length < rowsPerTurn) break;
        await nextTurn();
      }
      // What was read over several turns is one state only if nothing changed meanwhile.
      const after = store.getPackage(wanted.id);
      if (after && after.revision !== before.revision) continue;
      const tags = store.tagsOf(wanted.id);
      const latest =
        tags.find((tag) => tag.tag === 'latest')?.version ?? computedLatest(versions.map((row) => row.version));
      const latestRow = versions.find((row) => row.version === latest);
      return {
        package: before,
        versions,
        tags,
        maintainers: store.maintainersOf(wanted.id),
        starrers: store.starrersOf(wanted.id),
        readme: latestRow ? (store.readmeOf(latestRow.id) ?? null) : null,
        ageShift: this.#options.ageShiftOf(wanted.projectId),
      };
    }
  }

  #keyOf({ packages, form, base, encoding }: PackumentRequest): string {
    return `${this.#revisionOf(packages)} ${form} ${encoding} ${base}`;
  }

  #revisionOf(packages: readonly PackageRow[]): string {
    let text = this.#options.store.epoch;
    for (const row of packages) text += `-${row.id}.${row.revision}`;
    return text;
  }
}

async function compress(bytes: Buffer, encoding: 'gzip' | 'br'): Promise<Buffer> {
  const compressed =
    encoding === 'gzip'
      ? await compressGzip(bytes, { level: 6 })
      : await compressBrotli(bytes, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: bytes.length > 1024 * 1024 ? 4 : 6,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          },
        });
  // zlib answers a part of a larger block, all of which a cache would keep.
  const exact = Buffer.allocUnsafeSlow(compressed.length);
  compressed.copy(exact);
  return exact;
}
