import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import semver from 'semver';
import { pack } from 'tar-stream';
import type { Pack } from 'tar-stream';
import { GatehouseError } from '../../contract/errors.ts';
import type { BundleReport } from '../../contract/upstream.ts';
import type { PackageStore } from '../../registry/package-store.ts';
import type { TarballStore } from '../../registry/publish/tarball-port.ts';
import { integrityOf } from '../../lib/integrity.ts';
import { closureOf, wantedOf } from './closure.ts';
import type { Resolvable } from './closure.ts';
import type { Forwarding } from '../proxy/forwarding.ts';
import { findLocalPackage } from '../proxy/local-packages.ts';
import type { PackumentCache } from '../proxy/packument-cache.ts';
import type { UpstreamRow, UpstreamStore } from '../upstream-store.ts';
import { contentsFile, signContents, signatureFile, tarballFile } from './bundle-format.ts';
import type { BundleContents, BundleKey, BundlePackage, BundleVersion } from './bundle-format.ts';

export interface ExporterOptions {
  readonly packages: PackageStore;
  readonly tarballs: TarballStore;
  readonly store: UpstreamStore;
  readonly forwarding: Forwarding;
  readonly packuments: PackumentCache;
  readonly localNames: () => string[];
  readonly key: BundleKey;
  readonly source: string;
  readonly clock: () => number;
}

/** Versions of one package on their way into a bundle. */
interface Chosen {
  readonly origin: 'local' | 'cache';
  readonly source: string | null;
  readonly tags: ReadonlyMap<string, string>;
  readonly versions: Map<string, BundleVersion>;
}

/** Writes packages of this registry, and kept ones of others, into one file. */
export class BundleExporter {
  readonly #options: ExporterOptions;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  /**
   * @param specs `name` (all versions), `name@range`, `name@tag`, `@scope` or `@scope/*`
   * @param closure whether everything that these need comes along, as far as it is here or can be fetched
   * @throws GatehouseError `package_not_found` if a spec means nothing, `conflict` if the file is there, `unprocessable` if it can't be written.
   */
  async export(file: string, specs: readonly string[], closure: boolean): Promise<BundleReport> {
    await refuseExisting(file);
    const chosen = new Map<string, Chosen>();
    const missing: string[] = [];
    for (const spec of specs) await this.#choose(spec, chosen);
    if (closure) missing.push(...(await this.#addClosure(chosen)));
    const contents: BundleContents = {
      format: 1,
      createdAt: this.#options.clock(),
      source: this.#options.source,
      missing,
      packages: [...chosen].map(([name, found]) => asPackage(name, found)),
    };
    await this.#write(file, contents);
    const { size } = await stat(file);
    return {
      file,
      createdAt: contents.createdAt,
      source: contents.source,
      keyId: this.#options.key.keyId,
      keyTrust: 'own',
      entries: contents.packages.flatMap(({ name, origin, versions }) =>
        versions.map(({ version, size: bytes }) => ({
          name,
          version,
          origin,
          size: bytes,
          verdict: 'new' as const,
          explanation: 'In the bundle.',
        })),
      ),
      bytes: size,
      missing,
      applied: false,
    };
  }

  async #choose(spec: string, chosen: Map<string, Chosen>): Promise<void> {
    const scope = /^(@[^/]+)(?:\/\*)?$/.exec(spec)?.[1];
    if (scope !== undefined || spec === '*') {
      const names = this.#options.localNames().filter((name) => spec === '*' || name.startsWith(`${scope}/`));
      if (names.length === 0) throw nothing(spec);
      for (const name of names) this.#chooseLocal(name, '', chosen);
      return;
    }
    const { name, range } = wantedOf(spec);
    if (this.#chooseLocal(name, range, chosen) || (await this.#chooseKept(name, range, chosen))) return;
    throw nothing(spec);
  }

  #chooseLocal(name: string, range: string, chosen: Map<string, Chosen>): boolean {
    const { packages } = this.#options;
    const local = findLocalPackage(packages, name);
    if (!local) return false;
    const wanted = inRange([...local.versions.keys()], range, local.tags);
    for (const version of wanted) {
      const row = local.versions.get(version)?.row;
      if (!row) continue;
      addVersion(
        chosen,
        name,
        { origin: 'local', source: null, tags: local.tags },
        {
          version,
          sha512: row.tarballSha512,
          size: row.size,
          publishedAt: row.publishedAt,
          deprecated: row.deprecated,
          manifest: {
            ...(JSON.parse(row.manifest) as Record<string, unknown>),
            dist: { integrity: row.integrity, shasum: row.shasum },
          },
          readme: packages.readmeOf(row.id)?.text ?? null,
        },
      );
    }
    return wanted.length > 0;
  }

  /** Versions of another registry's package whose tarballs are here. */
  async #chooseKept(name: string, range: string, chosen: Map<string, Chosen>): Promise<boolean> {
    for (const upstream of this.#options.forwarding.routesOf(name)) {
      const versions = this.#options.store.tarballsOf(upstream.id, name).map((tarball) => tarball.version);
      const found = await this.#options.packuments.kept(upstream, name);
      const wanted = inRange(versions, range, found?.document.distTags ?? new Map());
      for (const version of wanted) await this.#addKept(upstream, name, version, chosen);
      if (wanted.length > 0) return true;
    }
    return false;
  }

