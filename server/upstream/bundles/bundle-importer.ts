import { GatehouseError } from '../../contract/errors.ts';
import type { BundleEntry, BundleReport } from '../../contract/upstream.ts';
import type { Actor, UnitOfWork } from '../../accounts/change.ts';
import type { Project } from '../../accounts/access/principal.ts';
import type { PackageEditor } from '../../registry/package-editor.ts';
import type { Publisher } from '../../registry/publish/publish.ts';
import type { UploadLimits } from '../../registry/publish/upload-limits.ts';
import { TarballInspector } from '../../registry/publish/tarball-inspector.ts';
import type { TarballKeeper } from '../../registry/publish/tarball-keeper.ts';
import type { TarballStore, TarballWriter } from '../../registry/publish/tarball-port.ts';
import { integrityOf } from '../../lib/integrity.ts';
import type { PackumentCache } from '../proxy/packument-cache.ts';
import { isObject } from '../proxy/packument-document.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import type { BundlePackage, BundleVersion } from './bundle-format.ts';
import { BundleJudge } from './bundle-judge.ts';
import type { JudgeOptions } from './bundle-judge.ts';
import { readBundle } from './bundle-reader.ts';
import type { ReadBundle } from './bundle-reader.ts';

export interface ImporterOptions extends JudgeOptions {
  readonly tarballs: TarballStore;
  readonly keeper: TarballKeeper;
  readonly publisher: Publisher;
  readonly editor: PackageEditor;
  readonly limits: UploadLimits;
  readonly packuments: PackumentCache;
  readonly unitOfWork: UnitOfWork;
  readonly findProject: (id: number) => Project | undefined;
  readonly ownKeyId: string;
  readonly trustedKeys: () => readonly string[];
  readonly clock: () => number;
}

export interface ImportRequest {
  readonly file: string;
  readonly projectId: number;
  readonly requireKey: string | null;
}

/** Takes packages out of a bundle: those published elsewhere into a project, those of other registries beside the cache. */
export class BundleImporter {
  readonly #options: ImporterOptions;
  readonly #judge: BundleJudge;

  constructor(options: ImporterOptions) {
    this.#options = options;
    this.#judge = new BundleJudge(options);
  }

  /** Verifies every byte and says what an import would do. Changes nothing. @throws GatehouseError as `readBundle` does, `forbidden` (key). */
  async inspect(request: ImportRequest): Promise<BundleReport> {
    const project = this.#requireProject(request.projectId);
    const read = await readBundle(request.file, (begun) => this.#requireKey(begun, request), drain);
    return this.#report(request.file, read, this.#judge.entriesOf(read, project), false);
  }

  /** Verifies the whole bundle, then imports what is new. What was there before stays as it is. */
  async import(request: ImportRequest, actor: Actor): Promise<BundleReport> {
    const project = this.#requireProject(request.projectId);
    // Nothing of a bundle that is damaged at its end may stay, hence two passes.
    const before = await this.inspect(request);
    const wanted = new Map(before.entries.map((entry) => [`${entry.name}@${entry.version}`, entry]));
    const archive = before.entries.some(({ origin, verdict }) => origin === 'cache' && verdict === 'new')
      ? await this.#options.upstreams.archive(actor)
      : undefined;
    let bySha512 = new Map<string, { found: BundlePackage; version: BundleVersion }[]>();
    const read = await readBundle(
      request.file,
      (begun) => {
        this.#requireKey(begun, request);
        bySha512 = indexOf(begun, (name, version) => wanted.get(`${name}@${version}`)?.verdict === 'new');
      },
      async (sha512, bytes) => {
        const uses = bySha512.get(sha512) ?? [];
        if (uses.length === 0) return drain(sha512, bytes);
        let source = bytes;
        for (const { found, version } of uses) {
          if (found.origin === 'local') await this.#publish(found, version, source, project, actor);
          else if (archive) await this.#keep(archive, found.name, version, source);
          // Another version with equal bytes finds them on the disk now.
          source = this.#options.tarballs.open(sha512) as AsyncIterable<Buffer>;
        }
      },
    );
    for (const found of read.contents.packages) {
      if (found.origin === 'local') await this.#finishLocal(found, wanted, project, actor);
      else if (archive) await this.#finishKept(archive, found, wanted);
    }
    return this.#report(request.file, read, before.entries, true);
  }

  async #publish(
    { name, tags }: BundlePackage,
    { version, manifest, readme }: BundleVersion,
    bytes: AsyncIterable<Buffer>,
    project: Project,
    actor: Actor,
  ): Promise<void> {
    const { publisher } = this.#options;
    const { writer, inspector } = await this.#take(bytes, true);
    const file = `${name}-${version}.tgz`;
    const own = Object.entries(tags).filter(
      ([tag, target]) => target === version && !this.#tagIsTaken(project.id, name, tag),
    );
    const document = {
      _id: name,
      name,
      'dist-tags': Object.fromEntries(own),
      versions: { [version]: manifest },
      _attachments: { [file]: { content_type: 'application/octet-stream', data: '', length: writer.size } },
      ...(readme === null ? {} : { readme }),
    };
    const discard = async (): Promise<void> => {
      inspector.cancel();
      await writer.discard();
    };
    const received = {
      kind: 'tarball' as const,
      writer,
      limits: this.#options.limits.inspection,
      inspector,
    };
    const attachments = new Map([[file, received]]);
    try {
      await publisher.publish({ document, attachments, discard }, document, { project, nameInUrl: name, actor });
    } finally {
      await discard();
    }
  }

