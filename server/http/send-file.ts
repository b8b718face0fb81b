import type { ServerResponse } from 'node:http';
import type { TarballFile } from '../registry/publish/tarball-store.ts';

const blockSize = 512 * 1024;
/** Blocks that wait for their next use; a download borrows two. */
const spare: Buffer[] = [];
const mostSpare = 16;

/**
 * Sends the bytes of a file from `start` up to `end` (exclusive). While one block goes out the next is read, and blocks are used again,
 * so a download of any size costs two of them. Stops when the client is gone.
 */
export async function sendFile(file: TarballFile, res: ServerResponse, start: number, end: number): Promise<void> {
  const blocks = [spare.pop() ?? Buffer.allocUnsafeSlow(blockSize), spare.pop() ?? Buffer.allocUnsafeSlow(blockSize)];
  let written: Promise<boolean> = Promise.resolve(true);
  try {
    let turn = 0;
    for (let position = start; position < end;) {
      const block = blocks[turn % 2];
      if (!block) return;
      turn += 1;
      const length = await file.read(block, Math.min(blockSize, end - position), position);
      if (length === 0) {
        // Cut shorter than its length was announced: only a broken connection tells the client.
        res.destroy();
        return;
      }
      position += length;
      // The block before this one must be out of the way before its buffer is filled again.
      if (!(await written)) return;
      written = writeBlock(res, block.subarray(0, length));
    }
  } finally {
    await written;
    for (const block of blocks) if (spare.length < mostSpare) spare.push(block);
  }
}

/** Whether the bytes went out; false if the client is gone. */
function writeBlock(res: ServerResponse, bytes: Buffer): Promise<boolean> {
  if (res.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const gone = () => resolve(false);
    res.once('close', gone);
    res.write(bytes, (error) => {
      res.off('close', gone);
      resolve(!error);
    });
  });
}
