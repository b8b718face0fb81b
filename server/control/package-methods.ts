import type { Actor } from '../accounts/change.ts';
import { describePackage } from '../registry/packuments/package-catalog.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './method-types.ts';

/** What the window can ask and change about packages. It acts as the desktop's own user, who may do everything. */
export function createPackageMethods(registry: Registry, actor: Actor): MethodsOf<'packages'> {
  const { packages, directory } = registry;
  const projectPathOf = (projectId: number) => directory.findProject(projectId)?.fullPath ?? '';
  return {
    'packages.list': ({ projectId, ...query }) => {
      const { total, rows } = packages.catalog.list({
        ...query,
        projectIds: projectId === undefined ? undefined : [projectId],
      });
      return { total, packages: rows.map((row) => ({ ...row, projectPath: projectPathOf(row.projectId) })) };
    },
    'packages.get': ({ packageId }) =>
      describePackage(packageId, {
        catalog: packages.catalog,
        store: packages.store,

        projectPathOf,
      }),
    'packages.setTag': async ({ packageId, tag, version }) => {
      await packages.editor.setTag(packageId, tag, version, actor);
      return null;
    },
    'packages.removeTag': async ({ packageId, tag }) => {
      await packages.editor.removeTag(packageId, tag, actor);
      return null;
    },
    'packages.deprecate': async ({ packageId, versions, message }) => {
      await packages.editor.deprecate(packageId, new Map(versions.map((version) => [version, message])), actor);
      return null;
    },
    'packages.unpublishVersion': async ({ packageId, version }) => {
      await packages.editor.unpublishVersion(packageId, version, actor);
      return null;
    },
    'packages.unpublish': async ({ packageId }) => {
      await packages.editor.unpublishPackage(packageId, actor);
      return null;
    },
  };
}
