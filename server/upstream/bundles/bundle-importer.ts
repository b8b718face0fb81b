import type { Project } from '../../accounts/access/principal.ts';
import type { Actor, Change } from '../../accounts/change.ts';
import { GatehouseError } from '../../contract/errors.ts';
import type { BundleEntry, BundleReport } from '../../contract/bundles.ts';
import { integrityOf } from '../../lib/integrity.ts';
import type { PackageEditor } from '../../registry/package-editor.ts';
import type { Publisher } from '../../registry/publish/publish.ts';
import { TarballInspector } from '../../registry/publish/tarball-inspector.ts';
import type { TarballDigests, TarballWriter } from '../../registry/publish/tarball-store.ts';
import type { UploadLimits } from '../../registry/publish/upload-limits.ts';
import { isObject } from '../proxy/foreign-packument.ts';
import type { PackumentCache } from '../proxy/packument-cache.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import type { BundlePackage, BundleVersion } from './bundle-format.ts';
import { readBundle } from './bundle-reader.ts';
import type { ReadBundle } from './bundle-reader.ts';
import { compareBundle } from './compare-bundle.ts';
import type { CompareContext } from './compare-bundle.ts';

export interface ImporterOptions extends UpstreamContext, CompareContext {
  readonly publisher: Publisher;
  readonly editor: PackageEditor;
  readonly limits: UploadLimits;
  readonly packumentCache: PackumentCache;
  readonly findProject: (id: number) => Project | undefined;
  readonly ownKeyId: string;
}

export interface ImportRequest {
  readonly file: string;
  readonly projectId: number;
  /** Fingerprint of the only key that is accepted; null accepts any. */
  readonly requireKey: string | null;
}

/** A version of a bundle that is to be imported. */
interface NewVersion {
  readonly found: BundlePackage;
  readonly version: BundleVersion;
}

/** An import on its way: everything is prepared first, then written in one transaction. */
interface Preparation {
  readonly project: Project;
  readonly actor: Actor;
  /** Of the tarballs that were read, by SHA-512. */
  readonly digests: Map<string, TarballDigests>;
  readonly releases: ((isCommitted: boolean) => void)[];
  readonly works: ((change: Change) => void)[];
}

/** Imports bundles: packages that were published elsewhere into a project, those of other registries into the cache. */
export class BundleImporter {
  readonly #options: ImporterOptions;
  /** The import before: one at a time, since each extends what is cached. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ImporterOptions) {
    this.#options = options;
  }

  /** Verifies every byte and says what an import would do. Changes nothing. @throws GatehouseError as `readBundle` does, `forbidden` (key). */
  async inspect(request: ImportRequest): Promise<BundleReport> {
    const project = this.#requireProject(request.projectId);
    const read = await readBundle(request.file, (keyId) => requireKey(keyId, request), drain);
    return this.#report(request.file, read, await compareBundle(this.#options, read.contents, project), false);
  }

  /**
   * Verifies the whole bundle, then imports what is new: all of it in one transaction, or nothing if anything fails or the process is
   * killed. What was there before stays as it is.
   * @param request.trustKey whether to trust its key from now on
   * @throws GatehouseError as `inspect`, and `forbidden` for an unknown key where keys are trusted.
   */
  import(request: ImportRequest & { readonly trustKey: boolean }, actor: Actor): Promise<BundleReport> {
    const imported = this.#last.then(() => this.#import(request, actor));
    this.#last = imported.catch(() => undefined);
    return imported;
  }

  async #import(request: ImportRequest & { readonly trustKey: boolean }, actor: Actor): Promise<BundleReport> {
    const { unitOfWork, upstreams } = this.#options;
    const project = this.#requireProject(request.projectId);
    const requireAccepted = (keyId: string): void => {
      requireKey(keyId, request);
      if (!request.trustKey) this.#requireTrusted(keyId);
    };
    const verified = await readBundle(request.file, requireAccepted, drain);
    const entries = await compareBundle(this.#options, verified.contents, project);
    const newVersions = newVersionsOf(verified, entries);
    const preparation: Preparation = { project, actor, digests: new Map(), releases: [], works: [] };
    let isCommitted = false;
    try {
      await this.#prepare(request.file, requireAccepted, newVersions, preparation);
      await unitOfWork.write((change) => {
        for (const work of preparation.works) work(change);
      });
      isCommitted = true;
    } finally {
      for (const release of preparation.releases) release(isCommitted);
    }
    if (request.trustKey && this.#trustOf(verified.keyId) !== 'own') {
      await upstreams.setTrustedKeys([...upstreams.trustedKeys, verified.keyId], actor);
    }
    return this.#report(request.file, verified, inThePast(entries, project), true);
  }