  async #addKept(upstream: UpstreamRow, name: string, version: string, chosen: Map<string, Chosen>): Promise<void> {
    const row = this.#options.store.tarball(upstream.id, name, version);
    const found = await this.#options.packuments.kept(upstream, name);
    const manifest = found?.document.versions.get(version);
    if (!row || !found || !manifest) return;
    const { deprecated } = manifest as { deprecated?: unknown };
    const publishedAt = Date.parse(String(found.document.time[version]));
    const source = upstream.url === '' ? upstream.name : upstream.url;
    addVersion(
      chosen,
      name,
      { origin: 'cache', source, tags: found.document.distTags },
      {
        version,
        sha512: row.sha512,
        size: row.size,
        publishedAt: Number.isNaN(publishedAt) ? row.fetchedAt : publishedAt,
        deprecated: typeof deprecated === 'string' ? deprecated : null,
        manifest: { ...manifest, dist: { ...manifest.dist, integrity: integrityOf(row.sha512) } },
        readme: null,
      },
    );
  }

  /** Adds what the chosen versions need; answers what could not be had. */
  async #addClosure(chosen: Map<string, Chosen>): Promise<string[]> {
    const roots = [...chosen].flatMap(([name, { versions }]) =>
      [...versions.keys()].map((version) => `${name}@${version}`),
    );
    const { packages, missing } = await closureOf(roots, (name) => this.#find(name));
    const failed = missing.map(({ name, range }) => `${name}@${range}`);
    for (const { name, version } of packages) {
      if (chosen.get(name)?.versions.has(version) === true || this.#chooseLocal(name, version, chosen)) continue;
      try {
        const answer = await this.#options.forwarding.tarball(name, version);
        if (answer?.source.kind === 'flight') await answer.source.flight.kept;
        if (answer) await this.#addKept(answer.upstream, name, version, chosen);
      } catch {
        // Told in the report.
      }
      if (chosen.get(name)?.versions.has(version) !== true) failed.push(`${name}@${version}`);
    }
    return failed;
  }

  /** A package as far as it can be had: with no network only versions whose bytes are here count. */
  async #find(name: string): Promise<Resolvable | undefined> {
    const { packages, forwarding, store } = this.#options;
    const local = findLocalPackage(packages, name);
    if (local) {
      const versions = [...local.versions].map(
        ([version, { row }]) => [version, JSON.parse(row.manifest) as Record<string, unknown>] as const,
      );
      return { versions: new Map(versions), tags: local.tags };
    }
    const found = await forwarding.packument(name);
    if (!found) return undefined;
    const visible = forwarding.visible(found);
    const isOut = found.freshness.kind === 'stale' || found.freshness.kind === 'archive';
    if (!isOut) return { versions: visible.versions, tags: visible.distTags };
    const here = new Set(store.tarballsOf(found.upstream.id, name).map((tarball) => tarball.version));
    return {
      versions: new Map([...visible.versions].filter(([version]) => here.has(version))),
      tags: new Map([...visible.distTags].filter(([, version]) => here.has(version))),
    };
  }

  async #write(file: string, contents: BundleContents): Promise<void> {
    const { key } = this.#options;
    const bytes = Buffer.from(JSON.stringify(contents));
    const part = `${file}.part`;
    const archive = pack();
    try {
      const writing = pipeline(archive, createWriteStream(part, { mode: 0o644 }));
      const filling = (async () => {
        await add(archive, contentsFile, bytes.length, [bytes]);
        const signed = signContents(bytes, key);
        await add(archive, signatureFile, signed.length, [signed]);
        const written = new Set<string>();
        for (const { sha512, size } of contents.packages.flatMap(({ versions }) => versions)) {
          if (written.has(sha512)) continue;
          written.add(sha512);
          await add(archive, tarballFile(sha512), size, this.#options.tarballs.open(sha512) as AsyncIterable<Buffer>);
        }
        archive.finalize();
      })();
      await Promise.all([writing, filling]);
      await rename(part, file);
    } catch (error) {
      archive.destroy();
      await rm(part, { force: true });
      throw new GatehouseError(
        'unprocessable',
        `The bundle could not be written to ${file}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

function addVersion(
  chosen: Map<string, Chosen>,
  name: string,
  about: Omit<Chosen, 'versions'>,
  version: BundleVersion,
): void {
  let entry = chosen.get(name);
  if (!entry) chosen.set(name, (entry = { ...about, versions: new Map() }));
  entry.versions.set(version.version, version);
}

function asPackage(name: string, { origin, source, tags, versions }: Chosen): BundlePackage {
  const own = [...tags].filter(([, version]) => versions.has(version));
  return {
    name,
    origin,
    source,
    tags: Object.fromEntries(own),
    versions: [...versions.values()].toSorted((a, b) => a.publishedAt - b.publishedAt),
  };
}

/** Every version that a range or a tag means; all for an empty one. */
function inRange(versions: readonly string[], range: string, tags: ReadonlyMap<string, string>): string[] {
  if (range === '') return [...versions];
  const tagged = tags.get(range);
  return versions.filter(
    (version) =>
      version === range ||
      version === tagged ||
      (semver.validRange(range) !== null && semver.satisfies(version, range)),
  );
}

async function add(
  archive: Pack,
  name: string,
  size: number,
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  const entry = archive.entry({ name, size, mtime: new Date(0) });
  await pipeline(bytes, entry);
}

async function refuseExisting(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (there)
    throw new GatehouseError('conflict', `${file} is there already. Choose another name, or take it away first.`);
}

function nothing(spec: string): GatehouseError {
  return new GatehouseError('package_not_found', `Nothing here is meant by "${spec}".`);
}
