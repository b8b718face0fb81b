import { pipeline } from 'node:stream/promises';
import { GatehouseError } from '../../../contract/errors.ts';
import { decide } from '../../../accounts/access/policy.ts';
import { refusalError } from '../../../accounts/access/authorize.ts';
import { shorten } from '../../../lib/printable.ts';
import { tarballFileName } from '../../../registry/package-name.ts';
import { heldBackError } from '../../../upstream/proxy/forwarding.ts';
import type { FoundPackument } from '../../../upstream/proxy/packument-cache.ts';
import type { TarballSource } from '../../../upstream/proxy/tarball-cache.ts';
import type { UpstreamRow } from '../../../upstream/upstream-store.ts';
import { headerOf, matchesEtag, queryOf, sendEmpty, sendJson } from '../../respond.ts';
import { baseOf } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import type { NpmRoute } from '../npm-route.ts';
import { encodingOf, formOf, versionInFileName } from './read-handlers.ts';

type Of<K extends NpmRoute['kind']> = NpmContext<Extract<NpmRoute, { kind: K }>>;
type Handler<K extends NpmRoute['kind']> = (context: Of<K>) => Promise<void> | void;
/** Says whether it answered. */
type Forwarder<K extends NpmRoute['kind']> = (context: Of<K>) => Promise<boolean>;

/**
 * Answers from here, and only if the package is not here from the registries that are set up for it. The order makes two promises at
 * once: what is here never waits for anything upstream, and whether a caller may ask is decided before anything is forwarded
 * (api/npm.md, part one), since the local handler refuses strangers before it says "not found".
 */
export function orForward<K extends NpmRoute['kind']>(local: Handler<K>, forward: Forwarder<K>): Handler<K> {
  return async (context) => {
    try {
      await local(context);
    } catch (error) {
      if (!mayForward(context, error) || !(await forward(context))) throw error;
    }
  };
}

/** Commands that change a package look at it first, and have to see what is here, not what is elsewhere. */
const changingCommands = new Set(['publish', 'unpublish', 'deprecate', 'undeprecate', 'dist-tag', 'owner', 'access']);

function mayForward(context: NpmContext, error: unknown): boolean {
  if (!(error instanceof GatehouseError) || error.code !== 'package_not_found' || context.res.headersSent) return false;
  const { registry, principal, req } = context;
  if (!registry.upstream.forwarding.isOn) return false;
  // Another registry may be private, and its token is ours: it is for people with an account here.
  if (principal.kind === 'anonymous') return false;
  if (queryOf(req).get('write') === 'true' || changingCommands.has(headerOf(req, 'npm-command') ?? '')) return false;
  const decision = decide('packages.read', { principal, level: 0, visibility: 'public' });
  if (!decision.allowed) throw refusalError(decision, 'project_not_found');
  return true;
}

/** GET of a packument from another registry. */
export async function forwardPackument(context: Of<'packument'>): Promise<boolean> {
  const { req, res, registry, route } = context;
  const { forwarding, views } = registry.upstream;
  const found = await forwarding.packument(route.name);
  if (!found) return false;
  const visible = forwarding.visible(found);
  requireSomething(found, visible);
  const form = formOf(headerOf(req, 'accept'));
  const etag = views.etagOf(found, visible, form);
  const headers = {
    'Content-Type': form === 'abbreviated' ? 'application/vnd.npm.install-v1+json' : 'application/json',
    'Cache-Control': 'private, max-age=0, must-revalidate',
    Vary: 'Accept, Accept-Encoding, Authorization',
    ...statusHeaders(found),
  };
  if (matchesEtag(headerOf(req, 'if-none-match'), etag)) {
    sendEmpty(res, 304, { ETag: etag, ...headers });
    return true;
  }
  const encoding = encodingOf(headerOf(req, 'accept-encoding'));
  const rendered = await views.render(found, visible, { form, base: baseOf(context), encoding });
  res.writeHead(200, {
    ...headers,
    ETag: rendered.etag,
    'Last-Modified': rendered.lastModified,
    'Content-Length': rendered.bytes.length,
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  });
  res.end(rendered.bytes);
  return true;
}

