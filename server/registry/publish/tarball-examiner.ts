import { ContentHasher } from './content-hasher.ts';
import type { Examination, UploadOutcome, UploadQuestion } from './examination.ts';
import { ExaminerFailed, ExaminerLink } from './examiner-link.ts';
import type { LinkedTarball, PieceSender } from './examiner-link.ts';
import { ManifestSigner } from './manifest-signer.ts';
import type { SigningKey } from './manifest-signer.ts';
import type { ReceivedTarball } from './receive-upload.ts';
import { TarballInspector } from './tarball-inspector.ts';
import type { InspectionLimits } from './upload-limits.ts';
import { integrityOf } from '../../lib/integrity.ts';

/** Small uploads that may be on their way to the thread; what comes on top of them is examined here. */
const mostWaiting = 32;
/** Bytes of a document up to which the thread reads it as a whole. */
const smallDocument = 256 * 1024;
/** Bytes of an upload from which on it is worth a thread although nothing else is under way. */
const largeUpload = 8 * 1024 * 1024;
/** Bytes that go to the thread at a time, and those that may be on their way there. */
const pieceSize = 512 * 1024;
const mostUnderWay = 2 * 1024 * 1024;

export interface TarballExaminerOptions {
  readonly key: SigningKey;
  /** How many tarballs are on their way in. */
  readonly uploads: () => number;
}

/** A large tarball that is examined on the thread while it arrives. */
export interface ExaminedStream {
  /** Takes the next bytes; resolves when it can take more. */
  write(chunk: Buffer): Promise<void>;
  /** Ends the input. @throws as `TarballExaminer.examine`. */
  result(subject: string): Promise<Examination>;
  cancel(): void;
}

/**
 * Looks at uploads as a whole: digests, contents, signature. A small one that comes alone is looked at here and now. Where several come at
 * once they go to a thread of their own, so that the next request and the commit of the last one need not wait; a large one goes there while
 * it arrives.
 */
export class TarballExaminer {
  readonly #uploads: () => number;
  readonly #signer: ManifestSigner;
  readonly #link: ExaminerLink;

  constructor(options: TarballExaminerOptions) {
    this.#uploads = options.uploads;
    this.#signer = new ManifestSigner(options.key);
    this.#link = new ExaminerLink(options.key);
  }

  /** Of the key that signs. */
  get keyId(): string {
    return this.#signer.keyId;
  }

  /** Whether a document of this size is better read on the thread: it is small, and others are on their way. */
  readsWhole(size: number | undefined): size is number {
    if (size === undefined || size > smallDocument) return false;
    const others = this.#uploads();
    return others > 0 && others < mostWaiting && this.#link.wake();
  }

  /**
   * Has the thread read a whole document, which it is given for good.
   * @returns `elsewhere` also if the thread fails
   */
  async read(question: UploadQuestion): Promise<UploadOutcome> {
    try {
      return await this.#link.read(question);
    } catch (error) {
      if (error instanceof ExaminerFailed) return { kind: 'elsewhere' };
      throw error;
    }
  }

  /**
   * Begins with a tarball that is large.
   * @param size bytes of the document that it is part of; undefined where nobody told
   * @returns undefined for one that is looked at as a whole, once it is there
   */
  stream(size: number | undefined, limits: InspectionLimits): ExaminedStream | undefined {
    if (size === undefined || size < largeUpload) return undefined;
    const stream = new StreamToThread();
    const tarball = this.#link.begin(limits, stream);
    return tarball && stream.sendTo(tarball);
  }

  /**
   * @param subject `name@version`, which is signed together with the integrity
   * @throws GatehouseError `invalid_request` for what is no npm tarball.
   */
  async examine(received: ReceivedTarball, subject: string): Promise<Examination> {
    const examination = received.streamed
      ? await this.#examineStreamed(received, received.streamed, subject)
      : ((await this.#examineOnThread(received, subject)) ?? (await this.#examineHere(received, subject)));
    received.writer.learn(examination.digests);
    return examination;
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#link.close();
  }

  async #examineOnThread(received: ReceivedTarball, subject: string): Promise<Examination | undefined> {
    if (this.#uploads() <= 1 || this.#link.underWay >= mostWaiting) return undefined;
    const bytes = received.writer.held();
    if (!bytes || !this.#link.wake()) return undefined;
    try {
      const tarball = this.#link.begin(received.limits);
      tarball?.sendWhole(bytes);
      return await tarball?.end(subject);
    } catch (error) {
      if (error instanceof ExaminerFailed) return undefined;
      throw error;
    }
  }

  async #examineStreamed(received: ReceivedTarball, stream: ExaminedStream, subject: string): Promise<Examination> {
    try {
      return await stream.result(subject);
    } catch (error) {
      if (!(error instanceof ExaminerFailed)) throw error;
    }
    // Whatever became of the thread is no fault of this tarball, of which every byte was written.
    const hasher = new ContentHasher();
    const inspector = new TarballInspector(received.limits);
    for await (const chunk of received.writer.written()) {
      hasher.update(chunk);
      await inspector.write(chunk);
    }
    const digests = hasher.digests();
    const inspection = await inspector.result();
    return { digests, inspection, signature: this.#signer.sign(subject, integrityOf(digests.sha512)) };
  }

  async #examineHere(received: ReceivedTarball, subject: string): Promise<Examination> {
    const digests = received.writer.digests();
    const inspection = await received.inspector.result();
    return { digests, inspection, signature: this.#signer.sign(subject, integrityOf(digests.sha512)) };
  }
}

class StreamToThread implements ExaminedStream, PieceSender {
  #tarball: LinkedTarball | undefined;
  /** Memory for pieces that is in no use. */
  readonly #spare: ArrayBuffer[] = [];
  #piece: Uint8Array | undefined;
  #filled = 0;
  #underWay = 0;
  #hasFailed = false;
  #proceed: () => void = () => undefined;

  sendTo(tarball: LinkedTarball): this {
    this.#tarball = tarball;
    return this;
  }

  taken(size: number, memory: ArrayBuffer | undefined): void {
    if (memory) this.#spare.push(memory);
    this.#underWay -= size;
    if (this.#underWay < mostUnderWay) this.#proceed();
  }

  failed(): void {
    this.#hasFailed = true;
    this.#proceed();
  }

  async write(chunk: Buffer): Promise<void> {
    if (this.#hasFailed) return;
    for (let taken = 0; taken < chunk.length;) {
      this.#piece ??= new Uint8Array(this.#spare.pop() ?? new ArrayBuffer(pieceSize));
      const part = chunk.subarray(taken, taken + pieceSize - this.#filled);
      this.#piece.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
      if (this.#filled === pieceSize) this.#send();
    }
    if (this.#underWay < mostUnderWay) return;
    await new Promise<void>((resolve) => {
      this.#proceed = resolve;
    });
  }

  async result(subject: string): Promise<Examination> {
    this.#send();
    if (!this.#tarball) throw new ExaminerFailed('There is no thread.');
    return this.#tarball.end(subject);
  }

  cancel(): void {
    this.#tarball?.cancel();
  }

  #send(): void {
    if (!this.#piece || this.#filled === 0) return;
    this.#underWay += this.#filled;
    this.#tarball?.sendPiece(this.#piece.subarray(0, this.#filled));
    this.#piece = undefined;
    this.#filled = 0;
  }
}
