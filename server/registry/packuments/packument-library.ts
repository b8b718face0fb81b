import { ByteCache } from '../../lib/byte-cache.ts';
import type { CacheBudget } from '../../lib/byte-cache.ts';
import { compress } from '../../lib/compress.ts';
import { SingleFlight } from '../../lib/single-flight.ts';
import { Slots } from '../../lib/slots.ts';
import { nextTurn } from '../../lib/turns.ts';
import { manifestSizeOf, type PackageRow, type PackageStore, type VersionRow } from '../package-store.ts';
import { computedLatest } from '../package-version.ts';
import { mergeSources, packumentFrame, versionText } from './packument-text.ts';
import type { PackumentForm, PackumentSource } from './packument-text.ts';

export type PackumentEncoding = 'identity' | 'gzip' | 'br';

/** A packument as it goes out on the wire. */
export interface RenderedPackument {
  readonly bytes: Buffer;
  /** Weak, since all encodings share it. */
  readonly etag: string;
  /** As an HTTP date. */
  readonly lastModified: string;
}

/** A packument to render. `packages` are the packages of this name that the caller may read, at least one, by id. */
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
  readonly caches: CacheBudget;
}

/** Rows handled between two turns of the event loop, so that a package of thousands of versions delays no other request. */
const rowsPerTurn = 200;

/** Bytes of manifests as well: one may have a megabyte. */
const bytesPerTurn = 2 * 1024 * 1024;

/**
 * Renders packuments once per change and address, and caches the bytes. Their entity tag holds the revision of every package in them, so a
 * change needs no invalidation: bytes with another one are outdated, and what is rendered next takes their place.
 */
export class PackumentLibrary {
  readonly #options: PackumentLibraryOptions;
  readonly #rendered: ByteCache<RenderedPackument>;
  readonly #flights = new SingleFlight<RenderedPackument>();
  /** For packuments of more rows: each takes several times its bytes, and more than two at once are not done sooner. */
  readonly #long = new Slots(2);

  constructor(options: PackumentLibraryOptions) {
    this.#options = options;
    this.#rendered = new ByteCache(options.caches);
  }

  /** Milliseconds by which a project shows its publish times older. */
  ageShiftOf(projectId: number): number {
    return this.#options.ageShiftOf(projectId);
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
    const { packages, form, encoding, base } = request;
    const key = `${packages.map(({ id }) => id).join('-')} ${form} ${encoding} ${base}`;
    const etag = this.etagOf(request);
    const ready = this.#rendered.get(key);
    if (ready?.etag === etag) return ready;
    return this.#flights.run(`${etag} ${key}`, async () => {
      const rendered = await this.#renderNow(request);
      return this.#rendered.set(key, rendered, rendered.bytes.length)?.value ?? rendered;
    });
  }

  async #renderNow(request: PackumentRequest): Promise<RenderedPackument> {
    const { packages, form, encoding, base } = request;
    if (encoding !== 'identity') {
      const plain = await this.render({ ...request, encoding: 'identity' });
      return { ...plain, bytes: await compress(plain.bytes, encoding) };
    }
    const etag = this.etagOf(request);
    let isLong = false;
    const onLong = async (): Promise<void> => {
      if (!isLong) await this.#long.take();
      isLong = true;
    };
    try {
      const sources: PackumentSource[] = [];
      for (const row of packages) sources.push(await this.#readSource(row, onLong));
      const merged = mergeSources(sources, this.revisionOf(packages));
      const { head, tail } = packumentFrame(merged, form);
      const parts = [Buffer.from(head)];
      let ofTurn = 0;
      for (const [index, { row }] of merged.versions.entries()) {
        const text = versionText(merged.name, row, form, base);
        parts.push(Buffer.from(`${index > 0 ? ',' : ''}${JSON.stringify(row.version)}:${text}`));
        ofTurn += text.length;
        if (index % rowsPerTurn !== rowsPerTurn - 1 && ofTurn < bytesPerTurn) continue;
        await nextTurn();
        ofTurn = 0;
      }
      parts.push(Buffer.from(tail));
      return { bytes: Buffer.concat(parts), etag, lastModified: new Date(merged.modifiedAt).toUTCString() };
    } finally {
      if (isLong) this.#long.release();
    }
  }

  /** @param onLong called, and awaited, before more than the first rows are read */
  async #readSource(wanted: PackageRow, onLong: () => Promise<void>): Promise<PackumentSource> {
    const { store } = this.#options;
    for (;;) {
      const before = store.getPackage(wanted.id) ?? wanted;
      const versions: VersionRow[] = [];
      for (;;) {
        const rows = store.versionsOf(wanted.id, versions.at(-1)?.id ?? 0, rowsPerTurn, bytesPerTurn);
        versions.push(...rows);
        const size = rows.reduce((sum, row) => sum + manifestSizeOf(row), 0);
        if (rows.length < rowsPerTurn && size < bytesPerTurn) break;
        await onLong();
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

  #revisionOf(packages: readonly PackageRow[]): string {
    let text = this.#options.store.epoch;
    for (const row of packages) text += `-${row.id}.${row.revision}`;
    return text;
  }
}
