import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { GatehouseError } from '../../contract/errors.ts';
import type { VersionRow } from '../../packages/package-store.ts';
import type { PackageServices } from '../../registry.ts';
import { headerOf, matchesEtag, sendEmpty } from '../respond.ts';

/** Sends the bytes of a version from disk, whole or a range of them; they never change, so caches may keep them for ever. */
export async function sendTarball(
  req: IncomingMessage,
  res: ServerResponse,
  packages: Pick<PackageServices, 'tarballs' | 'downloads'>,
  version: VersionRow,
  fileName: string,
): Promise<void> {
  const etag = `"${version.tarballSha512.slice(0, 64)}"`;
  const headers: Record<string, string> = {
    'Content-Type': 'application/octet-stream',
    ETag: etag,
    'Cache-Control': 'private, max-age=31536000, immutable',
    'Accept-Ranges': 'bytes',
    'Last-Modified': new Date(version.publishedAt).toUTCString(),
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'X-Content-Type-Options': 'nosniff',
  };
  if (matchesEtag(headerOf(req, 'if-none-match'), etag)) {
    sendEmpty(res, 304, headers);
    return;
  }
  const present = await packages.tarballs.sizeOf(version.tarballSha512);
  if (present !== version.size) {
    throw new GatehouseError(
      'data_damaged',
      `The tarball of version ${version.version} is ${present === undefined ? 'missing' : 'damaged'} on disk. Run "gatehouse doctor" to see what is wrong.`,
    );
  }
  const range = rangeOf(req, version.size, etag);
  if (range === 'unsatisfiable') {
    sendEmpty(res, 416, { 'Content-Range': `bytes */${version.size}` });
    return;
  }
  const length = range ? range.end - range.start + 1 : version.size;
  headers['Content-Length'] = String(length);
  if (range) headers['Content-Range'] = `bytes ${range.start}-${range.end}/${version.size}`;
  res.writeHead(range ? 206 : 200, headers);
  if (req.method === 'HEAD') {
    res.end();
    return;
  }
  packages.downloads.count(version.id);
  try {
    await pipeline(packages.tarballs.open(version.tarballSha512, range), res);
  } catch (error) {
    // A client that goes away in the middle is no fault of ours; the stream is closed either way.
    if (!res.destroyed) throw error;
  }
}

type Range = { start: number; end: number };

/** The one range that is asked for; undefined to send everything (RFC 9110, 14.2). Several ranges get everything too. */
function rangeOf(req: IncomingMessage, size: number, etag: string): Range | 'unsatisfiable' | undefined {
  const header = headerOf(req, 'range');
  if (header === undefined || req.method !== 'GET') return undefined;
  const condition = headerOf(req, 'if-range');
  if (condition !== undefined && condition !== etag) return undefined;
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const suffix = Number(last);
    return suffix === 0 ? 'unsatisfiable' : { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
