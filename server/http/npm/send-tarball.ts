import { createHash, hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { GatehouseError } from '../../contract/errors.ts';
import { tarballFileName } from '../../registry/package-name.ts';
import type { VersionRow } from '../../registry/package-store.ts';
import type { TarballFile } from '../../registry/publish/tarball-store.ts';
import { holdsIfRange, judgePreconditions } from '../preconditions.ts';
import { headerOf, sendEmpty } from '../respond.ts';
import type { NpmCall } from './npm-call.ts';

/** Tarballs up to this size are answered from memory. */
export const smallTarball = 256 * 1024;

/** Sends the bytes of a version, whole or a range of them; they never change, so caches may store them without limit. */
export async function sendTarball(call: NpmCall, packageName: string, version: VersionRow): Promise<undefined> {
  const { req, res } = call;
  const { tarballs, downloads, store } = call.registry.packages;
  const etag = `"${version.tarballSha512.slice(0, 64)}"`;
  const headers = [
    'Content-Type',
    'application/octet-stream',
    'Cache-Control',
    'private, max-age=31536000, immutable',
    'Accept-Ranges',
    'bytes',
    'Last-Modified',
    new Date(version.publishedAt).toUTCString(),
    'Content-Disposition',
    `attachment; filename="${tarballFileName(packageName, version.version)}"`,
    'X-Content-Type-Options',
    'nosniff',
  ];
  const validators = { etag, lastModified: version.publishedAt };
  const verdict = judgePreconditions(req, validators);
  if (verdict === 'failed')
    throw new GatehouseError('precondition_failed', 'The tarball is not the one that was asked for.');
  if (verdict === 'not_modified') return sendEmpty(res, 304, [...headers, 'ETag', etag]);
  const wanted = req.method === 'GET' && holdsIfRange(req, validators) ? headerOf(req, 'range') : undefined;
  const range = wanted === undefined ? undefined : parseByteRange(wanted, version.size);
  if (range === 'unsatisfiable') return sendEmpty(res, 416, { 'Content-Range': `bytes */${version.size}` });
  if (version.size <= smallTarball && !range) {
    const bytes = await tarballs.read(version.tarballSha512);
    if (bytes?.length !== version.size || hash('sha512', bytes) !== version.tarballSha512) {
      await call.registry.maintenance.withdrawDamaged(version.tarballSha512);
      throw damaged(`version ${version.version}`, bytes !== undefined);
    }
    // It may have been unpublished while it was read.
    if (store.getVersion(version.id)) call.keepReady({ etag, headers, bytes, packageName, versionId: version.id });
    res.writeHead(200, [...headers, 'ETag', etag, 'Content-Length', String(bytes.length)]);
    res.end(bytes);
    if (req.method === 'GET') downloads.count(version.id);
    return undefined;
  }
  const file = await tarballs.openFile(version.tarballSha512);
  try {
    if (file?.size !== version.size) {
      await call.registry.maintenance.withdrawDamaged(version.tarballSha512);
      throw damaged(`version ${version.version}`, file !== undefined);
    }
    const { start, end } = range ?? { start: 0, end: version.size - 1 };
    res.writeHead(range ? 206 : 200, [
      ...headers,
      'ETag',
      etag,
      'Content-Length',
      String(end - start + 1),
      ...(range ? ['Content-Range', `bytes ${start}-${end}/${version.size}`] : []),
    ]);
    if (req.method === 'GET') {
      downloads.count(version.id);
      await sendFile(call, file, { sha512: version.tarballSha512, start, end: end + 1 });
    } else res.end();
  } finally {
    await file?.close();
  }
}

/** @returns the error for a tarball that is not on disk as it was published. */
export function damaged(what: string, isThere: boolean): GatehouseError {
  return new GatehouseError(
    'data_damaged',
    `The tarball of ${what} is ${isThere ? 'damaged' : 'missing'} on disk. Run "gatehouse doctor" to see what is wrong.`,
  );
}

const blockSize = 512 * 1024;
/** Buffers for reuse; a download borrows two. */
const spare: Buffer[] = [];
const mostSpare = 16;

/**
 * Sends the bytes of a tarball from `start` up to `end` (exclusive) and ends the answer; the next block is read while one goes out. A whole
 * one is compared with its digest before its last bytes go out: if they differ, the connection is cut and the tarball withdrawn.
 */
export async function sendFile(
  { res, registry }: Pick<NpmCall, 'res' | 'registry'>,
  file: TarballFile,
  { sha512, start, end }: { readonly sha512: string; readonly start: number; readonly end: number },
): Promise<void> {
  const hasher = start === 0 && end === file.size ? createHash('sha512') : undefined;
  const blocks = [spare.pop() ?? Buffer.allocUnsafeSlow(blockSize), spare.pop() ?? Buffer.allocUnsafeSlow(blockSize)];
  let written: Promise<boolean> = Promise.resolve(true);
  try {
    let count = 0;
    for (let position = start; position < end;) {
      const block = blocks[count % 2];
      if (!block) return;
      count += 1;
      const length = await file.read(block, Math.min(blockSize, end - position), position);
      position += length;
      hasher?.update(block.subarray(0, length));
      // Shorter than announced, or altered: only a broken connection shows the client.
      if (length === 0 || (hasher && position === end && hasher.digest('hex') !== sha512)) {
        res.destroy();
        await registry.maintenance.withdrawDamaged(sha512);
        return;
      }
      // The buffer of the block before is filled next.
      if (!(await written)) return;
      written = writeBlock(res, block.subarray(0, length));
    }
  } finally {
    await written;
    for (const block of blocks) if (spare.length < mostSpare) spare.push(block);
  }
  res.end();
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

/** First and last byte, both included. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The one range of a Range header; undefined to send everything (RFC 9110, 14.2). Several ranges get everything too.
 * @param size bytes of the whole
 */
function parseByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=[ \t]{0,8}(\d{0,40})-(\d{0,40})$/i.exec(header.trim());
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const suffix = Number(last);
    return suffix === 0 ? 'unsatisfiable' : { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
