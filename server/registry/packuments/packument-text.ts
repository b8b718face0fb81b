import { noReplyAddress } from '../../accounts/naming.ts';
import type { PackageRow, Person, TagRow, VersionRow } from '../package-store.ts';
import { firstPublishes, mergeTags } from './merged-view.ts';
import { tarballFileName } from '../package-name.ts';
import { withoutBuild } from '../package-version.ts';

export type PackumentForm = 'full' | 'abbreviated';

/** All that a packument of one project's package is made of. */
export interface PackumentSource {
  readonly package: PackageRow;
  /** In the order of their publishing. */
  readonly versions: readonly VersionRow[];
  readonly tags: readonly TagRow[];
  readonly maintainers: readonly Person[];
  readonly starrers: readonly string[];
  /** Of the version that `latest` points at. */
  readonly readme: { readonly filename: string; readonly text: string } | null;
  /** Milliseconds that publish times are shown older than they are; 0 by default. */
  readonly ageShift: number;
}

/** Fields of a manifest that installers read; the rest is left out of abbreviated packuments. */
const installerFields = [
  'name',
  'version',
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bundleDependencies',
  'bundledDependencies',
  'acceptDependencies',
  'bin',
  'directories',
  'engines',
  'os',
  'cpu',
  'libc',
  'funding',
  '_hasShrinkwrap',
  'hasInstallScript',
] as const;

/** The part of a manifest that abbreviated packuments show. */
export function abbreviate(manifest: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    installerFields.flatMap((field) => (Object.hasOwn(manifest, field) ? [[field, manifest[field]]] : [])),
  );
}

/** One version as part of a packument for clients that reach the registry at `base`, an address without a trailing slash. */
export function versionText(name: string, row: VersionRow, form: PackumentForm, base: string): string {
  const manifest = form === 'full' ? row.manifest : row.abbreviated;
  const deprecated = row.deprecated === null ? '' : `,"deprecated":${JSON.stringify(row.deprecated)}`;
  return `${manifest.slice(0, -1)},"dist":${distText(name, row, base)}${deprecated}}`;
}

function distText(name: string, row: VersionRow, base: string): string {
  const tarball = JSON.stringify(`${base}/${name}/-/${tarballFileName(name, row.version)}`);
  const attestations =
    row.provenance === null
      ? ''
      : `,"attestations":{"url":${JSON.stringify(`${base}/-/npm/v1/attestations/${name}@${encodeURIComponent(row.version)}`)},"provenance":{"predicateType":${JSON.stringify(row.provenance)}}}`;
  return (
    `{"integrity":"${row.integrity}","shasum":"${row.shasum}","tarball":${tarball},"fileCount":${row.fileCount},` +
    `"unpackedSize":${row.unpackedSize},"signatures":[{"keyid":"${row.signatureKeyId}","sig":"${row.signature}"}]${attestations}}`
  );
}

/** What several projects' packages of one name show together: the first publish and the newest tag win. */
export interface MergedPackument {
  readonly name: string;
  readonly revision: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly versions: readonly { readonly row: VersionRow; readonly publishedAt: number }[];
  readonly distTags: ReadonlyMap<string, string>;
  readonly maintainers: readonly Person[];
  readonly starrers: readonly string[];
  readonly readme: { readonly filename: string; readonly text: string } | null;
}

/** Merges the sources (at least one); one source is simply itself. */
export function mergeSources(sources: readonly PackumentSource[], revision: string): MergedPackument {
  const first = firstPublishes(sources.flatMap((source) => source.versions));
  const winnerOf = (version: string) => first.get(withoutBuild(version));
  const versions = sources.flatMap((source) =>
    source.versions
      .filter((row) => winnerOf(row.version)?.packageId === row.packageId)
      .map((row) => ({ row, publishedAt: row.publishedAt - source.ageShift })),
  );
  const tags = mergeTags(
    sources.map((source) => source.tags),
    () => versions.map(({ row }) => row.version),
  );
  const shown = new Set(versions.map(({ row }) => row.version));
  const distTags = new Map(
    [...tags].map(([tag, version]) => [tag, shown.has(version) ? version : (winnerOf(version)?.version ?? version)]),
  );
  const newest = sources.reduce((a, b) => (b.package.updatedAt > a.package.updatedAt ? b : a));
  return {
    name: newest.package.name,
    revision,
    createdAt: Math.min(...sources.map((source) => source.package.createdAt - source.ageShift)),
    modifiedAt: Math.max(...sources.map((source) => source.package.updatedAt - source.ageShift)),
    versions: versions.toSorted((a, b) => a.row.publishedAt - b.row.publishedAt || a.row.id - b.row.id),
    distTags,
    maintainers: newest.maintainers,
    starrers: [...new Set(sources.flatMap((source) => source.starrers))],
    readme: newest.readme,
  };
}

/** Text of a packument before, and after, its versions; the versions come between, joined by commas. */
export function packumentFrame(merged: MergedPackument, form: PackumentForm): { head: string; tail: string } {
  const name = JSON.stringify(merged.name);
  const distTags = JSON.stringify(Object.fromEntries(merged.distTags));
  const modified = new Date(merged.modifiedAt).toISOString();
  if (form === 'abbreviated') {
    return { head: `{"name":${name},"modified":"${modified}","dist-tags":${distTags},"versions":{`, tail: '}}' };
  }
  const time = Object.fromEntries([
    ['created', new Date(merged.createdAt).toISOString()],
    ['modified', modified],
    ...merged.versions.map(({ row, publishedAt }) => [row.version, new Date(publishedAt).toISOString()]),
  ]);
  const latest = merged.versions.find(({ row }) => row.version === merged.distTags.get('latest'));
  const shown = {
    maintainers: merged.maintainers.map(({ username }) => ({ name: username, email: noReplyAddress(username) })),
    time,
    users: Object.fromEntries(merged.starrers.map((username) => [username, true])),
    ...(latest ? topLevelFields(latest.row) : {}),
    readme: merged.readme?.text ?? '',
    readmeFilename: merged.readme?.filename ?? '',
  };
  return {
    head: `{"_id":${name},"_rev":${JSON.stringify(merged.revision)},"name":${name},"dist-tags":${distTags},"versions":{`,
    tail: `},${JSON.stringify(shown).slice(1)}`,
  };
}

const copiedFields = ['description', 'homepage', 'keywords', 'repository', 'author', 'bugs', 'license', 'contributors'];

/** What the public registry repeats at the top of a packument from the manifest of `latest`. */
function topLevelFields(row: VersionRow): Record<string, unknown> {
  const manifest = JSON.parse(row.manifest) as Record<string, unknown>;
  return Object.fromEntries(
    copiedFields.flatMap((field) => (Object.hasOwn(manifest, field) ? [[field, manifest[field]]] : [])),
  );
}
