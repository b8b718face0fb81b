import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Header } from 'tar-stream';

export interface TarballEntry extends Partial<Omit<Header, 'name'>> {
  readonly name: string;
  readonly content?: string | Buffer;
}

/** A gzipped tar of these entries, as they are: also of what no npm would pack. @param before raw blocks in front of them */
export async function makeTar(entries: readonly TarballEntry[], before?: Buffer): Promise<Buffer> {
  const archive = pack();
  const chunks: Buffer[] = before ? [before] : [];
  for (const { content = '', ...header } of entries) archive.entry(header, content);
  archive.finalize();
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}

/** A raw header; `spoil` changes it before its checksum is made, `spoilAfter` then. */
interface RawHeader {
  readonly name?: string;
  readonly type?: string;
  readonly size?: number;
  readonly spoil?: (header: Buffer) => void;
  readonly spoilAfter?: (header: Buffer) => void;
}

/** One entry of a tar as raw blocks, also as no packer makes it. */
export function rawEntry(content: string | Buffer, { name = 'package/x', type = '0', ...rest }: RawHeader): Buffer {
  const body = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(name);
  header.write('0000644\x000000000\x000000000\x00', 100, 'latin1');
  header.write(`${(rest.size ?? body.length).toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 124, 'latin1');
  header.write(`        ${type}`, 148, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  rest.spoil?.(header);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  rest.spoilAfter?.(header);
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

/** A header at length, as raw blocks: pax for the next entry (`x`) or for all (`g`), or a long name (`L`). */
export function longHeader(kind: 'x' | 'g' | 'L' | 'K', content: string): Buffer {
  return rawEntry(content, { name: 'long-header', type: kind });
}

/** Records as a pax header has them. */
export function paxOf(records: Readonly<Record<string, string>>): string {
  return Object.entries(records)
    .map(([key, value]) => {
      const rest = ` ${key}=${value}\n`;
      const size = Buffer.byteLength(rest);
      const length = size + String(size + String(size).length).length;
      return `${length}${rest}`;
    })
    .join('');
}

/** So many pax records of a few bytes each. */
export function paxRecords(count: number): string {
  let records = '';
  for (let index = 0; index < count; index += 1) {
    const record = ` ${index.toString(36)}=\n`;
    const length = record.length + 1;
    records += `${length + (length > 9 ? 1 : 0)}${record}`;
  }
  return records;
}

/** A package as `npm pack` makes it: `package/package.json` first, then the files. */
export function makeTarball(
  manifest: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string | Buffer>> = { 'index.js': 'module.exports = 1;\n' },
): Promise<Buffer> {
  return makeTar([
    { name: 'package/package.json', content: JSON.stringify(manifest, null, 2) },
    ...Object.entries(files).map(([name, content]) => ({ name: `package/${name}`, content })),
  ]);
}

export function sha1Of(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex');
}

/** In the SRI form of `dist.integrity`. */
export function integrityOf(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}
