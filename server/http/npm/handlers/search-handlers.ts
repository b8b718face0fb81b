import type { SearchHit } from '../../../registry/packuments/package-catalog.ts';
import { scopeOf } from '../../../registry/package-name.ts';
import { parseSearchText } from '../../../registry/packuments/search-query.ts';
import { queryOf, sendJson } from '../../respond.ts';
import { baseOf } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import { readableProjectIds } from '../npm-scope.ts';
import type { Service } from '../service-paths.ts';

/** The most results that one answer holds, as on the public registry. */
const largestPage = 250;
const largestOffset = 100_000;

export const searchServices: readonly Service[] = [
  { path: 'v1/search', methods: { GET: search } },
  { path: 'all', methods: { GET: listAll } },
  { path: 'all/since', methods: { GET: listAll } },
];

/** GET `/-/v1/search`: full text over what the caller may read (api/clients.md 2). */
function search(context: NpmContext): void {
  const query = queryOf(context.req);
  const page = {
    limit: wholeNumber(query.get('size'), 20, largestPage),
    offset: wholeNumber(query.get('from'), 0, largestOffset),
  };
  const projectIds = readableProjectIds(context);
  const text = parseSearchText(query.get('text') ?? '');
  const { total, hits } = context.registry.packages.catalog.search(text, projectIds, page);
  const best = hits.reduce((highest, hit) => Math.max(highest, hit.score), 0);
  sendJson(context.res, 200, {
    objects: hits.map((hit) => presentHit(context, hit, best > 0 ? hit.score / best : 1)),
    total,
    time: new Date().toISOString(),
  });
}

/** GET `/-/all`: every package that the caller may read, as npm 6 and older asked for it before there was a search. */
function listAll(context: NpmContext): void {
  const projectIds = readableProjectIds(context);
  const { catalog } = context.registry.packages;
  const { rows } = catalog.list({ projectIds, orderBy: 'name', direction: 'asc', offset: 0, limit: 100_000 });
  const packages = rows.flatMap(({ name, description, latest, publishedAt }) =>
    latest === null
      ? []
      : [[name, { name, description, 'dist-tags': { latest }, time: { modified: isoTime(publishedAt) } }] as const],
  );
  sendJson(context.res, 200, { _updated: Date.now(), ...Object.fromEntries(packages) });
}

function presentHit(context: NpmContext, hit: SearchHit, relevance: number): unknown {
  const { store, library } = context.registry.packages;
  const version = store.findVersion(hit.packageId, hit.latest);
  const manifest = version ? (JSON.parse(version.manifest) as Record<string, unknown>) : {};
  const date = isoTime((version?.publishedAt ?? hit.publishedAt) - library.ageShiftOf(hit.projectId));
  const maintainers = store.maintainersOf(hit.packageId).map(({ username, email }) => ({ username, email }));
  const publisher = publisherOf(context, version?.publisherId ?? null) ?? maintainers[0];
  const scope = scopeOf(hit.name);
  return {
    package: {
      name: hit.name,
      scope: scope === null ? 'unscoped' : scope.slice(1),
      version: hit.latest,
      description: hit.description,
      keywords: hit.keywords,
      date,
      ...(typeof manifest['license'] === 'string' ? { license: manifest['license'] } : {}),
      links: linksOf(context, hit.name, manifest),
      ...authorOf(manifest),
      ...(publisher === undefined ? {} : { publisher }),
      maintainers,
    },
    ...(version?.deprecated == null ? {} : { flags: { deprecated: version.deprecated } }),
    updated: date,
    // Nobody rates packages here; the numbers that clients sort by all say how well the words fit.
    score: { final: relevance, detail: { quality: relevance, popularity: relevance, maintenance: relevance } },
    searchScore: relevance,
  };
}

function publisherOf(context: NpmContext, userId: number | null): { username: string; email: string } | undefined {
  const user = userId === null ? undefined : context.registry.directory.index.users.get(userId);
  return user && { username: user.username, email: user.email };
}

function linksOf(context: NpmContext, name: string, manifest: Record<string, unknown>): Record<string, string> {
  const links: Record<string, string> = { npm: `${baseOf(context)}/${name}` };
  for (const field of ['homepage', 'repository', 'bugs'] as const) {
    const value = manifest[field];
    const url = typeof value === 'object' && value !== null && 'url' in value ? value.url : value;
    if (typeof url === 'string' && url !== '') links[field] = url;
  }
  return links;
}

function authorOf(manifest: Record<string, unknown>): { author?: { name: string } } {
  const author = manifest['author'];
  if (typeof author === 'string') return { author: { name: author } };
  if (typeof author !== 'object' || author === null || !('name' in author)) return {};
  return typeof author.name === 'string' ? { author: { ...author, name: author.name } } : {};
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** A number that is missing or no number at all means the default, one that is too large the largest. */
function wholeNumber(text: string | null, fallback: number, largest: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Math.min(Number(text), largest) : fallback;
}
