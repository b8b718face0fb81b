import type { Project } from '../../accounts/access/principal.ts';
import type { Actor } from '../../accounts/change.ts';
import { GatehouseError } from '../../contract/errors.ts';
import type { BundleEntry, BundleReport } from '../../contract/upstream.ts';
import { integrityOf } from '../../lib/integrity.ts';
import type { PackageEditor } from '../../registry/package-editor.ts';
import type { Publisher } from '../../registry/publish/publish.ts';
import { TarballInspector } from '../../registry/publish/tarball-inspector.ts';
import type { TarballWriter } from '../../registry/publish/tarball-store.ts';
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

/** Imports bundles: packages that were published elsewhere into a project, those of other registries into the cache. */
export class BundleImporter {
  readonly #options: ImporterOptions;

  constructor(options: ImporterOptions) {
    this.#options = options;
  }

  /** Verifies every byte and says what an import would do. Changes nothing. @throws GatehouseError as `readBundle` does, `forbidden` (key). */
  async inspect(request: ImportRequest): Promise<BundleReport> {
    const project = this.#requireProject(request.projectId);
    const read = await readBundle(request.file, (begun) => requireKey(begun, request), drain);
    return this.#report(request.file, read, compareBundle(this.#options, read.contents, project), false);
  }

  /** Verifies the whole bundle, then imports what is new. What was there before stays as it is. */
  async import(request: ImportRequest, actor: Actor): Promise<BundleReport> {
    const project = this.#requireProject(request.projectId);
    // Nothing of a bundle that is damaged at its end may stay, hence two passes.
    const { entries } = await this.inspect(request);
    const newEntries = entries.filter(({ verdict }) => verdict === 'new');
    const archive = newEntries.some(({ origin }) => origin === 'cache')
      ? await this.#options.upstreams.archive(actor)
      : undefined;
    let newVersions: NewVersion[] = [];
    let bySha512 = new Map<string, NewVersion[]>();
    const read = await readBundle(
      request.file,
      (begun) => {
        requireKey(begun, request);
        newVersions = newVersionsOf(begun, newEntries);
        bySha512 = Map.groupBy(newVersions, ({ version }) => version.sha512);
      },
      async (sha512, bytes) => {
        const uses = bySha512.get(sha512) ?? [];
        if (uses.length === 0) return drain(sha512, bytes);
        let source = bytes;
        for (const { found, version } of uses) {
          if (found.origin === 'local') await this.#publish(found, version, source, project, actor);
          else if (archive) await this.#cache(archive, found.name, version, source);
          // Another version with the same bytes finds them on the disk now.
          source = this.#options.tarballs.open(sha512) as AsyncIterable<Buffer>;
        }
      },
    );
    for (const [found, versions] of Map.groupBy(newVersions, ({ found: of }) => of)) {
      const added = versions.map(({ version }) => version);
      if (found.origin === 'local') await this.#deprecate(found.name, added, project, actor);
      else if (archive) await this.#addToPackument(archive, found, added);
    }
    return this.#report(request.file, read, entries, true);
  }

