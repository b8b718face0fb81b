import { truncateSync, writeFileSync } from 'node:fs';
import { headName, nameOfTarball } from '../../server/storage/care/backup-format.ts';
import { rawEntry } from './tarballs.ts';

/** Writes an archive that takes long to unpack, and hardly any space: the gigabytes of its one tarball were never written. */
export function writeEndlessBackup(file: string): void {
  const size = 7 * 1024 ** 3;
  const note = JSON.stringify({ format: 1, gatehouse: '0.1.0', createdAt: 0 });
  const [prefix = '', folder, name = ''] = nameOfTarball('0'.repeat(128)).split('/');
  const blocks = Buffer.concat([
    rawEntry(note, { name: headName }),
    rawEntry('', { name, size, spoil: (header) => header.write(`${prefix}/${folder}`, 345) }),
  ]);
  writeFileSync(file, blocks);
  truncateSync(file, blocks.length + size);
}
