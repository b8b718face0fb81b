import { GatehouseError } from '../contract/errors.ts';
import { describeDependencies, describeDependents } from '../registry/packuments/dependencies.ts';
import type { VersionRow } from '../registry/package-store.ts';
import { listTarball, readTarballFile } from '../registry/packuments/tarball-contents.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './method-types.ts';

/** What the window can ask about the inside of a version. */
export function createContentMethods({ packages }: Registry): MethodsOf<'contents'> {
  const { store, tarballs, dependents } = packages;
  const versionOf = (packageId: number, version: string): VersionRow => {
    const row = store.findVersion(packageId, version);
    if (!row) throw new GatehouseError('package_not_found', `Version ${version} is not there any more.`);
    return row;
  };
  return {
    'contents.files': async ({ packageId, version }) => ({
      files: await listTarball(tarballs.open(versionOf(packageId, version).tarballSha512)),
    }),
    'contents.file': ({ packageId, version, path }) =>
      readTarballFile(tarballs.open(versionOf(packageId, version).tarballSha512), path),
    'contents.dependencies': ({ packageId, version }) => {
      const row = versionOf(packageId, version);
      const owner = store.getPackage(packageId);
      if (!owner) throw new GatehouseError('package_not_found', 'This package is not there any more.');
      const manifest = JSON.parse(row.manifest) as Record<string, unknown>;
      return {
        dependencies: describeDependencies(manifest, dependents, owner.projectId),
        dependents: describeDependents(owner.name, version, dependents),
      };
    },
  };
}
