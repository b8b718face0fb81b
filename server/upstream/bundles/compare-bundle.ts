import type { Project } from '../../accounts/access/principal.ts';
import type { BundleEntry } from '../../contract/bundles.ts';
import { nextTurn } from '../../lib/turns.ts';
import { nameProblem } from '../../registry/package-name.ts';
import { isValidVersion } from '../../registry/package-version.ts';
import { isObject } from '../proxy/foreign-packument.ts';
import type { PackumentCache } from '../proxy/packument-cache.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { Upstreams } from '../upstreams.ts';
import type { BundleContents, BundleVersion } from './bundle-format.ts';

export interface CompareContext extends Pick<UpstreamContext, 'packages' | 'owners' | 'store'> {
  readonly upstreams: Upstreams;
  readonly packumentCache: Pick<PackumentCache, 'raw'>;
}

/** Each takes some look-ups in the database. */
const versionsPerTurn = 50;

type Outcome = Pick<BundleEntry, 'verdict' | 'explanation'>;

/** What an import would do with each version of a bundle. What is here always stays as it is. */
export async function compareBundle(
  context: CompareContext,
  { packages }: BundleContents,
  project: Project,
): Promise<BundleEntry[]> {
  const entries: BundleEntry[] = [];
  for (const { name, origin, versions } of packages) {
    const cached = origin === 'cache' ? await cachedPackage(context, name) : undefined;
    for (const version of versions) {
      if (entries.length % versionsPerTurn === versionsPerTurn - 1) await nextTurn();
      const outcome = cached
        ? compareCached(context, cached, name, version)
        : compareLocal(context, name, version, project);
      entries.push({ name, version: version.version, origin, size: version.size, ...outcome });
    }
  }
  return entries;
}

/** What earlier imports left of a package of another registry. */
interface CachedPackage {
  readonly archiveId: number | undefined;
  /** Versions that clients are shown. */
  readonly shown: Readonly<Record<string, unknown>>;
}

async function cachedPackage({ upstreams, packumentCache }: CompareContext, name: string): Promise<CachedPackage> {
  const archiveId = upstreams.all.find((upstream) => upstream.kind === 'archive')?.id;
  const document = archiveId === undefined ? undefined : await packumentCache.raw(archiveId, name);
  return { archiveId, shown: isObject(document) && isObject(document['versions']) ? document['versions'] : {} };
}

function compareLocal(
  { packages, owners }: CompareContext,
  name: string,
  { version, sha512 }: BundleVersion,
  project: Project,
): Outcome {
  const problem = nameProblem(name);
  if (problem !== undefined) return { verdict: 'refused', explanation: `${name} can't be a package here: ${problem}.` };
  if (!isValidVersion(version)) return { verdict: 'refused', explanation: `${version} is no version.` };
  const row = packages.findPackage(project.id, name);
  const present = row && packages.findVersion(row.id, version);
  if (present?.tarballSha512 === sha512) return { verdict: 'same', explanation: 'Already here.' };
  if (present) {
    const explanation = `It is here with other bytes (${present.integrity}), which stay as they are.`;
    return { verdict: 'conflict', explanation };
  }
  if (owners.otherProjectWith(project.id, name, version) !== undefined) {
    return { verdict: 'refused', explanation: 'It is in another project of the same group.' };
  }
  return { verdict: 'new', explanation: `Goes to ${project.fullPath}` };
}

function compareCached(
  { packages, owners, store }: CompareContext,
  { archiveId, shown }: CachedPackage,
  name: string,
  { version, sha512, manifest }: BundleVersion,
): Outcome {
  if (owners.claimOf(name) && packages.packagesNamed(name).length > 0) {
    return { verdict: 'refused', explanation: 'A package of this registry has this name, which is claimed.' };
  }
  if (nameProblem(name) !== undefined || !isValidVersion(version)) {
    return { verdict: 'refused', explanation: 'Its name or version is not valid here.' };
  }
  if (manifest['name'] !== name || manifest['version'] !== version) {
    return { verdict: 'refused', explanation: 'Its manifest is that of another package or version.' };
  }
  const present = archiveId === undefined ? undefined : store.tarball(archiveId, name, version);
  // One whose tarball came with an import that did not end is not shown to clients yet.
  if (present?.sha512 === sha512 && Object.hasOwn(shown, version)) {
    return { verdict: 'same', explanation: 'Already here.' };
  }
  if (present && present.sha512 !== sha512) {
    return {
      verdict: 'conflict',
      explanation: 'It is cached with other bytes from another bundle, which stay as they are.',
    };
  }
  return { verdict: 'new', explanation: 'Goes to the cache' };
}
