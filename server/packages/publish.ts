import { GatehouseError } from '../contract/errors.ts';
import type { Actor, Change, UnitOfWork } from '../directory/change.ts';
import type { Project } from '../directory/principal.ts';
import type { NewVersion, PackageRow, PackageStore } from './package-store.ts';
import { maximumTagsPerPackage } from './package-version.ts';
import { abbreviate } from './packument-template.ts';
import type { ReceivedUpload } from './receive-upload.ts';
import type { TarballExaminer } from './tarball-examiner.ts';
import type { TarballInspection } from './tarball-inspector.ts';
import type { TarballKeeper } from './tarball-keeper.ts';
import type { TarballDigests, TarballWriter } from './tarball-port.ts';
import { readPublishRequest } from './upload-document.ts';
import type { Manifest, PublishRequest } from './upload-document.ts';
import { integrityOf, verifyUpload } from './verify-upload.ts';

/** What a client is told of a version that it published: the row as GitLab's API has it (api/npm.md 3.5). */
export interface PublishedVersion {
  readonly id: number;
  readonly packageId: number;
  readonly projectId: number;
  readonly name: string;
  readonly version: string;
  readonly creatorId: number | null;
  readonly publishedAt: number;
}

/** Where an upload is to go and who sends it. */
export interface PublishTarget {
  readonly project: Project;
  readonly nameInUrl: string;
  readonly actor: Actor;
}

/** A version that was checked as a whole and can be made visible, now or later. It is plain data. */
export interface PreparedVersion {
  readonly name: string;
  readonly tags: readonly string[];
  readonly digests: TarballDigests;
  readonly version: Omit<NewVersion, 'publishedAt'>;
}

export interface PublisherOptions {
  readonly store: PackageStore;
  readonly keeper: TarballKeeper;
  readonly unitOfWork: UnitOfWork;
  readonly examiner: TarballExaminer;
  /** Topmost namespace above a project: below it a name and version may exist once. */
  readonly rootNamespaceOf: (projectId: number) => number;
  /** A user as manifests name publishers (`_npmUser`); undefined for nobody. */
  readonly personOf: (userId: number | null) => { readonly name: string; readonly email: string } | undefined;
}

/** Turns received uploads into versions: checked as a whole, durable before it answers, all or nothing. */
export class Publisher {
  readonly #options: PublisherOptions;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /**
   * Publishes the one version of an upload with a tarball. Ends with the version, its tags and its bytes on disk, or with nothing.
   * @throws GatehouseError as the table of api/npm.md 3.3 has it; `package_exists` if the version is there already.
   */
  async publish(upload: ReceivedUpload, document: Manifest, target: PublishTarget): Promise<PublishedVersion> {
    const { prepared, writer } = await this.prepare(upload, document, target);
    const { keeper, unitOfWork } = this.#options;
    return keeper.keepWhile(writer, unitOfWork, (change) =>
      this.commit(change, target.project, prepared, target.actor),
    );
  }

