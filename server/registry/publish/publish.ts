import { GatehouseError } from '../../contract/errors.ts';
import type { Actor, Change, UnitOfWork } from '../../accounts/change.ts';
import type { Project } from '../../accounts/access/principal.ts';
import type { NameOwners } from '../name-owners.ts';
import type { PackageRow, PackageStore, TagRow } from '../package-store.ts';
import { maximumTagsPerPackage } from '../package-version.ts';
import { integrityOf } from '../../lib/integrity.ts';
import type { TagChecks } from '../tag-guard.ts';
import type { ManifestSigner } from './manifest-signer.ts';
import { prepareVersion, requestOf } from './prepare-version.ts';
import type { PreparedVersion } from './prepare-version.ts';
import type { ReceivedTarball, ReceivedUpload } from './receive-upload.ts';
import type { TarballCollector } from './tarball-collector.ts';
import type { TarballWriter } from './tarball-store.ts';
import type { Manifest, PublishRequest } from './upload-document.ts';

/** The answer to a publish: the row as GitLab's API has it. */
export interface PublishedVersion {
  readonly id: number;
  readonly packageId: number;
  readonly projectId: number;
  readonly name: string;
  readonly version: string;
  readonly creatorId: number | null;
  readonly publishedAt: number;
  /** Fields in which the document differs from the tarball's package.json. */
  readonly differences: readonly string[];
}

/** Where an upload is to go and who sends it. */
export interface PublishTarget {
  readonly project: Project;
  readonly nameInUrl: string;
  readonly actor: Actor;
}

/** A version that was prepared, and the writer that has its bytes. */
export interface PreparedUpload {
  readonly prepared: PreparedVersion;
  readonly writer: TarballWriter;
}

export interface PublisherOptions {
  readonly store: PackageStore;
  readonly collector: TarballCollector;
  readonly unitOfWork: UnitOfWork;
  readonly signer: ManifestSigner;
  /** Who may publish with which tags, besides roles. */
  readonly checks: TagChecks;
  readonly owners: Pick<NameOwners, 'otherProjectWith' | 'packagesBeside'>;
  /** The full path of a project, if the actor may know of it. */
  readonly pathFor: (actor: Actor, projectId: number) => string | undefined;
  /** A user as manifests name publishers (`_npmUser`); undefined for nobody. */
  readonly personOf: (userId: number | null) => { readonly name: string; readonly email: string } | undefined;
}

/** Turns received uploads into versions: checked as a whole, on disk before the promise resolves, all or nothing. */
export class Publisher {
  readonly #options: PublisherOptions;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /**
   * Publishes the one version of an upload with a tarball. Ends with the version, its tags and its bytes on disk, or with nothing.
   * @throws GatehouseError as `readPublishRequest` does; `package_exists` if the version is there already, `tag_guarded`.
   */
  async publish(upload: ReceivedUpload, document: Manifest, target: PublishTarget): Promise<PublishedVersion> {
    const { collector, unitOfWork } = this.#options;
    const { request, received } = this.#readRequest(upload, document, target);
    return collector.withPreparation(received.writer, unitOfWork, async () => {
      const prepared = await this.#examine(request, received, upload, target);
      return (change) => this.commit(change, target.project, prepared, target.actor);
    });
  }

