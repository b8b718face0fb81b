import type { Actor } from '../accounts/change.ts';
import { GatehouseError } from '../contract/errors.ts';
import { packedFileName } from '../registry/package-name.ts';
import type { VersionRow } from '../registry/package-store.ts';
import { describeDependencies, describeDependents } from '../registry/packuments/dependencies.ts';
import { describePackage, describeVersion } from '../registry/packuments/package-catalog.ts';
import { listTarball, readTarballFile } from '../registry/packuments/tarball-contents.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './call-method.ts';

/** Packages, their versions, tags and contents. */
export function createPackageMethods(registry: Registry, actor: Actor): MethodsOf<'packages' | 'contents'> {
  const { packages, directory } = registry;
  const { store, tarballs, dependents } = packages;
  const projectPathOf = (projectId: number) => directory.findProject(projectId)?.fullPath ?? '';
  const versionOf = (packageId: number, version: string): VersionRow => {
    const row = store.findVersion(packageId, version);
    if (!row) throw new GatehouseError('package_not_found', `Version ${version} no longer exists.`);
    return row;
  };
  return {
    'packages.list': ({ projectId, ...query }) => {
      const { total, rows } = packages.catalog.list({
        ...query,
        projectIds: projectId === undefined ? undefined : [projectId],
      });
      return { total, packages: rows.map((row) => ({ ...row, projectPath: projectPathOf(row.projectId) })) };
    },
    'packages.get': ({ packageId }) =>
      describePackage(packageId, { catalog: packages.catalog, store: packages.store, projectPathOf }),
    'packages.version': ({ packageId, version }) => describeVersion(packageId, version, packages),
    'packages.setTag': ({ packageId, tag, version, expected }) =>
      packages.editor.setTag(packageId, tag, version, actor, expected),
    'packages.removeTag': ({ packageId, tag, expected }) => packages.editor.removeTag(packageId, tag, actor, expected),
    'packages.deprecate': async ({ packageId, messages, expected }) => {
      await packages.editor.deprecate(packageId, new Map(Object.entries(messages)), actor, { expected });
    },
    'packages.unpublishVersions': ({ packageId, versions }) =>
      packages.unpublisher.unpublishVersions(packageId, [...new Set(versions)], actor),
    'packages.previewUnpublish': ({ packageId, versions }) =>
      packages.unpublisher.previewUnpublish(packageId, versions),
    'packages.unpublish': ({ packageId }) => packages.unpublisher.unpublishPackage(packageId, actor),

    'contents.files': async ({ packageId, version }) => ({
      files: await listTarball(tarballs.open(versionOf(packageId, version).tarballSha512)),
    }),
    'contents.file': ({ packageId, version, path }) =>
      readTarballFile(tarballs.open(versionOf(packageId, version).tarballSha512), path),
    'contents.tarball': ({ packageId, version }) => {
      const row = versionOf(packageId, version);
      const name = store.getPackage(packageId)?.name ?? '';
      return { file: tarballs.pathOf(row.tarballSha512), name: packedFileName(name, row.version) };
    },
    'contents.dependencies': ({ packageId, version }) => {
      const row = versionOf(packageId, version);
      const owner = store.getPackage(packageId);
      if (!owner) throw new GatehouseError('package_not_found', 'This package no longer exists.');
      const manifest = JSON.parse(row.manifest) as Record<string, unknown>;
      return {
        dependencies: describeDependencies(manifest, dependents, owner.projectId),
        dependents: describeDependents(owner.name, version, dependents),
      };
    },
  };
}
