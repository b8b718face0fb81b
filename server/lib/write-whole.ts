import { writeSync } from 'node:fs';

/** Writes all of `bytes` where the file stands: one call may take less than it is given. */
export function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length;) offset += writeSync(descriptor, bytes, offset);
}
