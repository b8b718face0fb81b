import { levelInProject } from '../../accounts/access/authorize.ts';
import { maySee } from '../../accounts/access/policy.ts';
import type { Principal } from '../../accounts/access/principal.ts';
import type { PackageRow } from '../../registry/package-store.ts';
import type { Call } from '../caller.ts';

/**
 * Of packages of a name that the caller may read, those that the address of the instance means. Any account can make packages that
 * administrators see, so these come last, and not at all where an upstream may have the name.
 */
export function meantAtInstance(call: Call, name: string, readable: readonly PackageRow[]): PackageRow[] {
  const { owners } = call.registry.packages;
  const { forwarding } = call.registry.upstream;
  if (forwarding.isOfUpstream(name)) return owners.select(readable.filter((row) => isOwnPackage(call, row)));
  return owners.selectTrusted(readable, (row) => seesAsUser(call, row), forwarding.mayRequest(name));
}

/**
 * Whether a package is in a project of which the caller is a member. Where its scope is an upstream's, only projects below a namespace
 * that an administrator confirmed count: members are not asked whether they want to be.
 */
export function isOwnPackage(
  { registry, principal }: Call,
  { name, projectId }: Pick<PackageRow, 'name' | 'projectId'>,
): boolean {
  const { directory, packages, upstream } = registry;
  if (levelInProject(directory, principal, { id: projectId }) === 0) return false;
  return !upstream.forwarding.isOfUpstream(name) || packages.owners.isConfirmed(projectId);
}

/** Ids of the packages in some projects that the address of the instance does not mean, since their scope is an upstream's. */
export function shadowedByUpstream(call: Call, projectIds: readonly number[]): number[] {
  const { store } = call.registry.packages;
  const { forwarding } = call.registry.upstream;
  if (!forwarding.isOn) return [];
  const readable = new Set(projectIds);
  const scopes = store.scopesOfProjects().filter(({ scope, projectId }) => {
    const name = `${scope}/`;
    return readable.has(projectId) && forwarding.isOfUpstream(name) && !isOwnPackage(call, { name, projectId });
  });
  return scopes.length === 0 ? [] : store.packagesOfScopes(scopes);
}

/** Whether the caller may see a package without being an administrator. */
function seesAsUser({ registry: { directory }, principal }: Call, { projectId }: PackageRow): boolean {
  if (principal.kind === 'anonymous' || !principal.user.isAdmin) return true;
  const project = directory.findProject(projectId);
  const ordinary: Principal = { ...principal, user: { ...principal.user, isAdmin: false } };
  return project !== undefined && maySee(ordinary, levelInProject(directory, principal, project), project.visibility);
}