  async #publish(
    { name, tags }: BundlePackage,
    { version, manifest, readme }: BundleVersion,
    bytes: AsyncIterable<Buffer>,
    project: Project,
    actor: Actor,
  ): Promise<void> {
    const { publisher, packages, limits } = this.#options;
    const { writer, inspector } = await this.#receive(bytes, true);
    const file = `${name}-${version}.tgz`;
    const row = packages.findPackage(project.id, name);
    // A tag that is here already stays where it is.
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
    const discard = async (): Promise<void> => {
      inspector.cancel();
      await writer.discard();
    };
    const received = { kind: 'tarball' as const, writer, limits: limits.inspection, inspector };
    const attachments = new Map([[file, received]]);
    try {
      await publisher.publish({ document, attachments, discard }, document, { project, nameInUrl: name, actor });
    } finally {
      await discard();
    }
  }

  async #deprecate(name: string, added: readonly BundleVersion[], project: Project, actor: Actor): Promise<void> {
    const messages = added.flatMap(({ version, deprecated }) =>
      deprecated === null ? [] : [[version, deprecated] as const],
    );
    const row = this.#options.packages.findPackage(project.id, name);
    if (row && messages.length > 0) await this.#options.editor.deprecate(row.id, new Map(messages), actor);
  }

  async #cache(
    archive: UpstreamRow,
    name: string,
    { version, sha512 }: BundleVersion,
    bytes: AsyncIterable<Buffer>,
  ): Promise<void> {
    const { collector, unitOfWork, packages, store, clock } = this.#options;
    const { writer, inspector } = await this.#receive(bytes, false);
    try {
      const digests = writer.digests();
      await collector.withReference(writer, unitOfWork, (change) => {
        packages.insertTarball(digests, change.now);
        const integrity = integrityOf(sha512);
        const { size } = digests;
        store.putTarball({ upstreamId: archive.id, name, version, sha512, integrity, size, fetchedAt: clock() });
      });
    } finally {
      inspector.cancel();
      await writer.discard();
    }
  }

  /** Adds versions to the cached packument; those of other bundles stay in it. */
  async #addToPackument(archive: UpstreamRow, found: BundlePackage, added: readonly BundleVersion[]): Promise<void> {
    const { name } = found;
    const { packumentCache, store, unitOfWork, clock } = this.#options;
    const before = await packumentCache.raw(archive.id, name);
    const old = isObject(before) ? before : {};
    const part = (key: string): Record<string, unknown> => (isObject(old[key]) ? { ...old[key] } : {});
    const [versions, time] = [part('versions'), part('time')];
    for (const { version, manifest, publishedAt } of added) {
      versions[version] = manifest;
      time[version] = new Date(publishedAt).toISOString();
    }
    const tags = { ...part('dist-tags'), ...found.tags };
    const body = await packumentCache.encode({ ...old, name, 'dist-tags': tags, versions, time });
    await unitOfWork.write((change) => {
      const versionCount = Object.keys(versions).length;
      store.putPackument({ upstreamId: archive.id, name, etag: null, validatedAt: clock(), versionCount }, body);
      change.emit('upstream.changed', { subject: 'cache', upstreamId: archive.id });
    });
  }

  async #receive(
    bytes: AsyncIterable<Buffer>,
    isInspected: boolean,
  ): Promise<{ writer: TarballWriter; inspector: TarballInspector }> {
    const { tarballs, limits } = this.#options;
    const writer = tarballs.create();
    const inspector = new TarballInspector(limits.inspection);
    try {
      for await (const chunk of bytes) {
        if (writer.size + chunk.length > limits.tarball) throw new GatehouseError('payload_too_large');
        await writer.write(chunk);
        if (isInspected) await inspector.write(chunk);
      }
      return { writer, inspector };
    } catch (error) {
      inspector.cancel();
      await writer.discard();
      throw error;
    }
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
    const { ownKeyId, upstreams } = this.#options;
    const keyTrust = keyId === ownKeyId ? 'own' : upstreams.trustedKeys.includes(keyId) ? 'trusted' : 'unknown';
    return { file, createdAt, source, keyId, keyTrust, entries, bytes, missing, applied };
  }
}

function requireKey({ keyId }: ReadBundle, request: ImportRequest): void {
  if (request.requireKey === null || request.requireKey === keyId) return;
  throw new GatehouseError(
    'forbidden',
    `The bundle was signed with ${keyId}, not with the required key ${request.requireKey}. Nothing was imported.`,
  );
}

async function drain(_sha512: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _chunk of bytes);
}

function newVersionsOf({ contents }: ReadBundle, newEntries: readonly BundleEntry[]): NewVersion[] {
  const wanted = new Set(newEntries.map(({ name, version }) => `${name}@${version}`));
  return contents.packages.flatMap((found) =>
    found.versions.flatMap((version) => (wanted.has(`${found.name}@${version.version}`) ? [{ found, version }] : [])),
  );
}
