import { parentPort, workerData } from 'node:worker_threads';
import { GatehouseError } from '../../contract/errors.ts';
import { ContentHasher } from './content-hasher.ts';
import type { ExaminerAnswer, ExaminerMessage, UploadQuestion } from './examination.ts';
import { bufferOf } from '../../lib/join-chunks.ts';
import { ManifestSigner } from './manifest-signer.ts';
import type { SigningKey } from './manifest-signer.ts';
import { readSmallUpload } from './read-small-upload.ts';
import { TarballInspector } from './tarball-inspector.ts';
import type { InspectionLimits } from './upload-limits.ts';
import { integrityOf } from '../../lib/integrity.ts';

/** The other end of `ExaminerLink`. */
const signer = new ManifestSigner(workerData as SigningKey);
const tarballs = new Map<number, Tarball>();

/** One tarball on its way through: what comes of it is hashed and looked into, in the order in which it comes. */
class Tarball {
  readonly #id: number;
  readonly #hasher = new ContentHasher();
  readonly #inspector: TarballInspector;

  constructor(id: number, limits: InspectionLimits) {
    this.#id = id;
    this.#inspector = new TarballInspector(limits);
  }

  takeWhole(bytes: Uint8Array): void {
    // It is held until the end, so there is nothing to wait for.
    void this.#inspector.write(this.#hash(bytes));
  }

  async takePiece(bytes: Uint8Array): Promise<void> {
    const size = bytes.length;
    const isFree = await this.#inspector.stream(this.#hash(bytes));
    const memory = isFree ? (bytes.buffer as ArrayBuffer) : undefined;
    answer({ id: this.#id, kind: 'taken', size, memory }, memory ? [memory] : []);
  }

  #hash(bytes: Uint8Array): Buffer {
    const chunk = bufferOf(bytes);
    this.#hasher.update(chunk);
    return chunk;
  }

  async end(subject: string): Promise<void> {
    try {
      const found = await this.#inspector.found();
      const digests = this.#hasher.digests();
      const signature = signer.sign(subject, integrityOf(digests.sha512));
      answer({ id: this.#id, kind: 'done', digests, found, signature });
    } catch (error) {
      if (error instanceof GatehouseError) {
        const { code, message, details } = error;
        answer({ id: this.#id, kind: 'refused', code, message, details });
      } else answer({ id: this.#id, kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  }

  cancel(): void {
    this.#inspector.cancel();
  }
}

/** The last document that came; one at a time is read, so that the memory they take stays that of one. */
let reading: Promise<void> = Promise.resolve();

async function read(id: number, question: UploadQuestion): Promise<void> {
  try {
    const outcome = await readSmallUpload(question, signer);
    if (outcome.kind !== 'prepared') {
      answer({ id, kind: 'outcome', outcome });
      return;
    }
    // In memory of its own, which is given away.
    const bytes = new Uint8Array(outcome.bytes);
    answer({ id, kind: 'outcome', outcome: { ...outcome, bytes } }, [bytes.buffer]);
  } catch (error) {
    answer({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

parentPort?.on('message', (message: ExaminerMessage) => {
  const { id } = message;
  if (message.kind === 'upload') reading = reading.then(() => read(id, message.question));
  else if (message.kind === 'begin') tarballs.set(id, new Tarball(id, message.limits));
  else if (message.kind === 'whole') tarballs.get(id)?.takeWhole(message.bytes);
  else if (message.kind === 'piece') void tarballs.get(id)?.takePiece(message.bytes);
  else {
    const tarball = tarballs.get(id);
    tarballs.delete(id);
    if (message.kind === 'end') void tarball?.end(message.subject);
    else tarball?.cancel();
  }
});

function answer(message: ExaminerAnswer, given: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, given);
}
