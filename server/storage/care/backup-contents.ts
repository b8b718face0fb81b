import { open } from 'node:fs/promises';
import type { BackupContents } from '../../contract/maintenance.ts';
import { archiveEnd, archiveHead, endName, headName, largestNote, parseNote, refusal } from './backup-format.ts';

const block = 512;
/** Room for a note, the header before it and the end of the tar after it. */
const reach = largestNote + 8 * block;

/**
 * What an archive says of itself. Reads its first and its last note only, so that it takes as long for a large one as for a small one.
 * @throws GatehouseError `invalid_request` if it is no backup or was cut
 */
export async function readContents(file: string): Promise<BackupContents> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const bytesFrom = async (position: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(reach), 0, reach, position);
      return buffer.subarray(0, bytesRead);
    };
    const head = noteAt(await bytesFrom(0), 0, headName);
    if (head === undefined) throw refusal(file, 'it is no backup of Gatehouse');
    const { createdAt, gatehouse } = parseNote(file, archiveHead, head);
    const end = lastNote(await bytesFrom(Math.max(0, Math.floor((size - reach) / block) * block)), endName);
    if (end === undefined) throw refusal(file, 'it ends too early');
    const { packages, versions } = parseNote(file, archiveEnd, end);
    return { size, createdAt, gatehouse, packages, versions };
  } finally {
    await handle.close();
  }
}

/** From the end, since the database before it may hold anything. */
function lastNote(bytes: Buffer, name: string): string | undefined {
  for (let start = Math.floor(bytes.length / block) * block - block; start >= 0; start -= block) {
    const found = noteAt(bytes, start, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text of the entry whose header begins at `start`; undefined for another one, or where it is cut. */
function noteAt(bytes: Buffer, start: number, name: string): string | undefined {
  const header = bytes.subarray(start, start + block);
  // The fields of a tar header: the name at 0, the size in octal digits at 124.
  if (header.length < block || !header.toString('latin1').startsWith(`${name}\0`)) return undefined;
  const size = Number.parseInt(header.toString('latin1', 124, 136), 8);
  const from = start + block;
  return size >= 0 && from + size <= bytes.length ? bytes.toString('utf8', from, from + size) : undefined;
}