  /**
   * Checks an upload as a whole, without keeping anything of it; `writer` has its bytes.
   * @throws GatehouseError as `publish`.
   */
  async prepare(
    upload: ReceivedUpload,
    document: Manifest,
    target: PublishTarget,
  ): Promise<{ prepared: PreparedVersion; writer: TarballWriter }> {
    const request = readPublishRequest(document, target.nameInUrl);
    const received = upload.attachments.get(request.tarballKey);
    if (received?.kind !== 'tarball') {
      throw new GatehouseError(
        'invalid_request',
        `The document holds "_attachments" twice. Publish with an npm client.`,
      );
    }
    if (received.writer.size === 0) {
      const text = 'Attachment data is empty.';
      throw new GatehouseError(
        'invalid_request',
        `${text} The tarball of ${request.name}@${request.version} has no bytes.`,
        {
          gitlabMessage: text,
        },
      );
    }
    // Told before the bytes are examined, so that a repeated publish hears what it needs to hear.
    this.#refuseDuplicate(target.project, request.name, request.version);
    const { digests, inspection, signature } = await this.#options.examiner.examine(
      received,
      `${request.name}@${request.version}`,
    );
    verifyUpload(request, digests, inspection);
    const facts = { integrity: integrityOf(digests.sha512), signature, bundle: readBundle(upload, request) };
    const version = this.#describe(request, digests, inspection, facts, target.actor);
    const { name, tags } = request;
    return { prepared: { name, tags, digests, version }, writer: received.writer };
  }

  /**
   * Makes a prepared version visible, inside a unit of work and while its bytes are held.
   * @throws GatehouseError `package_exists`, or `invalid_request` for a 101st tag.
   */
  commit(change: Change, project: Project, prepared: PreparedVersion, actor: Actor): PublishedVersion {
    const { name, tags, digests, version } = prepared;
    this.#refuseDuplicate(project, name, version.version);
    const { store } = this.#options;
    const present = store.findPackage(project.id, name);
    const row = present ?? store.insertPackage(project.id, name, change.now);
    store.insertTarball(digests, change.now);
    const versionId = store.insertVersion(row.id, { ...version, publishedAt: change.now });
    this.#setTags(row, present === undefined, tags, versionId, change.now);
    if (!present && version.publisherId !== null) store.addMaintainer(row.id, version.publisherId);
    store.touchPackage(row.id, change.now);
    change.record({
      actor,
      action: 'package.published',
      target: { type: 'package', id: row.id, name: `${name}@${version.version}` },
      projectId: project.id,
      after: { version: version.version, tags, integrity: version.integrity, size: version.size },
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
    };
  }

  #refuseDuplicate(project: Project, name: string, version: string): void {
    const { store } = this.#options;
    const present = store.findPackage(project.id, name);
    if (present && store.findVersion(present.id, version)) {
      const text = 'Package already exists.';
      throw new GatehouseError(
        'package_exists',
        `${text} ${name}@${version} was published to ${project.fullPath} before; publish under another version, or unpublish that one first.`,
        { gitlabMessage: text },
      );
    }
    const elsewhere = store.projectWithSameVersion(
      this.#options.rootNamespaceOf(project.id),
      project.id,
      name,
      version,
    );
    if (elsewhere === undefined) return;
    const text = 'Validation failed: Package already exists';
    throw new GatehouseError(
      'invalid_request',
      `${text}. ${name}@${version} is in the project ${elsewhere} of the same group; choose another version or name.`,
      { gitlabMessage: text },
    );
  }

  #setTags(row: PackageRow, isNew: boolean, tags: readonly string[], versionId: number, now: number): void {
    const { store } = this.#options;
    const present = new Set(isNew ? [] : store.tagsOf(row.id).map((tag) => tag.tag));
    for (const tag of tags) {
      present.add(tag);
      if (present.size > maximumTagsPerPackage) throw tooManyTags(row.name);
      store.putTag(row.id, tag, versionId, now);
    }
  }

  #describe(
    request: PublishRequest,
    digests: TarballDigests,
    inspection: TarballInspection,
    facts: Pick<NewVersion, 'integrity' | 'signature' | 'bundle'>,
    actor: Actor,
  ): Omit<NewVersion, 'publishedAt'> {
    const { name, version } = request;
    const { readme: _readme, dist: _dist, deprecated: _deprecated, _attachments, ...kept } = request.manifest;
    const manifest = {
      ...kept,
      _id: `${name}@${version}`,
      // Who it was is what the registry knows, never what the document says.
      _npmUser: this.#options.personOf(actor.userId),
      ...(inspection.hasInstallScript ? { hasInstallScript: true } : {}),
    };
    return {
      ...facts,
      version,
      publisherId: actor.userId,
      tarballSha512: digests.sha512,
      shasum: digests.sha1,
      size: digests.size,
      fileCount: inspection.fileCount,
      unpackedSize: inspection.unpackedSize,
      manifest: JSON.stringify(manifest),
      abbreviated: JSON.stringify(abbreviate(manifest)),
      signatureKeyId: this.#options.examiner.keyId,
      readme: chooseReadme(request, inspection),
    };
  }
}

/** @returns the error for the 101st tag (api/npm.md, "Settled"). */
export function tooManyTags(name: string): GatehouseError {
  return new GatehouseError(
    'invalid_request',
    `${name} has ${maximumTagsPerPackage} dist-tags, which is the most a package can have. Remove one with "npm dist-tag rm" first.`,
  );
}

function chooseReadme(request: PublishRequest, inspection: TarballInspection): NewVersion['readme'] {
  if (request.readme !== null && request.readme !== '' && request.readme !== 'ERROR: No README data found!') {
    const filename = request.manifest['readmeFilename'];
    return { filename: typeof filename === 'string' ? filename : 'README.md', text: request.readme };
  }
  return inspection.readme;
}

function readBundle(upload: ReceivedUpload, request: PublishRequest): NewVersion['bundle'] {
  if (request.bundleKey === null) return null;
  const received = upload.attachments.get(request.bundleKey);
  const label = `The provenance bundle of ${request.name}@${request.version}`;
  if (received?.kind !== 'text') throw new GatehouseError('invalid_request', `${label} has no data.`);
  return { predicateType: predicateTypeOf(received.text, label), text: received.text };
}

/** Reads the predicate type out of a Sigstore bundle: its envelope holds an in-toto statement in base64. */
function predicateTypeOf(bundle: string, label: string): string {
  try {
    const parsed = JSON.parse(bundle) as { dsseEnvelope?: { payload?: unknown } };
    const payload = parsed.dsseEnvelope?.payload;
    if (typeof payload === 'string') {
      const statement = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as { predicateType?: unknown };
      if (typeof statement.predicateType === 'string') return statement.predicateType;
    }
  } catch {
    // Told below.
  }
  throw new GatehouseError('invalid_request', `${label} is no Sigstore bundle with an in-toto statement in it.`);
}
