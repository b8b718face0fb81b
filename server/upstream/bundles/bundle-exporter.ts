import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import semver from 'semver';
import { pack } from 'tar-stream';
import type { Pack } from 'tar-stream';
import { GatehouseError } from '../../contract/errors.ts';
import type { BundleReport } from '../../contract/bundles.ts';
import { explainFileError, withPath } from '../../lib/file-error.ts';
import { integrityOf } from '../../lib/integrity.ts';
import { putInPlace, requireWritableTarget, type TargetFile } from '../../lib/target-file.ts';
import { splitSpec } from '../../registry/package-name.ts';
import { closureOf, resolvableLocal } from '../closure.ts';
import type { Resolvable } from '../closure.ts';
import type { Forwarding } from '../proxy/forwarding.ts';
import type { PackumentCache } from '../proxy/packument-cache.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import { contentsFile, requireModestContents, signContents, signatureFile, tarballFile } from './bundle-format.ts';
import type { BundleContents, BundleKey, BundlePackage, BundleVersion } from './bundle-format.ts';

export interface ExporterOptions extends UpstreamContext {
  readonly forwarding: Forwarding;
  readonly packumentCache: PackumentCache;
  readonly key: BundleKey;
  readonly source: string;
  /** Path of the data folder, in which nothing is replaced. */
  readonly dataFolder: string;
}

/** Versions of one package that were chosen for a bundle. */
interface Chosen extends Omit<BundlePackage, 'name' | 'tags' | 'versions'> {
  readonly tags: ReadonlyMap<string, string>;
  readonly versions: Map<string, BundleVersion>;
}

const inBundle = { verdict: 'new', explanation: 'In the bundle.' } as const;

/** Writes packages of this registry, and cached ones of others, into one file. */
export class BundleExporter {
  readonly #options: ExporterOptions;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  /**
   * @param specs `name` (all versions), `name@range`, `name@tag`, `@scope` or `@scope/*`
   * @param closure whether dependencies are included, as far as they are here or can be fetched
   * @throws GatehouseError `package_not_found` if a spec matches nothing, `conflict` if the file exists and may not be replaced, `unprocessable` if it can't be written.
   */
  async export(target: TargetFile, specs: readonly string[], closure: boolean): Promise<BundleReport> {
    await requireWritableTarget(target, this.#options.dataFolder);
    const { file } = target;
    const chosen = new Map<string, Chosen>();
    for (const spec of specs) await this.#choose(spec, chosen);
    const missing = closure ? await this.#addClosure(chosen) : [];
    const { clock, source, key } = this.#options;
    const createdAt = clock();
    const packages = [...chosen].map(([name, found]) => asPackage(name, found));
    await this.#write(target, { format: 1, createdAt, source, missing, packages });
    const { size: bytes } = await stat(file);
    const entries = packages.flatMap(({ name, origin, versions }) =>
      versions.map(({ version, size }) => ({ name, version, origin, size, ...inBundle })),
    );
    return { file, createdAt, source, keyId: key.keyId, keyTrust: 'own', entries, bytes, missing, applied: false };
  }

  async #choose(spec: string, chosen: Map<string, Chosen>): Promise<void> {
    const scope = /^(@[^/]+)(?:\/\*)?$/.exec(spec)?.[1];
    if (scope !== undefined || spec === '*') {
      const names = this.#options.store.localNames().filter((name) => spec === '*' || name.startsWith(`${scope}/`));
      const found = names.filter((name) => this.#chooseLocal(name, '', chosen));
      if (found.length === 0) throw nothing(spec);
      return;
    }
    const { name, range } = splitSpec(spec);
    if (this.#chooseLocal(name, range, chosen) || (await this.#chooseCached(name, range, chosen))) return;
    throw nothing(spec);
  }

  #chooseLocal(name: string, range: string, chosen: Map<string, Chosen>): boolean {
    const { packages } = this.#options;
    const local = this.#options.forwarding.localPackage(name);
    if (!local) return false;
    const wanted = inRange([...local.versions.keys()], range, local.tags);
    for (const version of wanted) {
      const row = local.versions.get(version);
      if (!row) continue;
      const { tarballSha512: sha512, size, publishedAt, deprecated, integrity, shasum } = row;
      const manifest = { ...(JSON.parse(row.manifest) as Record<string, unknown>), dist: { integrity, shasum } };
      const readme = packages.readmeOf(row.id)?.text ?? null;
      const chosenVersion = { version, sha512, size, publishedAt, deprecated, manifest, readme };
      addVersion(chosen, name, { origin: 'local', source: null, tags: local.tags }, chosenVersion);
    }
    return wanted.length > 0;
  }

  /** Versions of another registry's package whose tarballs are here. */
  async #chooseCached(name: string, range: string, chosen: Map<string, Chosen>): Promise<boolean> {
    for (const upstream of this.#options.forwarding.routesOf(name)) {
      const versions = this.#options.store.tarballsOf(upstream.id, name).map((tarball) => tarball.version);
      const found = await this.#options.packumentCache.cached(upstream, name);
      const wanted = inRange(versions, range, found?.document.distTags ?? new Map());
      for (const version of wanted) await this.#addCached(upstream, name, version, chosen);
      if (wanted.length > 0) return true;
    }
    return false;
  }

