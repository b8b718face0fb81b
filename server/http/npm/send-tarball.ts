import { hash } from 'node:crypto';
import { GatehouseError } from '../../contract/errors.ts';
import type { VersionRow } from '../../registry/package-store.ts';
import type { TarballStore } from '../../registry/publish/tarball-store.ts';
import { parseByteRange } from '../../lib/byte-range.ts';
import { holdsIfRange, judgePreconditions } from '../preconditions.ts';
import { headerOf, sendEmpty } from '../respond.ts';
import { sendFile } from '../send-file.ts';
import type { NpmContext } from './npm-context.ts';

/** Tarballs up to this size are sent from memory, where the hot path finds them. */
const smallTarball = 256 * 1024;

/** Sends the bytes of a version, whole or a range of them; they never change, so caches may keep them for ever. */
export async function sendTarball(context: NpmContext, version: VersionRow, fileName: string): Promise<void> {
  const { req, res } = context;
  const { tarballs, downloads } = context.registry.packages;
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
    `attachment; filename="${fileName}"`,
    'X-Content-Type-Options',
    'nosniff',
  ];
  const validators = { etag, lastModified: version.publishedAt };
  const verdict = judgePreconditions(req, validators);
  if (verdict === 'failed')
    throw new GatehouseError('precondition_failed', 'The tarball is not the one that was asked for.');
  if (verdict === 'not_modified') {
    sendEmpty(res, 304, [...headers, 'ETag', etag]);
    return;
  }
  const wanted = req.method === 'GET' && holdsIfRange(req, validators) ? headerOf(req, 'range') : undefined;
  const range = wanted === undefined ? undefined : parseByteRange(wanted, version.size);
  if (range === 'unsatisfiable') {
    sendEmpty(res, 416, { 'Content-Range': `bytes */${version.size}` });
    return;
  }
  if (version.size <= smallTarball && !range) {
    const bytes = await readWhole(tarballs, version);
    // It may have been unpublished while it was read.
    const isThere = context.registry.packages.store.getVersion(version.id) !== undefined;
    if (isThere)
      context.keepReady({ etag, headers, bytes, packageName: packageNameOf(context), versionId: version.id });
    res.writeHead(200, [...headers, 'ETag', etag, 'Content-Length', String(bytes.length)]);
    res.end(bytes);
    if (req.method === 'GET') downloads.count(version.id);
    return;
  }
  const file = await tarballs.openFile(version.tarballSha512);
  try {
    requireSize(version, file?.size);
    const { start, end } = range ?? { start: 0, end: version.size - 1 };
    res.writeHead(range ? 206 : 200, [
      ...headers,
      'ETag',
      etag,
      'Content-Length',
      String(end - start + 1),
      ...(range ? ['Content-Range', `bytes ${start}-${end}/${version.size}`] : []),
    ]);
    if (file && req.method === 'GET') {
      downloads.count(version.id);
      await sendFile(file, res, start, end + 1);
    }
    res.end();
  } finally {
    await file?.close();
  }
}

/** The whole tarball in memory, compared with its digest. @throws GatehouseError `data_damaged`. */
async function readWhole(tarballs: TarballStore, version: VersionRow): Promise<Buffer> {
  const bytes = await tarballs.read(version.tarballSha512);
  requireSize(version, bytes?.length);
  if (bytes === undefined || hash('sha512', bytes) !== version.tarballSha512) throw damaged(version, 'damaged');
  return bytes;
}

function requireSize(version: VersionRow, present: number | undefined): void {
  if (present !== version.size) throw damaged(version, present === undefined ? 'missing' : 'damaged');
}

function damaged(version: VersionRow, how: string): GatehouseError {
  return new GatehouseError(
    'data_damaged',
    `The tarball of version ${version.version} is ${how} on disk. Run "gatehouse doctor" to see what is wrong.`,
  );
}

function packageNameOf(context: NpmContext): string {
  return 'name' in context.route ? context.route.name : '';
}