/** GET of one manifest from another registry. */
export async function forwardManifest(context: Of<'manifest'>): Promise<boolean> {
  const { res, registry, route } = context;
  const { forwarding, views } = registry.upstream;
  const found = await forwarding.packument(route.name);
  if (!found) return false;
  const visible = forwarding.visible(found);
  const version = visible.distTags.get(route.selector) ?? route.selector;
  const releaseAt = visible.held.get(version);
  if (releaseAt !== undefined) throw heldBackError(found, version, releaseAt);
  const manifest = visible.versions.get(version);
  if (!manifest) {
    throw new GatehouseError(
      'package_not_found',
      `Package not found. ${found.upstream.name} has ${route.name}, but no version or dist-tag "${shorten(route.selector)}" of it.`,
      { gitlabMessage: 'Package not found' },
    );
  }
  const body = views.manifest(manifest, baseOf(context));
  res.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...statusHeaders(found),
  });
  res.end(body);
  return true;
}

/** GET of the dist-tags of another registry's package. */
export async function forwardDistTags(context: Of<'dist-tags'>): Promise<boolean> {
  const { forwarding } = context.registry.upstream;
  const found = await forwarding.packument(context.route.name);
  if (!found) return false;
  const visible = forwarding.visible(found);
  requireSomething(found, visible);
  sendJson(context.res, 200, Object.fromEntries(visible.distTags), statusHeaders(found));
  return true;
}

/** GET of a tarball of another registry: from here if it was fetched before, else passed on while it is stored. */
export async function forwardTarball(context: Of<'tarball'>): Promise<boolean> {
  const { registry, route } = context;
  const version = versionInFileName(route.name, route.file);
  if (version === undefined) return false;
  const answer = await registry.upstream.forwarding.tarball(route.name, version);
  if (!answer) return false;
  await sendForeignTarball(context, answer.upstream, answer.source, tarballFileName(route.name, version));
  return true;
}

async function sendForeignTarball(
  context: NpmContext,
  upstream: UpstreamRow,
  source: TarballSource,
  fileName: string,
): Promise<void> {
  const { req, res, registry } = context;
  const headers: Record<string, string> = {
    'Content-Type': 'application/octet-stream',
    'Cache-Control': 'private, max-age=31536000, immutable',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Status': cacheStatus(upstream, source.kind === 'cached' ? 'hit' : 'fwd=uri-miss; stored'),
  };
  if (source.kind === 'cached') {
    const etag = `"${source.row.sha512.slice(0, 64)}"`;
    headers['ETag'] = etag;
    if (matchesEtag(headerOf(req, 'if-none-match'), etag)) {
      sendEmpty(res, 304, headers);
      return;
    }
    headers['Content-Length'] = String(source.row.size);
  } else if (source.download.size !== null) headers['Content-Length'] = String(source.download.size);
  if (req.method === 'HEAD') {
    sendEmpty(res, 200, headers);
    return;
  }
  const bytes =
    source.kind === 'cached'
      ? (registry.packages.tarballs.open(source.row.sha512) as AsyncIterable<Buffer>)
      : source.download.read();
  const pieces = bytes[Symbol.asyncIterator]();
  // What fails before the first byte can still be told in words.
  const first = await pieces.next();
  res.writeHead(200, headers);
  try {
    await pipeline(restOf(first, pieces), res);
  } catch (error) {
    // A client that goes away in the middle is no fault of ours; otherwise the cut connection tells it that this is not the whole.
    if (!res.destroyed) throw error;
  }
}

async function* restOf(first: IteratorResult<Buffer>, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let next = first; next.done !== true; next = await pieces.next()) yield next.value;
  } finally {
    // A client that leaves early must not leave a file open behind it.
    await pieces.return?.();
  }
}

function requireSomething(
  found: FoundPackument,
  visible: { versions: { size: number }; held: ReadonlyMap<string, number> },
): void {
  if (visible.versions.size > 0 || visible.held.size === 0) return;
  throw heldBackError(found, null, Math.min(...visible.held.values()));
}

/** How the answer came about: RFC 9211, with `detail` where a copy stands in for an upstream that was not heard. */
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
