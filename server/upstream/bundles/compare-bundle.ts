import type { Project } from '../../accounts/access/principal.ts';
import type { BundleEntry } from '../../contract/upstream.ts';
import { nameProblem } from '../../registry/package-name.ts';
import { isValidVersion } from '../../registry/package-version.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { Upstreams } from '../upstreams.ts';
import type { BundleContents, BundleVersion } from './bundle-format.ts';

export interface CompareContext extends Pick<UpstreamContext, 'packages' | 'store'> {
  readonly upstreams: Upstreams;
  readonly rootNamespaceOf: (projectId: number) => number;
}

type Outcome = Pick<BundleEntry, 'verdict' | 'explanation'>;

/** What an import would do with each version of a bundle. What is here always stays as it is. */
export function compareBundle(context: CompareContext, { packages }: BundleContents, project: Project): BundleEntry[] {
  return packages.flatMap(({ name, origin, versions }) =>
    versions.map((version) => ({
      name,
      version: version.version,
      origin,
      size: version.size,
      ...(origin === 'local' ? compareLocal(context, name, version, project) : compareCached(context, name, version)),
    })),
  );
}

function compareLocal(
  { packages, rootNamespaceOf }: CompareContext,
  name: string,
  { version, sha512 }: BundleVersion,
  project: Project,
): Outcome {
  const problem = nameProblem(name);
  if (problem !== undefined) return { verdict: 'refused', explanation: `${name} can't be a package here: ${problem}.` };
  if (!isValidVersion(version)) return { verdict: 'refused', explanation: `${version} is no version.` };
  const row = packages.findPackage(project.id, name);
  const present = row && packages.findVersion(row.id, version);
  if (present?.tarballSha512 === sha512) return { verdict: 'same', explanation: 'It is here with the same bytes.' };
  if (present) {
    const explanation = `It is here with other bytes (${present.integrity}), which stay as they are.`;
    return { verdict: 'conflict', explanation };
  }
  const elsewhere = packages.projectWithSameVersion(rootNamespaceOf(project.id), project.id, name, version);
  if (elsewhere !== undefined) {
    return { verdict: 'refused', explanation: `It is in the project ${elsewhere} of the same group.` };
  }
  return { verdict: 'new', explanation: `It will be published to ${project.fullPath}.` };
}

function compareCached(
  { packages, store, upstreams }: CompareContext,
  name: string,
  { version, sha512 }: BundleVersion,
): Outcome {
  if (packages.packagesNamed(name).length > 0) {
    return { verdict: 'refused', explanation: 'A package of this registry has this name, and local packages win.' };
  }
  if (nameProblem(name) !== undefined || !isValidVersion(version)) {
    return { verdict: 'refused', explanation: 'Its name or version is not valid here.' };
  }
  const archive = upstreams.all.find((upstream) => upstream.kind === 'archive');
  const present = archive && store.tarball(archive.id, name, version);
  if (present?.sha512 === sha512) return { verdict: 'same', explanation: 'It is cached with the same bytes.' };
  if (present) {
    return {
      verdict: 'conflict',
      explanation: 'It is cached with other bytes from another bundle, which stay as they are.',
    };
  }
  return { verdict: 'new', explanation: 'It will be cached for clients to install.' };
}
