import { GatehouseError } from '../../contract/errors.ts';
import type { Actor, Change, UnitOfWork } from '../../accounts/change.ts';
import type { Project } from '../../accounts/access/principal.ts';
import { bufferOf, inPieces, joinChunks } from '../../lib/join-chunks.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import type { PackageRow, PackageStore, TagRow } from '../package-store.ts';
import { maximumTagsPerPackage } from '../package-version.ts';
import { prepareVersion, requestOf } from './prepare-version.ts';
import type { PreparedVersion, PublisherFacts } from './prepare-version.ts';
import type { ReceivedUpload } from './receive-upload.ts';
import type { TarballExaminer } from './tarball-examiner.ts';
import type { TarballKeeper } from './tarball-keeper.ts';
import type { TarballStore, TarballWriter } from './tarball-port.ts';
import type { Manifest } from './upload-document.ts';
import type { UploadLimits } from './upload-limits.ts';

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

/** A version that was prepared, and what has its bytes: whoever is given one must discard the writer in the end. */
export interface PreparedUpload {
  readonly prepared: PreparedVersion;
  readonly writer: TarballWriter;
}

export interface PublisherOptions {
  readonly store: PackageStore;
  readonly tarballs: Pick<TarballStore, 'create'>;
  readonly limits: UploadLimits;
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
    return this.publishPrepared(await this.prepare(upload, document, target), target);
  }

  /** As `publish`, for what is prepared. */
  publishPrepared({ prepared, writer }: PreparedUpload, target: PublishTarget): Promise<PublishedVersion> {
    const { keeper, unitOfWork } = this.#options;
    return keeper.keepWhile(writer, unitOfWork, (change) =>
      this.commit(change, target.project, prepared, target.actor),
    );
  }

  /**
   * Checks an upload as a whole, without keeping anything of it; `writer` has its bytes.
   * @throws GatehouseError as `publish`.
   */
  async prepare(upload: ReceivedUpload, document: Manifest, target: PublishTarget): Promise<PreparedUpload> {
    const { request, received } = requestOf(upload, document, target.nameInUrl);
    // Told before the bytes are examined, so that a repeated publish hears what it needs to hear.
    this.#refuseDuplicate(target.project, request.name, request.version);
    const examination = await this.#options.examiner.examine(received, `${request.name}@${request.version}`);
    const facts = { ...this.#publisherOf(target), signatureKeyId: this.#options.examiner.keyId };
    const prepared = prepareVersion(request, examination, upload.attachments, facts);
    return { prepared, writer: received.writer };
  }

  /**
   * Reads a document as a whole on another thread, if that is the better way at the moment, and prepares what it asks for.
   * @param size bytes of the document, where the client told
   * @param requireRight throws if the publisher may not publish any more, which is told before anything else
   * @returns the body, for the usual way, if that is the one to go
   * @throws GatehouseError as `publish`.
   */
  async prepareElsewhere(
    body: AsyncIterable<Buffer>,
    size: number | undefined,
    target: PublishTarget,
    requireRight: () => void,
  ): Promise<PreparedUpload | { readonly body: AsyncIterable<Buffer> }> {
    const { examiner, tarballs, limits } = this.#options;
    if (!examiner.readsWhole(size)) return { body };
    const writer = tarballs.create(true);
    try {
      const { whole, chunks } = await collect(body, size);
      const publisher = this.#publisherOf(target);
      const outcome = await examiner.read({ body: whole, limits, nameInUrl: target.nameInUrl, publisher });
      if (outcome.kind !== 'elsewhere') requireRight();
      if (outcome.kind === 'prepared') {
        const { prepared, bytes } = outcome;
        this.#refuseDuplicate(target.project, prepared.name, prepared.version.version);
        await writer.write(bufferOf(bytes));
        writer.learn(prepared.digests);
        return { prepared, writer };
      }
      await writer.discard();
      // Many may have to be read here at once, if the thread ends; others must come in between.
      if (outcome.kind === 'elsewhere') return { body: inPieces(joinChunks(chunks), nextTurn) };
      const { subject, code, message, details } = outcome;
      // A repeated publish hears what it needs to hear, whatever else is wrong with its bytes.
      if (subject) this.#refuseDuplicate(target.project, subject.name, subject.version);
      throw new GatehouseError(code, message, details);
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  /**
   * Makes a prepared version visible, inside a unit of work and while its bytes are held.
   * @throws GatehouseError `package_exists`, or `invalid_request` for a 101st tag.
   */
  commit(change: Change, project: Project, prepared: PreparedVersion, actor: Actor): PublishedVersion {
    const { name, tags, digests, version } = prepared;
    const { store } = this.#options;
    const present = this.#refuseDuplicate(project, name, version.version);
    // Whatever is refused is refused before anything is written: to undo it costs more.
    requireRoomForTags(name, present ? store.tagsOf(present.id) : [], tags);
    const row = present ?? store.insertPackage(project.id, name, change.now);
    store.insertTarball(digests, change.now);
    const versionId = store.insertVersion(row.id, { ...version, publishedAt: change.now });
    for (const tag of tags) store.putTag(row.id, tag, versionId, change.now);
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

  #publisherOf({ actor }: PublishTarget): Pick<PublisherFacts, 'userId' | 'person'> {
    return { userId: actor.userId, person: this.#options.personOf(actor.userId) };
  }

  /** @returns the package, if it is there without this version. */
  #refuseDuplicate(project: Project, name: string, version: string): PackageRow | undefined {
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
    if (elsewhere === undefined) return present;
    const text = 'Validation failed: Package already exists';
    throw new GatehouseError(
      'invalid_request',
      `${text}. ${name}@${version} is in the project ${elsewhere} of the same group; choose another version or name.`,
      { gitlabMessage: text },
    );
  }
}

/** @throws GatehouseError `invalid_request` if the package would have more tags than it can. */
function requireRoomForTags(name: string, present: readonly TagRow[], added: readonly string[]): void {
  const tags = new Set([...present.map(({ tag }) => tag), ...added]);
  if (tags.size > maximumTagsPerPackage) throw tooManyTags(name);
}

/** @returns the error for the 101st tag (api/npm.md, "Settled"). */
export function tooManyTags(name: string): GatehouseError {
  return new GatehouseError(
    'invalid_request',
    `${name} has ${maximumTagsPerPackage} dist-tags, which is the most a package can have. Remove one with "npm dist-tag rm" first.`,
  );
}

/** All of a body of a known size in memory of its own, and the chunks that it came in. */
async function collect(
  body: AsyncIterable<Buffer>,
  size: number,
): Promise<{ whole: Uint8Array; chunks: readonly Buffer[] }> {
  const whole = new Uint8Array(size);
  const chunks: Buffer[] = [];
  let filled = 0;
  for await (const chunk of body) {
    whole.set(chunk, filled);
    filled += chunk.length;
    chunks.push(chunk);
  }
  return { whole: whole.subarray(0, filled), chunks };
}
