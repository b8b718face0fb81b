import { hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { GatehouseError } from '../../../contract/errors.ts';
import { decide } from '../../../accounts/access/policy.ts';
import { refusalError } from '../../../accounts/access/authorize.ts';
import { shorten } from '../../../lib/printable.ts';
import { tarballFileName, versionInFileName } from '../../../registry/package-name.ts';
import { heldBackError } from '../../../upstream/proxy/forwarding.ts';
import type { FoundPackument } from '../../../upstream/proxy/packument-cache.ts';
import type { UpstreamRow } from '../../../upstream/upstream-store.ts';
import { type Answer, headerOf, ok, queryOf, revalidate, sendEmpty } from '../../respond.ts';
import { abbreviatedType, encodingOf, formOf } from '../../negotiate.ts';
import { matchesEtag } from '../../preconditions.ts';
import type { PathParameters } from '../../route-matcher.ts';
import { baseOf, isLocalFor, type NpmCall, type NpmHandler, packageNotFound } from '../npm-call.ts';
import { damaged, sendFile, smallTarball } from '../send-tarball.ts';

/** Answers from another registry; false if none of them has the package. */
type Forwarder = (call: NpmCall, parameters: PathParameters) => Promise<Answer | undefined | false>;

/**
 * Answers from here, and only if the package is not here from the registries that are set up for it. So what is here never waits for an
 * upstream, and whether a caller may read is decided before anything is forwarded, since the local handler
 * refuses callers who may not before it says "not found".
 */
export function orForward(local: NpmHandler, forward: Forwarder): NpmHandler {
  return async (call, parameters) => {
    try {
      return await local(call, parameters);
    } catch (error) {
      const answer = mayForward(call, parameters, error) && (await forward(call, parameters));
      if (answer === false) throw error;
      return answer;
    }
  };
}

/** Commands that change a package look at it first, and have to see what is here, not what is elsewhere. */
const changingCommands = new Set(['publish', 'unpublish', 'deprecate', 'undeprecate', 'dist-tag', 'owner', 'access']);

function mayForward(call: NpmCall, { name = '' }: PathParameters, error: unknown): boolean {
  if (!(error instanceof GatehouseError) || error.code !== 'package_not_found' || call.res.headersSent) return false;
  const { registry, principal, req } = call;
  if (!registry.upstream.forwarding.isOn) return false;
  // Another registry may be private, and its token is ours: only for users of this one.
  if (principal.kind === 'anonymous') return false;
  if (queryOf(req).get('write') === 'true' || changingCommands.has(headerOf(req, 'npm-command') ?? '')) return false;
  const decision = decide('packages.read', { principal, level: 0, visibility: 'public' });
  if (!decision.allowed) throw refusalError(decision, 'project_not_found');
  return !isLocalFor(call, name);
}

/** GET of a packument from another registry. */
export const forwardPackument: Forwarder = async (call, { name = '' }) => {
  const { req, res, registry } = call;
  const { forwarding, views } = registry.upstream;
  const found = await forwarding.packument(name);
  if (!found) return false;
  const visible = forwarding.visible(found);
  requireVisibleVersion(found, visible);
  const form = formOf(req);
  const headers = {
    ETag: views.etagOf(found, visible, form),
    'Content-Type': form === 'abbreviated' ? abbreviatedType : 'application/json',
    'Cache-Control': revalidate,
    Vary: 'Accept, Accept-Encoding, Authorization',
    ...statusHeaders(found),
  };
  if (matchesEtag(headerOf(req, 'if-none-match'), headers.ETag)) return { status: 304, headers };
  const encoding = encodingOf(req);
  const { bytes, lastModified } = await views.render(found, visible, { form, base: baseOf(call), encoding });
  res.writeHead(200, {
    ...headers,
    'Last-Modified': lastModified,
    'Content-Length': bytes.length,
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  });
  res.end(bytes);
  return undefined;
};

/** GET of one manifest from another registry. */
export const forwardManifest: Forwarder = async (call, { name = '', selector = '' }) => {
  const { forwarding, views } = call.registry.upstream;
  const found = await forwarding.packument(name);
  if (!found) return false;
  const visible = forwarding.visible(found);
  const version = visible.distTags.get(selector) ?? selector;
  const releaseAt = visible.held.get(version);
  if (releaseAt !== undefined) throw heldBackError(found, version, releaseAt);
  const manifest = visible.versions.get(version);
  if (!manifest) {
    const text = `${found.upstream.name} has ${name}, but no version or dist-tag "${shorten(selector)}" of it.`;
    throw packageNotFound(text);
  }
  const body = views.manifest(manifest, baseOf(call));
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, ...statusHeaders(found) };
  call.res.writeHead(200, headers);
  call.res.end(body);
  return undefined;
};

