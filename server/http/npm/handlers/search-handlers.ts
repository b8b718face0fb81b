import { noReplyAddress } from '../../../accounts/naming.ts';
import type { SearchHit } from '../../../registry/packuments/package-catalog.ts';
import { scopeOf } from '../../../registry/package-name.ts';
import type { VersionRow } from '../../../registry/package-store.ts';
import { parseSearchText } from '../../../registry/packuments/search-query.ts';
import type { AnswerOf } from '../../openapi/schemas.ts';
import { nextTurn } from '../../../lib/turns.ts';
import { type Answer, numberInQuery, ok, queryOf } from '../../respond.ts';
import { baseOf, hiddenPackages, type NpmCall, type NpmRoute, readableProjectIds } from '../npm-call.ts';

/** As on the public registry. */
const paging = {
  size: { type: 'integer', minimum: 0, maximum: 250, default: 20 },
  from: { type: 'integer', minimum: 0, maximum: 100_000, default: 0 },
} as const;

export const searchRoutes: readonly NpmRoute[] = [
  {
    pattern: '/-/v1/search',
    GET: {
      handle: search,
      summary: 'Search packages',
      description: 'Full text, in what the caller can read.',
      access: 'packages.read',
      query: { text: { type: 'string' }, ...paging },
      answers: { 200: 'SearchResult' },
    },
  },
  {
    pattern: '/-/all',
    GET: {
      handle: listAll,
      summary: 'List all packages',
      description: 'For npm 6 and older.',
      access: 'packages.read',
      answers: { 200: 'AllPackages' },
    },
  },
  {
    pattern: '/-/all/since',
    GET: {
      handle: listAll,
      summary: 'List all packages again',
      description: 'As above: the whole list.',
      access: 'packages.read',
      answers: { 200: 'AllPackages' },
    },
  },
];

/** GET: full-text search in what the caller may read. */
async function search(call: NpmCall): Promise<Answer> {
  const query = queryOf(call.req);
  const page = {
    limit: numberInQuery(query, 'size', paging.size),
    offset: numberInQuery(query, 'from', paging.from),
  };
  const projectIds = readableProjectIds(call);
  const text = parseSearchText(query.get('text') ?? '');
  const hidden = hiddenPackages(call, projectIds);
  const { total, hits } = call.registry.packages.catalog.search(text, projectIds, page, hidden);
  const usage = call.registry.packages.catalog.usage(hits, projectIds, hidden);
  const best = hits.reduce((highest, hit) => Math.max(highest, hit.score), 0);
  const objects: AnswerOf<'SearchHit'>[] = [];
  let read = 0;
  for (const hit of hits) {
    // A manifest can have a megabyte, which is parsed for a few words.
    if (read > bytesPerTurn) {
      await nextTurn();
      read = 0;
    }
    const version = call.registry.packages.store.findVersion(hit.packageId, hit.latest);
    read += hitBytes + (version?.manifest.length ?? 0);
    const { dependents, ...downloads } = usage.get(hit.packageId) ?? { weekly: 0, monthly: 0, dependents: 0 };
    objects.push({ downloads, dependents, ...presentHit(call, hit, version, best > 0 ? hit.score / best : 1) });
  }
  return ok({ objects, total, time: new Date().toISOString() });
}

/** Characters of manifests that one turn of the event loop parses, and what a hit costs besides. */
const bytesPerTurn = 256 * 1024;
const hitBytes = 4096;

/** GET: every package that the caller may read, for npm 6 and older. */
async function listAll(call: NpmCall): Promise<undefined> {
  const projectIds = readableProjectIds(call);
  const { catalog } = call.registry.packages;
  const hidden = hiddenPackages(call, projectIds);
  const pieces = [Buffer.from(`{"_updated":${Date.now()}`)];
  for (let offset = 0; offset < mostListed; offset += rowsPerTurn) {
    const { rows } = catalog.list({ projectIds, orderBy: 'name', direction: 'asc', offset, limit: rowsPerTurn });
    const entries = rows.flatMap(({ id, name, description, latest, publishedAt }) => {
      if (latest === null || hidden.has(id)) return [];
      const entry = { name, description, 'dist-tags': { latest }, time: { modified: isoTime(publishedAt) } };
      return [`,${JSON.stringify(name)}:${JSON.stringify(entry)}`];
    });
    pieces.push(Buffer.from(entries.join('')));
    if (rows.length < rowsPerTurn) break;
    await nextTurn();
  }
  pieces.push(Buffer.from('}'));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  call.res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': length });
  for (const piece of pieces) call.res.write(piece);
  call.res.end();
}

const mostListed = 100_000;
/** Packages that a list of all of them describes in one turn of the event loop. */
const rowsPerTurn = 500;

function presentHit(
  call: NpmCall,
  hit: SearchHit,
  version: VersionRow | undefined,
  relevance: number,
): Omit<AnswerOf<'SearchHit'>, 'downloads' | 'dependents'> {
  const { store, library } = call.registry.packages;
  const manifest = version ? (JSON.parse(version.manifest) as Record<string, unknown>) : {};
  const date = isoTime((version?.publishedAt ?? hit.publishedAt) - library.ageShiftOf(hit.projectId));
  const maintainers = store.maintainersOf(hit.packageId).map(({ username }) => personOf(username));
  const publisher = publisherOf(call, version?.publisherId ?? null) ?? maintainers[0];
  const scope = scopeOf(hit.name);
  return {
    package: {
      name: hit.name,
      scope: scope === null ? 'unscoped' : scope.slice(1),
      version: hit.latest,
      description: hit.description,
      keywords: [...hit.keywords],
      date,
      ...(typeof manifest['license'] === 'string' ? { license: manifest['license'] } : {}),
      links: linksOf(call, hit.name, manifest),
      ...authorOf(manifest),
      ...(publisher === undefined ? {} : { publisher }),
      maintainers,
    },
    flags: { insecure: 0, ...(version?.deprecated == null ? {} : { deprecated: version.deprecated }) },
    updated: date,
    // Packages have no ratings: every number that clients sort by is the relevance.
    score: { final: relevance, detail: { quality: relevance, popularity: relevance, maintenance: relevance } },
    searchScore: relevance,
  };
}

function publisherOf(call: NpmCall, userId: number | null) {
  const user = userId === null ? undefined : call.registry.directory.index.users.get(userId);
  return user && personOf(user.username);
}

function personOf(username: string): { username: string; email: string } {
  return { username, email: noReplyAddress(username) };
}

function linksOf(call: NpmCall, name: string, manifest: Record<string, unknown>): Record<string, string> {
  const links: Record<string, string> = { npm: `${baseOf(call)}/${name}` };
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
