import type { BundleEntry } from '../../contract/upstream.ts';
import type { Project } from '../../accounts/access/principal.ts';
import { nameProblem } from '../../registry/package-name.ts';
import type { PackageStore } from '../../registry/package-store.ts';
import { isValidVersion } from '../../registry/package-version.ts';
import type { UpstreamStore } from '../upstream-store.ts';
import type { Upstreams } from '../upstreams.ts';
import type { BundleVersion } from './bundle-format.ts';
import type { ReadBundle } from './bundle-reader.ts';

export interface JudgeOptions {
  readonly packages: PackageStore;
  readonly store: UpstreamStore;
  readonly upstreams: Upstreams;
  readonly rootNamespaceOf: (projectId: number) => number;
}

type Judgement = Pick<BundleEntry, 'verdict' | 'explanation'>;

/** Compares a bundle with what is here: what is here always stays as it is. */
export class BundleJudge {
  readonly #options: JudgeOptions;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** What an import would do with each version of a bundle. */
  entriesOf({ contents }: ReadBundle, project: Project): BundleEntry[] {
    return contents.packages.flatMap((found) =>
      found.versions.map((version) => {
        const { verdict, explanation } =
          found.origin === 'local'
            ? this.#judgeLocal(found.name, version, project)
            : this.#judgeKept(found.name, version);
        return {
          name: found.name,
          version: version.version,
          origin: found.origin,
          size: version.size,
          verdict,
          explanation,
        };
      }),
    );
  }

  #judgeLocal(name: string, { version, sha512 }: BundleVersion, project: Project): Judgement {
    const { packages, rootNamespaceOf } = this.#options;
    const problem = nameProblem(name);
    if (problem !== undefined)
      return { verdict: 'refused', explanation: `${name} can't be a package here: ${problem}.` };
    if (!isValidVersion(version)) return { verdict: 'refused', explanation: `${version} is no version.` };
    const row = packages.findPackage(project.id, name);
    const present = row && packages.findVersion(row.id, version);
    if (present) {
      return present.tarballSha512 === sha512
        ? { verdict: 'same', explanation: 'It is here with the same bytes.' }
        : {
            verdict: 'conflict',
            explanation: `It is here with other bytes (${present.integrity}); it is left as it is.`,
          };
    }
    const elsewhere = packages.projectWithSameVersion(rootNamespaceOf(project.id), project.id, name, version);
    if (elsewhere !== undefined) {
      return { verdict: 'refused', explanation: `It is in the project ${elsewhere} of the same group.` };
    }
    return { verdict: 'new', explanation: `It will be published to ${project.fullPath}.` };
  }

  #judgeKept(name: string, { version, sha512 }: BundleVersion): Judgement {
    const { packages, store, upstreams } = this.#options;
    if (packages.packagesNamed(name).length > 0) {
      return { verdict: 'refused', explanation: 'A package of this registry has this name, and it wins.' };
    }
    if (nameProblem(name) !== undefined || !isValidVersion(version)) {
      return { verdict: 'refused', explanation: 'It has no name or version that a package can have.' };
    }
    const archive = upstreams.all.find((upstream) => upstream.kind === 'archive');
    const present = archive && store.tarball(archive.id, name, version);
    if (present) {
      return present.sha512 === sha512
        ? { verdict: 'same', explanation: 'It is kept with the same bytes.' }
        : { verdict: 'conflict', explanation: 'It is kept with other bytes from another bundle; it is left as it is.' };
    }
    return { verdict: 'new', explanation: 'It will be kept for clients to install.' };
  }
}
