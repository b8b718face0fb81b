import { shorten } from '../../../lib/printable.ts';
import { versionInFileName } from '../../../registry/package-name.ts';
import { compareVersionsDescending } from '../../../registry/package-version.ts';
import { distTagsOf, findMergedVersion } from '../../../registry/packuments/merged-view.ts';
import { versionText } from '../../../registry/packuments/packument-text.ts';
import { type Answer, headerOf, ok, queryOf, revalidate, sendEmpty } from '../../respond.ts';
import { abbreviatedType, encodingOf, formOf } from '../../negotiate.ts';
import { matchesEtag } from '../../preconditions.ts';
import type { PathParameters } from '../../route-matcher.ts';
import { baseOf, type NpmCall, packageNotFound, requirePackages } from '../npm-call.ts';
import { sendTarball } from '../send-tarball.ts';
import { refuseBlank } from './tag-handlers.ts';

/** GET of a packument, full or abbreviated. */
export async function getPackument(call: NpmCall, { name = '' }: PathParameters): Promise<undefined> {
  const { req, res } = call;
  const packages = requirePackages(call, name, 'Packages not found');
  const form = formOf(req);
  const { library } = call.registry.packages;
  const encoding = encodingOf(req);
  const { etag, bytes, lastModified } = await library.render({ packages, form, base: baseOf(call), encoding });
  const headers = [
    'Content-Type',
    form === 'abbreviated' ? abbreviatedType : 'application/json',
    'Cache-Control',
    // A client that is about to change something must not get a cached copy.
    queryOf(req).get('write') === 'true' ? 'no-store' : revalidate,
    'Vary',
    'Accept, Accept-Encoding, Authorization',
    'X-Content-Type-Options',
    'nosniff',
    'Last-Modified',
    lastModified,
    ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
  ];
  // It may have been changed while it was rendered.
  if (library.etagOf({ packages: requirePackages(call, name), form }) === etag) {
    call.keepReady({ etag, headers, bytes, packageName: name });
  }
  if (matchesEtag(headerOf(req, 'if-none-match'), etag)) return sendEmpty(res, 304, [...headers, 'ETag', etag]);
  res.writeHead(200, [...headers, 'ETag', etag, 'Content-Length', String(bytes.length)]);
  res.end(bytes);
  return undefined;
}

/** GET of one manifest by version or dist-tag, which the public registry has too. */
export function getManifest(call: NpmCall, { name = '', selector = '' }: PathParameters): undefined {
  const packages = requirePackages(call, name);
  const { library, store } = call.registry.packages;
  const version = distTagsOf(store, packages).get(selector) ?? selector;
  const found = findMergedVersion(store, packages, version);
  if (!found) {
    // The newest ones; to sort all of many takes a tenth of a second.
    const known = packages.flatMap((row) => store.versionNames(row.id));
    const newest = known.slice(-5).toSorted(compareVersionsDescending).join(', ');
    throw packageNotFound(
      `${name} has no version or dist-tag "${shorten(selector)}"; it has ${newest}${known.length > 5 ? ', …' : ''}.`,
    );
  }
  const headers = {
    ETag: library.etagOf({ packages, form: 'full' }),
    'Cache-Control': revalidate,
    Vary: 'Authorization',
  };
  if (matchesEtag(headerOf(call.req, 'if-none-match'), headers.ETag)) return sendEmpty(call.res, 304, headers);
  const body = Buffer.from(versionText(name, found, 'full', baseOf(call)));
  call.res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers });
  call.res.end(body);
  return undefined;
}

/** GET of a tarball, under the public registry's file name or GitLab's. */
export async function getTarball(call: NpmCall, { name = '', file = '' }: PathParameters): Promise<undefined> {
  const packages = requirePackages(call, name);
  const version = versionInFileName(name, file);
  const newest = version === undefined ? undefined : findMergedVersion(call.registry.packages.store, packages, version);
  if (!newest) throw packageNotFound(`${name} has no tarball ${shorten(file)}.`);
  return sendTarball(call, name, newest);
}

/** GET of the dist-tags; `latest` is always among them. */
export function getDistTags(call: NpmCall, { name = '' }: PathParameters): Answer {
  refuseBlank({ 'Package Name': name });
  const packages = requirePackages(call, name);
  const { library, store } = call.registry.packages;
  const etag = library.etagOf({ packages, form: 'full' });
  if (matchesEtag(headerOf(call.req, 'if-none-match'), etag)) return { status: 304, headers: { ETag: etag } };
  return ok(Object.fromEntries(distTagsOf(store, packages)), { ETag: etag, 'Cache-Control': revalidate });
}
