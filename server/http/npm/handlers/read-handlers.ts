import { GatehouseError } from '../../../contract/errors.ts';
import { compareVersionsDescending } from '../../../registry/package-version.ts';
import { shorten } from '../../../lib/printable.ts';
import { baseNameOf, tarballFileName } from '../../../registry/package-name.ts';
import { distTagsOf, findMergedVersion } from '../../../registry/packuments/merged-view.ts';
import type { PackumentEncoding } from '../../../registry/packuments/packument-library.ts';
import { TemplateBuilder, versionText } from '../../../registry/packuments/packument-template.ts';
import type { PackumentForm } from '../../../registry/packuments/packument-template.ts';
import { weightsOf } from '../../negotiate.ts';
import { headerOf, matchesEtag, queryOf, sendEmpty, sendJson } from '../../respond.ts';
import { baseOf, requirePackages } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import type { NpmRoute } from '../npm-route.ts';
import { sendTarball } from '../send-tarball.ts';

type Of<K extends NpmRoute['kind']> = NpmContext<Extract<NpmRoute, { kind: K }>>;

const abbreviatedType = 'application/vnd.npm.install-v1+json';

/** Which form of a packument the client asks for, by its Accept header: the one that it wants more, the short one if equally. */
export function formOf(accept: string | undefined): PackumentForm {
  // Most clients name one of the two, or nothing that there is.
  if (accept === undefined || !/install-v1/i.test(accept)) return 'full';
  const weights = weightsOf(accept);
  const abbreviated = weights.get(abbreviatedType) ?? 0;
  return abbreviated > 0 && abbreviated >= (weights.get('application/json') ?? 0) ? 'abbreviated' : 'full';
}

/** The encoding that the client wants most of those that both sides know, the smallest if it wants several equally. */
export function encodingOf(acceptEncoding: string | undefined): PackumentEncoding {
  if (acceptEncoding === undefined) return 'identity';
  const weights = weightsOf(acceptEncoding);
  const br = weights.get('br') ?? 0;
  const gzip = weights.get('gzip') ?? 0;
  if (br > 0 && br >= gzip) return 'br';
  return gzip > 0 ? 'gzip' : 'identity';
}

/** GET of a packument, full or abbreviated (api/npm.md, part one; api/clients.md 2). */
export async function getPackument(context: Of<'packument'>): Promise<void> {
  const { req, res, registry, route } = context;
  const packages = requirePackages(context, route.name, 'Packages not found');
  const form = formOf(headerOf(req, 'accept'));
  const { library } = registry.packages;
  const encoding = encodingOf(headerOf(req, 'accept-encoding'));
  const rendered = await library.render({ packages, form, base: baseOf(context), encoding });
  const headers = [
    'Content-Type',
    form === 'abbreviated' ? abbreviatedType : 'application/json',
    // Caches may keep it but must ask each time; a client that is about to change something gets it fresh.
    'Cache-Control',
    queryOf(req).get('write') === 'true' ? 'no-store' : 'private, max-age=0, must-revalidate',
    'Vary',
    'Accept, Accept-Encoding, Authorization',
    'X-Content-Type-Options',
    'nosniff',
    'Last-Modified',
    rendered.lastModified,
    ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
  ];
  const { etag, bytes } = rendered;
  if (library.etagOf({ packages: requirePackages(context, route.name), form }) === etag) {
    context.keepReady({ etag, headers, bytes, packageName: route.name });
  }
  if (matchesEtag(headerOf(req, 'if-none-match'), etag)) {
    sendEmpty(res, 304, [...headers, 'ETag', etag]);
    return;
  }
  res.writeHead(200, [...headers, 'ETag', etag, 'Content-Length', String(bytes.length)]);
  res.end(bytes);
}

/** GET of one manifest by version or dist-tag, which the public registry has too. */
export function getManifest(context: Of<'manifest'>): void {
  const { req, res, registry, route } = context;
  const packages = requirePackages(context, route.name);
  const { library, store } = registry.packages;
  const version = distTagsOf(store, packages).get(route.selector) ?? route.selector;
  const found = findMergedVersion(store, packages, version);
  if (!found) {
    const known = packages.flatMap((row) => store.versionNames(row.id)).toSorted(compareVersionsDescending);
    throw new GatehouseError(
      'package_not_found',
      `Package not found. ${route.name} has no version or dist-tag "${shorten(route.selector)}"; it has ${known.slice(0, 5).join(', ')}${known.length > 5 ? ', …' : ''}.`,
      { gitlabMessage: 'Package not found' },
    );
  }
  const headers = {
    ETag: library.etagOf({ packages, form: 'full' }),
    'Cache-Control': 'private, max-age=0, must-revalidate',
    Vary: 'Authorization',
  };
  if (matchesEtag(headerOf(req, 'if-none-match'), headers.ETag)) {
    sendEmpty(res, 304, headers);
    return;
  }
  const text = versionText(route.name, found, 'full');
  const body = new TemplateBuilder().add(text).build().fill(baseOf(context));
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers });
  res.end(body);
}

/** GET of a tarball, under the public registry's file name or GitLab's (api/npm.md, part one). */
export async function getTarball(context: Of<'tarball'>): Promise<void> {
  const { registry, route } = context;
  const packages = requirePackages(context, route.name);
  const version = versionInFileName(route.name, route.file);
  const newest = version === undefined ? undefined : findMergedVersion(registry.packages.store, packages, version);
  if (!newest) {
    throw new GatehouseError(
      'package_not_found',
      `Package not found. ${route.name} has no tarball ${shorten(route.file)}.`,
      { gitlabMessage: 'Package not found' },
    );
  }
  await sendTarball(context, newest, tarballFileName(route.name, newest.version));
}

/** The version that a tarball's file name speaks of; undefined if it is no file name of this package. */
export function versionInFileName(name: string, file: string): string | undefined {
  for (const prefix of [`${baseNameOf(name)}-`, `${name}-`]) {
    if (file.startsWith(prefix) && file.endsWith('.tgz')) return file.slice(prefix.length, -'.tgz'.length);
  }
  return undefined;
}

/** GET of the dist-tags; `latest` is always among them (api/npm.md 5.1). */
export function getDistTags(context: Of<'dist-tags'>): void {
  if (context.route.name.trim() === '') {
    throw new GatehouseError('invalid_request', '"Package Name" not given', {
      gitlabMessage: '400 Bad request - "Package Name" not given',
    });
  }
  const packages = requirePackages(context, context.route.name);
  const etag = context.registry.packages.library.etagOf({ packages, form: 'full' });
  if (matchesEtag(headerOf(context.req, 'if-none-match'), etag)) {
    sendEmpty(context.res, 304, { ETag: etag });
    return;
  }
  sendJson(context.res, 200, Object.fromEntries(distTagsOf(context.registry.packages.store, packages)), {
    ETag: etag,
    'Cache-Control': 'private, max-age=0, must-revalidate',
  });
}
