import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { request } from 'undici';
import { makePublishDocument, type PublishDocument } from '../support/publish-document.ts';
import type { Registry } from './contenders.ts';

/** The body of a publish over HTTP. */
export interface Upload {
  readonly name: string;
  readonly body: string;
}

/** A package with `size` bytes that do not compress. */
export async function makeUpload(
  name: string,
  version: string,
  size: number,
  manifest: Readonly<Record<string, unknown>> = {},
): Promise<Upload> {
  const files = { 'index.bin': randomBytes(size) };
  return { name, body: JSON.stringify(await makePublishDocument({ name, version, manifest, files })) };
}

/** Publishes over HTTP; resolves with the milliseconds until the answer. */
export async function publish({ url, token }: Registry, { name, body }: Upload): Promise<number> {
  const begun = performance.now();
  await put(url + name, token, body);
  return performance.now() - begun;
}

/** Publishes the document in a file. */
export async function publishFile({ url, token }: Registry, name: string, file: string): Promise<void> {
  await put(url + name, token, createReadStream(file, { highWaterMark: 1024 * 1024 }));
}

async function put(url: string, token: string, body: string | Readable): Promise<void> {
  const answer = await request(url, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${text}`);
}

/** Writes the publish document of a package of `size` bytes to `file`, in constant memory. */
export async function writeLargeUpload(file: string, name: string, size: number): Promise<void> {
  const tarball = `${file}.tgz`;
  const archive = pack();
  archive.entry({ name: 'package/package.json' }, JSON.stringify({ name, version: '1.0.0' }));
  const entry = archive.entry({ name: 'package/data.bin', size });
  const noise = randomBytes(1024 * 1024);
  const filled = pipeline(Readable.from(Array.from({ length: size / noise.length }, () => noise)), entry).then(() =>
    archive.finalize(),
  );
  await Promise.all([filled, pipeline(archive, createGzip({ level: 1 }), createWriteStream(tarball))]);
  const document = await makePublishDocument({ name, version: '1.0.0', tarball: Buffer.alloc(0) });
  await pipeline(Readable.from(documentParts(document, tarball, await digestsOf(tarball))), createWriteStream(file));
  await rm(tarball);
}

interface Digests {
  readonly integrity: string;
  readonly shasum: string;
  readonly length: number;
}

async function digestsOf(file: string): Promise<Digests> {
  const sha512 = createHash('sha512');
  const sha1 = createHash('sha1');
  let length = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    sha512.update(chunk);
    sha1.update(chunk);
    length += chunk.length;
  }
  return { integrity: `sha512-${sha512.digest('base64')}`, shasum: sha1.digest('hex'), length };
}

/** The document with the tarball's base64 in the place of the empty one. */
async function* documentParts(document: PublishDocument, tarball: string, digests: Digests): AsyncGenerator<string> {
  const { length, ...dist } = digests;
  for (const version of Object.values(document.versions)) Object.assign(version.dist, dist);
  for (const attachment of Object.values(document._attachments)) attachment['length'] = length;
  const [head = '', tail = ''] = JSON.stringify(document).split('"data":""');
  yield `${head}"data":"`;
  // Divisible by three, so that the pieces of base64 join.
  const stream = createReadStream(tarball, { highWaterMark: 3 * 512 * 1024 }) as AsyncIterable<Buffer>;
  for await (const chunk of stream) yield chunk.toString('base64');
  yield `"${tail}`;
}

/** Writes a package for a client to publish. */
export async function writePackage(
  folder: string,
  manifest: Readonly<Record<string, unknown>>,
  size: number,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'index.bin'), randomBytes(size));
}
