import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Header } from 'tar-stream';

export interface TarballEntry extends Partial<Omit<Header, 'name'>> {
  readonly name: string;
  readonly content?: string | Buffer;
}

/** A gzipped tar of these entries, as they are: also of what no npm would pack. */
export async function makeTar(entries: readonly TarballEntry[]): Promise<Buffer> {
  const archive = pack();
  const chunks: Buffer[] = [];
  for (const { content = '', ...header } of entries) archive.entry(header, content);
  archive.finalize();
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
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
