import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { GatehouseError } from '../../contract/errors.ts';
import type { VersionRow } from '../../packages/package-store.ts';
import type { TarballStore } from '../../packages/tarball-port.ts';
import { headerOf, matchesEtag, sendEmpty } from '../respond.ts';
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
  if (matchesEtag(headerOf(req, 'if-none-match'), etag)) {
    sendEmpty(res, 304, [...headers, 'ETag', etag]);
    return;
  }
  const range = rangeOf(req, version.size, etag);
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