  /**
   * Checks an upload as a whole, without keeping anything of it; `writer` has its bytes.
   * @throws GatehouseError as `publish`.
   */
  async prepare(upload: ReceivedUpload, document: Manifest, target: PublishTarget): Promise<PreparedUpload> {
    const { request, received } = this.#readRequest(upload, document, target);
    return { prepared: await this.#examine(request, received, upload, target), writer: received.writer };
  }

  /**
   * Makes a prepared version visible, inside a unit of work and while its bytes are held.
   * @param checks others for a version whose tags were approved already
   * @throws GatehouseError `package_exists`, `invalid_request` for a 101st tag, `payload_too_large`, or `tag_guarded`.
   */
  commit(
    change: Change,
    project: Project,
    prepared: PreparedVersion,
    actor: Actor,
    checks = this.#options.checks,
  ): PublishedVersion {
    const { name, tags, digests, version, differences = [], source } = prepared;
    const { store } = this.#options;
    const present = this.#refuseDuplicate({ project, actor }, name, version.version);
    // Refused before anything is written, as to undo it costs more.
    const wanted = present ?? { projectId: project.id, name };
    checks.requirePublish(wanted, version.version, tags, actor);
    const presentTags = present ? store.tagsOf(present.id) : [];
    const isLatestSet = presentTags.some(({ tag }) => tag === 'latest');
    this.#options.checks.requireOwnVersion(wanted, version.version, isLatestSet ? tags : [...tags, 'latest']);
    requireRoomForTags(name, presentTags, tags);
    this.#requireRoomForManifest(project, name, version);
    const row = present ?? store.insertPackage(project.id, name, change.now);
    store.insertTarball(digests, change.now);
    const imported = source === 'bundle';
    const versionId = store.insertVersion(row.id, { ...version, publishedAt: change.now, imported });
    if (prepared.deprecated !== undefined) store.setDeprecation(versionId, prepared.deprecated);
    for (const tag of tags) store.putTag(row.id, tag, versionId, change.now);
    if (!present && version.publisherId !== null) store.addMaintainer(row.id, version.publisherId);
    store.touchPackage(row.id, change.now);
    change.record({
      actor,
      action: 'package.published',
      target: { type: 'package', id: row.id, name: `${name}@${version.version}` },
      projectId: project.id,
      after: {
        version: version.version,
        tags,
        integrity: version.integrity,
        size: version.size,
        ...(differences.length > 0 ? { differsFromTarball: differences } : {}),
        ...(source === undefined ? {} : { source }),
      },
    });
    change.emit('packages.changed', {
      projectId: project.id,
      packageId: row.id,
      name,
      change: 'published',
      version: version.version,
    });
    return {
      id: versionId,
      packageId: row.id,
      projectId: project.id,
      name,
      version: version.version,
      creatorId: version.publisherId,
      publishedAt: change.now,
      differences,
    };
  }

  /** @throws GatehouseError `payload_too_large` if all manifests of the name would take more memory than a packument may. */
  #requireRoomForManifest({ id }: Project, name: string, version: PreparedVersion['version']): void {
    const { store, owners } = this.#options;
    const own = Buffer.byteLength(version.manifest) + Buffer.byteLength(version.abbreviated);
    const all = owners.packagesBeside(id, name).reduce((sum, row) => sum + store.manifestBytes(row.id), own);
    if (all <= mostManifestBytes) return;
    throw new GatehouseError(
      'payload_too_large',
      `The package.json of all versions of ${name} together would have ${all} bytes; the most is ${mostManifestBytes}. Make it shorter, or unpublish versions that nobody needs.`,
    );
  }

  /** Refuses a repeated publish before its bytes are looked at. */
  #readRequest(upload: ReceivedUpload, document: Manifest, target: PublishTarget): ReturnType<typeof requestOf> {
    const read = requestOf(upload, document, target.nameInUrl);
    this.#refuseDuplicate(target, read.request.name, read.request.version);
    return read;
  }

  async #examine(
    request: PublishRequest,
    { writer, inspector }: ReceivedTarball,
    { attachments }: ReceivedUpload,
    { actor: { userId } }: PublishTarget,
  ): Promise<PreparedVersion> {
    const { signer, personOf } = this.#options;
    const digests = writer.digests();
    const inspection = await inspector.result();
    const signature = signer.sign(`${request.name}@${request.version}`, integrityOf(digests.sha512));
    const publisher = { userId, person: personOf(userId), signatureKeyId: signer.keyId };
    return prepareVersion(request, { digests, inspection, signature }, attachments, publisher);
  }

  /** @returns the package, if it is there without this version. */
  #refuseDuplicate(
    { project, actor }: Pick<PublishTarget, 'project' | 'actor'>,
    name: string,
    version: string,
  ): PackageRow | undefined {
    const { store, owners, pathFor } = this.#options;
    const present = store.findPackage(project.id, name);
    const there = present && store.findVersion(present.id, version);
    if (there) {
      const text = 'Package already exists.';
      throw new GatehouseError(
        'package_exists',
        `${text} ${name}@${there.version} was published to ${project.fullPath} before; publish under another version, or unpublish that one first.`,
        { gitlabMessage: text },
      );
    }
    const elsewhere = owners.otherProjectWith(project.id, name, version);
    if (elsewhere === undefined) return present;
    const text = 'Validation failed: Package already exists';
    const path = pathFor(actor, elsewhere);
    throw new GatehouseError(
      'invalid_request',
      `${text}. ${name}@${version} is in ${path === undefined ? 'another project' : `the project ${path}`} of the same group; choose another version or name.`,
      { gitlabMessage: text },
    );
  }
}

/** Bytes of the manifests of one name, which a packument holds all at once; npm's registry has such a limit, too. */
const mostManifestBytes = 64 * 1024 * 1024;

/** @throws GatehouseError `invalid_request` if the package would have more tags than it can. */
function requireRoomForTags(name: string, present: readonly TagRow[], added: readonly string[]): void {
  const tags = new Set([...present.map(({ tag }) => tag), ...added]);
  if (tags.size > maximumTagsPerPackage) throw tooManyTags(name);
}

/** @returns the error for the 101st tag. */
export function tooManyTags(name: string): GatehouseError {
  return new GatehouseError(
    'invalid_request',
    `${name} has ${maximumTagsPerPackage} dist-tags, which is the most a package can have. Remove one with "npm dist-tag rm" first.`,
  );
}