  /** A tag that is here already keeps its meaning. */
  #tagIsTaken(projectId: number, name: string, tag: string): boolean {
    const { packages } = this.#options;
    const row = packages.findPackage(projectId, name);
    return row !== undefined && packages.tagsOf(row.id).some((present) => present.tag === tag);
  }

  async #finishLocal(
    { name, versions }: BundlePackage,
    wanted: ReadonlyMap<string, BundleEntry>,
    project: Project,
    actor: Actor,
  ): Promise<void> {
    const messages = versions.flatMap(({ version, deprecated }) =>
      deprecated !== null && wanted.get(`${name}@${version}`)?.verdict === 'new'
        ? [[version, deprecated] as const]
        : [],
    );
    const row = this.#options.packages.findPackage(project.id, name);
    if (row && messages.length > 0) await this.#options.editor.deprecate(row.id, new Map(messages), actor);
  }

  async #keep(
    archive: UpstreamRow,
    name: string,
    { version, sha512 }: BundleVersion,
    bytes: AsyncIterable<Buffer>,
  ): Promise<void> {
    const { keeper, unitOfWork, packages, store, clock } = this.#options;
    const { writer, inspector } = await this.#take(bytes, false);
    try {
      const digests = writer.digests();
      await keeper.keepWhile(writer, unitOfWork, (change) => {
        packages.insertTarball(digests, change.now);
        const integrity = integrityOf(sha512);
        store.putTarball({
          upstreamId: archive.id,
          name,
          version,
          sha512,
          integrity,
          size: digests.size,
          fetchedAt: clock(),
        });
      });
    } finally {
      inspector.cancel();
      await writer.discard();
    }
  }

  /** Adds to the kept packument what came along; what other bundles brought before stays in it. */
  async #finishKept(
    archive: UpstreamRow,
    found: BundlePackage,
    wanted: ReadonlyMap<string, BundleEntry>,
  ): Promise<void> {
    const { name } = found;
    const { packuments, store, unitOfWork, clock } = this.#options;
    const fresh = found.versions.filter(({ version }) => wanted.get(`${name}@${version}`)?.verdict === 'new');
    if (fresh.length === 0) return;
    const before = await packuments.raw(archive.id, name);
    const old = isObject(before) ? before : {};
    const versions = { ...(isObject(old['versions']) ? old['versions'] : {}) } as Record<string, unknown>;
    const time = { ...(isObject(old['time']) ? old['time'] : {}) } as Record<string, unknown>;
    for (const { version, manifest, publishedAt } of fresh) {
      versions[version] = manifest;
      time[version] = new Date(publishedAt).toISOString();
    }
    const tags = { ...(isObject(old['dist-tags']) ? old['dist-tags'] : {}), ...found.tags };
    const body = await packuments.encode({ ...old, name, 'dist-tags': tags, versions, time });
    await unitOfWork.write((change) => {
      const versionCount = Object.keys(versions).length;
      store.putPackument({ upstreamId: archive.id, name, etag: null, validatedAt: clock(), versionCount }, body);
      change.emit('upstream.changed', { subject: 'cache', upstreamId: archive.id });
    });
  }

  async #take(
    bytes: AsyncIterable<Buffer>,
    inspected: boolean,
  ): Promise<{ writer: TarballWriter; inspector: TarballInspector }> {
    const { tarballs, limits } = this.#options;
    const writer = tarballs.create();
    const inspector = new TarballInspector(limits.inspection);
    try {
      for await (const chunk of bytes) {
        if (writer.size + chunk.length > limits.tarball) throw new GatehouseError('payload_too_large');
        await writer.write(chunk);
        if (inspected) await inspector.write(chunk);
      }
      return { writer, inspector };
    } catch (error) {
      inspector.cancel();
      await writer.discard();
      throw error;
    }
  }

  #requireKey({ keyId }: ReadBundle, { requireKey }: ImportRequest): void {
    if (requireKey === null || requireKey === keyId) return;
    throw new GatehouseError(
      'forbidden',
      `The bundle was signed with ${keyId}, but ${requireKey} is asked for. Nothing was imported.`,
    );
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
    const { ownKeyId, trustedKeys } = this.#options;
    const keyTrust = keyId === ownKeyId ? 'own' : trustedKeys().includes(keyId) ? 'trusted' : 'unknown';
    return { file, createdAt, source, keyId, keyTrust, entries, bytes, missing, applied };
  }
}

async function drain(_sha512: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  for await (const _chunk of bytes);
}

function indexOf(
  { contents }: ReadBundle,
  isWanted: (name: string, version: string) => boolean,
): Map<string, { found: BundlePackage; version: BundleVersion }[]> {
  const index = new Map<string, { found: BundlePackage; version: BundleVersion }[]>();
  for (const found of contents.packages) {
    for (const version of found.versions) {
      if (!isWanted(found.name, version.version)) continue;
      index.set(version.sha512, [...(index.get(version.sha512) ?? []), { found, version }]);
    }
  }
  return index;
}