/** GET of the dist-tags of another registry's package. */
export const forwardDistTags: Forwarder = async (call, { name = '' }) => {
  const { forwarding } = call.registry.upstream;
  const found = await forwarding.packument(name);
  if (!found) return false;
  const visible = forwarding.visible(found);
  requireVisibleVersion(found, visible);
  return ok(Object.fromEntries(visible.distTags), statusHeaders(found));
};

/** GET of a tarball of another registry: from the cache, else passed on while it is stored. */
export const forwardTarball: Forwarder = async (call, { name = '', file = '' }) => {
  const version = versionInFileName(name, file);
  const found = version !== undefined && (await call.registry.upstream.forwarding.tarball(name, version));
  if (!found) return false;
  const { upstream, source } = found;
  const { req, res, registry } = call;
  const headers: Record<string, string> = {
    'Content-Type': 'application/octet-stream',
    'Cache-Control': 'private, max-age=31536000, immutable',
    'Content-Disposition': `attachment; filename="${tarballFileName(name, version)}"`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Status': cacheStatus(upstream, source.kind === 'cached' ? 'hit' : 'fwd=uri-miss; stored'),
  };
  if (source.kind !== 'cached') {
    if (source.download.size !== null) headers['Content-Length'] = String(source.download.size);
    return req.method === 'HEAD' ? sendEmpty(res, 200, headers) : sendDownload(call, headers, source.download.read());
  }
  const { sha512, size } = source.row;
  headers['ETag'] = `"${sha512.slice(0, 64)}"`;
  if (matchesEtag(headerOf(req, 'if-none-match'), headers['ETag'])) return { status: 304, headers };
  headers['Content-Length'] = String(size);
  if (req.method === 'HEAD') return sendEmpty(res, 200, headers);
  const { tarballs } = registry.packages;
  // A small one that is damaged is fetched again before anything is sent; the client of a large one has to ask again.
  if (size <= smallTarball && hash('sha512', (await tarballs.read(sha512)) ?? '') !== sha512) {
    if (await registry.maintenance.withdrawDamaged(sha512)) return forwardTarball(call, { name, file });
  }
  const stored = await tarballs.openFile(sha512);
  if (!stored) throw damaged(`version ${version}`, false);
  try {
    res.writeHead(200, headers);
    await sendFile(call, stored, { sha512, start: 0, end: size });
  } finally {
    await stored.close();
  }
  return undefined;
};

async function sendDownload(
  { res }: NpmCall,
  headers: Readonly<Record<string, string>>,
  bytes: AsyncIterable<Buffer>,
): Promise<undefined> {
  const pieces = bytes[Symbol.asyncIterator]();
  // A failure before the first byte still gets an error answer.
  const first = await pieces.next();
  res.writeHead(200, headers);
  try {
    await pipeline(restOf(first, pieces), res);
  } catch (error) {
    // A client that goes away in the middle is no failure of the server; otherwise the cut connection says that the rest is missing.
    if (!res.destroyed) throw error;
  }
}

async function* restOf(first: IteratorResult<Buffer>, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let next = first; next.done !== true; next = await pieces.next()) yield next.value;
  } finally {
    await pieces.return?.();
  }
}

function requireVisibleVersion(
  found: FoundPackument,
  visible: { versions: { size: number }; held: ReadonlyMap<string, number> },
): void {
  if (visible.versions.size > 0 || visible.held.size === 0) return;
  throw heldBackError(found, null, Math.min(...visible.held.values()));
}

/** Cache-Status of the answer (RFC 9211), with `detail` where a stale copy replaces an upstream that failed. */
function statusHeaders({ upstream, freshness, row }: FoundPackument): Record<string, string> {
  switch (freshness.kind) {
    case 'fresh':
    case 'archive':
      return { 'Cache-Status': cacheStatus(upstream, 'hit') };
    case 'revalidated':
      return { 'Cache-Status': cacheStatus(upstream, 'hit; fwd=stale; fwd-status=304') };
    case 'fetched':
      return { 'Cache-Status': cacheStatus(upstream, 'fwd=miss; stored') };
    case 'stale':
      return {
        'Cache-Status': cacheStatus(upstream, `hit; ttl=-1; detail="stale: ${freshness.reason}"`),
        Warning: '110 gatehouse "Response is Stale"',
        Age: String(Math.max(0, Math.floor((Date.now() - row.validatedAt) / 1000))),
      };
  }
}

function cacheStatus(upstream: UpstreamRow, text: string): string {
  return `Gatehouse; ${text}; key="${upstream.name}"`;
}
