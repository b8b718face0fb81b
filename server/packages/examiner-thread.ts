import { hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { GatehouseError } from '../contract/errors.ts';
import type { ExaminerAnswer, ExaminerTask } from './examination.ts';
import { ManifestSigner } from './manifest-signer.ts';
import type { SigningKey } from './manifest-signer.ts';
import { TarballInspector } from './tarball-inspector.ts';
import { integrityOf } from './verify-upload.ts';

/** The other end of `TarballExaminer`: looks at one small tarball after the other. */
const signer = new ManifestSigner(workerData as SigningKey);

parentPort?.on('message', (task: ExaminerTask) => {
  void examine(task).then((answer) => parentPort?.postMessage(answer));
});

async function examine({ id, bytes, limits, subject }: ExaminerTask): Promise<ExaminerAnswer> {
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const digests = { sha512: hash('sha512', buffer, 'hex'), sha1: hash('sha1', buffer, 'hex'), size: buffer.length };
    const inspector = new TarballInspector(limits);
    await inspector.write(buffer);
    const inspection = await inspector.result();
    const signature = signer.sign(subject, integrityOf(digests.sha512));
    return { id, examination: { digests, inspection, signature } };
  } catch (error) {
    if (!(error instanceof GatehouseError))
      return { id, failed: error instanceof Error ? error.message : String(error) };
    const { code, message, details } = error;
    return { id, refused: { code, message, details } };
  }
}