  async #addCached(upstream: UpstreamRow, name: string, version: string, chosen: Map<string, Chosen>): Promise<void> {
    const row = this.#options.store.tarball(upstream.id, name, version);
    const found = await this.#options.packumentCache.cached(upstream, name);
    const manifest = found?.document.versions.get(version);
    if (!row || !found || !manifest) return;
    const { deprecated } = manifest as { deprecated?: unknown };
    const publishedAt = Date.parse(String(found.document.time[version]));
    const source = upstream.url === '' ? upstream.name : upstream.url;
    const { sha512, size, fetchedAt } = row;
    addVersion(
      chosen,
      name,
      { origin: 'cache', source, tags: found.document.distTags },
      {
        version,
        sha512,
        size,
        publishedAt: Number.isNaN(publishedAt) ? fetchedAt : publishedAt,
        deprecated: typeof deprecated === 'string' ? deprecated : null,
        manifest: { ...manifest, dist: { ...manifest.dist, integrity: integrityOf(sha512) } },
        readme: null,
      },
    );
  }

  /** Adds the dependencies of the chosen versions; returns those that are missing. */
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
        if (answer?.source.kind === 'download') await answer.source.download.stored;
        if (answer) await this.#addCached(answer.upstream, name, version, chosen);
      } catch {
        // Listed as missing below.
      }
      if (chosen.get(name)?.versions.has(version) !== true) failed.push(`${name}@${version}`);
    }
    return failed;
  }

  /** A package for the resolver: without a network only versions whose tarballs are here. */
  async #find(name: string): Promise<Resolvable | undefined> {
    const { forwarding, store } = this.#options;
    const local = this.#options.forwarding.localPackage(name);
    if (local) return resolvableLocal(local);
    const found = await forwarding.packument(name);
    if (!found) return undefined;
    const visible = forwarding.visible(found);
    const isOffline = found.freshness.kind === 'stale' || found.freshness.kind === 'archive';
    if (!isOffline) return { versions: visible.versions, tags: visible.distTags };
    const here = new Set(store.tarballsOf(found.upstream.id, name).map((tarball) => tarball.version));
    return {
      versions: new Map([...visible.versions].filter(([version]) => here.has(version))),
      tags: new Map([...visible.distTags].filter(([, version]) => here.has(version))),
    };
  }

  async #write(target: TargetFile, contents: BundleContents): Promise<void> {
    const { file } = target;
    // A name that nobody can put a link under beforehand.
    const part = `${file}.${randomUUID()}.part`;
    const archive = pack();
    try {
      await Promise.all([
        pipeline(archive, createWriteStream(part, { flags: 'wx', mode: 0o600 })),
        this.#fill(archive, contents),
      ]);
      await putInPlace(part, target, this.#options.dataFolder);
    } catch (error) {
      archive.destroy();
      await rm(part, { force: true });
      if (error instanceof GatehouseError) throw error;
      const reason =
        explainFileError(withPath(error, file)) ?? (error instanceof Error ? error.message : String(error));
      throw new GatehouseError('unprocessable', `The bundle could not be written. ${reason}`);
    }
  }

  async #fill(archive: Pack, contents: BundleContents): Promise<void> {
    const { key, tarballs } = this.#options;
    const add = (name: string, size: number, bytes: Iterable<Buffer> | Readable): Promise<void> =>
      pipeline(bytes, archive.entry({ name, size, mtime: new Date(0) }));
    const bytes = Buffer.from(JSON.stringify(contents));
    requireModestContents(bytes);
    await add(contentsFile, bytes.length, [bytes]);
    const signature = signContents(bytes, key);
    await add(signatureFile, signature.length, [signature]);
    const sizes = contents.packages.flatMap(({ versions }) =>
      versions.map(({ sha512, size }) => [sha512, size] as const),
    );
    for (const [sha512, size] of new Map(sizes)) await add(tarballFile(sha512), size, tarballs.open(sha512));
    archive.finalize();
  }
}

function addVersion(
  chosen: Map<string, Chosen>,
  name: string,
  about: Omit<Chosen, 'versions'>,
  version: BundleVersion,
): void {
  const entry = chosen.get(name) ?? { ...about, versions: new Map() };
  chosen.set(name, entry);
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

function nothing(spec: string): GatehouseError {
  return new GatehouseError(
    'package_not_found',
    `Nothing here matches "${spec}". Of names that another registry may have, only claimed ones and packages of confirmed groups count as ours: see "gatehouse upstream claim".`,
  );
}
