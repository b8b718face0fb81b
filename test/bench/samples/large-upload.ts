import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { filler, publishFrame, tarEntry, tarHeader } from './sample-package.ts';
import type { SampleManifest } from './sample-package.ts';

const blockSize = 1024 * 1024;
/** Divisible by three, so that pieces of base64 can be joined. */
const base64Piece = 3 * 512 * 1024;

/**
 * Writes a publish document with a tarball of some `size` bytes to `file`, in constant memory. Half of the content is noise, half is
 * text; it is one block that repeats, compressed once, for neither hashes nor gunzip mind.
 */
export async function writeLargeUpload(file: string, manifest: SampleManifest, size: number): Promise<void> {
  const tarball = `${file}.tgz`;
  const digests = await writeTarball(tarball, manifest, size);
  const { before, after } = publishFrame(manifest, digests, 'http://127.0.0.1');
  const document = await open(file, 'w');
  try {
    await document.write(before);
    let rest = Buffer.alloc(0);
    for await (const chunk of createReadStream(tarball, { highWaterMark: base64Piece }) as AsyncIterable<Buffer>) {
      const bytes = Buffer.concat([rest, chunk]);
      const whole = bytes.length - (bytes.length % 3);
      rest = bytes.subarray(whole);
      await document.write(bytes.toString('base64', 0, whole));
    }
    await document.write(rest.toString('base64') + after);
  } finally {
    await document.close();
    await rm(tarball);
  }
}

async function writeTarball(
  file: string,
  manifest: SampleManifest,
  size: number,
): Promise<{ sha512: string; sha1: string; size: number }> {
  const block = Buffer.concat([randomBytes(blockSize / 2), Buffer.from(filler(blockSize / 2))]);
  const flush = { finishFlush: constants.Z_FULL_FLUSH };
  const compressedBlock = deflateRawSync(block, flush);
  const blocks = Math.ceil(size / compressedBlock.length);
  const head = Buffer.concat([
    tarEntry('package/package.json', Buffer.from(JSON.stringify(manifest))),
    tarHeader('package/data.bin', blocks * block.length),
  ]);
  const end = Buffer.alloc(1024);
  const hashes = { sha512: createHash('sha512'), sha1: createHash('sha1') };
  const handle = await open(file, 'w');
  let written = 0;
  const write = async (bytes: Buffer): Promise<void> => {
    hashes.sha512.update(bytes);
    hashes.sha1.update(bytes);
    written += bytes.length;
    await handle.writeFile(bytes);
  };
  try {
    await write(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]));
    await write(deflateRawSync(head, flush));
    let checksum = crc32(head);
    for (let index = 0; index < blocks; index += 1) {
      await write(compressedBlock);
      checksum = crc32(block, checksum);
    }
    await write(deflateRawSync(end));
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(end, checksum), 0);
    trailer.writeUInt32LE((head.length + blocks * block.length + end.length) % 2 ** 32, 4);
    await write(trailer);
  } finally {
    await handle.close();
  }
  return { sha512: hashes.sha512.digest('hex'), sha1: hashes.sha1.digest('hex'), size: written };
}