  /** Reads the bundle once more and puts every new tarball in place. */
  async #prepare(
    file: string,
    accept: (keyId: string) => void,
    newVersions: readonly NewVersion[],
    preparation: Preparation,
  ): Promise<void> {
    const bySha512 = Map.groupBy(newVersions, ({ version }) => version.sha512);
    await readBundle(file, accept, async (sha512, bytes) => {
      const uses = bySha512.get(sha512) ?? [];
      if (uses.length === 0) return drain(sha512, bytes);
      const locals = uses.filter(({ found }) => found.origin === 'local');
      // Another version with the same bytes finds them on the disk.
      const kept = (): AsyncIterable<Buffer> => this.#options.tarballs.open(sha512) as AsyncIterable<Buffer>;
      for (const [index, use] of (locals.length > 0 ? locals : uses.slice(0, 1)).entries()) {
        await this.#receive(use, index === 0 ? bytes : kept(), preparation);
      }
    });
    const cached = newVersions.filter(({ found }) => found.origin === 'cache');
    if (cached.length === 0) return;
    const archive = await this.#options.upstreams.archive(preparation.actor);
    for (const [found, versions] of Map.groupBy(cached, ({ found: of }) => of)) {
      const added = versions.map(({ version }) => version);
      preparation.works.push(await this.#cacheWork(archive, found, added, preparation.digests));
    }
  }

  /** Puts a tarball in place; one of a package that is to be published is examined as every upload. */
  async #receive(
    { found, version }: NewVersion,
    bytes: AsyncIterable<Buffer>,
    preparation: Preparation,
  ): Promise<void> {
    const { tarballs, limits, collector } = this.#options;
    const writer = tarballs.create();
    const inspector = new TarballInspector(limits.inspection);
    const isPublish = found.origin === 'local';
    try {
      for await (const chunk of bytes) {
        if (writer.size + chunk.length > limits.tarball) throw new GatehouseError('payload_too_large');
        await writer.write(chunk);
        if (isPublish) await inspector.write(chunk);
      }
      const digests = writer.digests();
      preparation.digests.set(digests.sha512, digests);
      if (isPublish) await this.#preparePublish(found, version, { writer, inspector }, preparation);
      preparation.releases.push(collector.hold(digests.sha512));
      await writer.keep();
    } finally {
      inspector.cancel();
      await writer.discard();
    }
  }

  async #preparePublish(
    { name, tags }: BundlePackage,
    { version, manifest, readme, deprecated }: BundleVersion,
    { writer, inspector }: { writer: TarballWriter; inspector: TarballInspector },
    { project, actor, works }: Preparation,
  ): Promise<void> {
    const { publisher, editor, packages, limits } = this.#options;
    const file = `${name}-${version}.tgz`;
    // A tag that is here already stays where it is.
    const row = packages.findPackage(project.id, name);
    const taken = new Set(row ? packages.tagsOf(row.id).map(({ tag }) => tag) : []);
    const ownTags = Object.entries(tags).filter(([tag, target]) => target === version && !taken.has(tag));
    const document = {
      _id: name,
      name,
      'dist-tags': Object.fromEntries(ownTags),
      versions: { [version]: manifest },
      _attachments: { [file]: { content_type: 'application/octet-stream', data: '', length: writer.size } },
      ...(readme === null ? {} : { readme }),
    };
    const received = { kind: 'tarball' as const, writer, limits: limits.inspection, inspector };
    const upload = { document, attachments: new Map([[file, received]]), discard: () => Promise.resolve() };
    const { prepared } = await publisher.prepare(upload, document, { project, nameInUrl: name, actor });
    works.push((change) => {
      const { packageId } = publisher.commit(change, project, { ...prepared, source: 'bundle' }, actor);
      if (deprecated !== null) editor.deprecateWithin(change, packageId, new Map([[version, deprecated]]), actor);
    });
  }

  /** Adds versions to the cached packument; those of other bundles stay in it. */
  async #cacheWork(
    archive: UpstreamRow,
    { name, tags }: BundlePackage,
    added: readonly BundleVersion[],
    digests: ReadonlyMap<string, TarballDigests>,
  ): Promise<(change: Change) => void> {
    const { packumentCache, packages, store, clock } = this.#options;
    const before = await packumentCache.raw(archive.id, name);
    const old = isObject(before) ? before : {};
    const part = (key: string): Record<string, unknown> => (isObject(old[key]) ? { ...old[key] } : {});
    const [versions, time] = [part('versions'), part('time')];
    const rows = added.map(({ version, sha512, size, manifest, publishedAt }) => {
      const integrity = integrityOf(sha512);
      const dist = isObject(manifest['dist']) ? manifest['dist'] : {};
      versions[version] = { ...manifest, dist: { ...dist, integrity, shasum: digests.get(sha512)?.sha1 } };
      time[version] = new Date(publishedAt).toISOString();
      return { upstreamId: archive.id, name, version, sha512, integrity, size, fetchedAt: clock() };
    });
    const document = { ...old, name, 'dist-tags': { ...part('dist-tags'), ...tags }, versions, time };
    const body = await packumentCache.encode(document);
    const versionCount = Object.keys(versions).length;
    return (change) => {
      for (const row of rows) {
        const known = digests.get(row.sha512);
        if (known) packages.insertTarball(known, change.now);
        store.putTarball(row);
      }
      store.putPackument({ upstreamId: archive.id, name, etag: null, validatedAt: clock(), versionCount }, body);
      change.emit('upstream.changed', { subject: 'cache', upstreamId: archive.id });
    };
  }

  #requireProject(id: number): Project {
    const project = this.#options.findProject(id);
    if (project) return project;
    throw new GatehouseError('project_not_found', `There is no project ${id} to import into.`);
  }

  #report(
    file: string,
    { contents, keyId, bytes }: ReadBundle,
    entries: BundleEntry[],
    applied: boolean,
  ): BundleReport {
    const { createdAt, source, missing } = contents;
    const keyTrust = this.#trustOf(keyId);
    return { file, createdAt, source, keyId, keyTrust, entries, bytes, missing, applied };
  }

  #trustOf(keyId: string): BundleReport['keyTrust'] {
    const { ownKeyId, upstreams } = this.#options;
    if (keyId === ownKeyId) return 'own';
    if (upstreams.trustedKeys.includes(keyId)) return 'trusted';
    return upstreams.trustedKeys.length > 0 ? 'refused' : 'unknown';
  }

  #requireTrusted(keyId: string): void {
    if (this.#trustOf(keyId) !== 'refused') return;
    throw new GatehouseError(
      'forbidden',
      `The bundle was signed with ${keyId}, which is not a trusted key. Compare the fingerprint with the one of its maker, then trust it (--trust). Nothing was imported.`,
    );
  }
}

/** The entries after an import: what was new is here now. */
function inThePast(entries: readonly BundleEntry[], project: Project): BundleEntry[] {
  const explanations = {
    local: `Went to ${project.fullPath}`,
    cache: 'Went to the cache',
  };
  return entries.map((entry) =>
    entry.verdict === 'new' ? { ...entry, explanation: explanations[entry.origin] } : entry,
  );
}

function requireKey(keyId: string, request: ImportRequest): void {
  if (request.requireKey === null || request.requireKey === keyId) return;
  throw new GatehouseError(
    'forbidden',
    `The bundle was signed with ${keyId}, not with the required key ${request.requireKey}. Nothing was imported.`,
  );
}

async function drain(_sha512: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _chunk of bytes);
}

function newVersionsOf({ contents }: ReadBundle, entries: readonly BundleEntry[]): NewVersion[] {
  const newEntries = entries.filter(({ verdict }) => verdict === 'new');
  const wanted = new Set(newEntries.map(({ name, version }) => `${name}@${version}`));
  return contents.packages.flatMap((found) =>
    found.versions.flatMap((version) => (wanted.has(`${found.name}@${version.version}`) ? [{ found, version }] : [])),
  );
}
