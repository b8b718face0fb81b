import { GatehouseError } from '../../contract/errors.ts';
import { digestsOf } from './content-hasher.ts';
import type { PublishSubject, UploadOutcome, UploadQuestion } from './examination.ts';
import { bufferOf, inPieces, joinChunks } from '../../lib/join-chunks.ts';
import type { ManifestSigner } from './manifest-signer.ts';
import { prepareVersion, requestOf } from './prepare-version.ts';
import { receiveUpload } from './receive-upload.ts';
import { completeInspection } from './tarball-inspector.ts';
import { asObject, hasAttachments } from './upload-document.ts';
import { integrityOf } from '../../lib/integrity.ts';

/** Bytes of a package.json or readme beyond which somebody with more memory reads it. */
const largestText = 256 * 1024;

/** A tarball that is in memory as a whole, for a moment. */
class HeldTarball {
  #chunks: Buffer[] = [];
  size = 0;

  async write(chunk: Buffer): Promise<void> {
    this.#chunks.push(chunk);
    this.size += chunk.length;
  }

  bytes(): Buffer {
    const bytes = joinChunks(this.#chunks);
    this.#chunks = [bytes];
    return bytes;
  }

  async discard(): Promise<void> {
    this.#chunks = [];
  }
}

/**
 * Makes a version of a publish document that came as a whole, from its bytes to the texts that the database keeps. Touches nothing, so it
 * may be done on any thread.
 */
export async function readSmallUpload(question: UploadQuestion, signer: ManifestSigner): Promise<UploadOutcome> {
  const subject: { known: PublishSubject | undefined } = { known: undefined };
  try {
    return await read(question, signer, (known) => (subject.known = known));
  } catch (error) {
    if (!(error instanceof GatehouseError)) throw error;
    const { code, message, details } = error;
    return { kind: 'refused', code, message, details, subject: subject.known };
  }
}

async function read(
  { body, limits, nameInUrl, publisher }: UploadQuestion,
  signer: ManifestSigner,
  onSubject: (subject: PublishSubject) => void,
): Promise<UploadOutcome> {
  const upload = await receiveUpload(inPieces(bufferOf(body)), {
    tarballs: { create: () => new HeldTarball() },
    limits,
    examiner: { stream: () => undefined },
  });
  const document = asObject(upload.document);
  if (!hasAttachments(document) && upload.attachments.size === 0) return { kind: 'elsewhere' };
  const { request, received } = requestOf(upload, document, nameInUrl);
  const { name, version } = request;
  onSubject({ name, version });
  const bytes = received.writer.bytes();
  const digests = digestsOf(bytes);
  const found = await received.inspector.foundAtOnce();
  // What takes long would keep all waiting that come after it.
  if (!found || found.packageJson.length > largestText || (found.readme?.bytes.length ?? 0) > largestText) {
    return { kind: 'elsewhere' };
  }
  const inspection = completeInspection(found);
  const signature = signer.sign(`${name}@${version}`, integrityOf(digests.sha512));
  const prepared = prepareVersion(request, { digests, inspection, signature }, upload.attachments, {
    ...publisher,
    signatureKeyId: signer.keyId,
  });
  return { kind: 'prepared', prepared, bytes };
}
