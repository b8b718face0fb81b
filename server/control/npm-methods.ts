import type { Actor } from '../accounts/change.ts';
import type { Project } from '../accounts/access/principal.ts';
import { GatehouseError } from '../contract/errors.ts';
import { noSuchStage } from '../registry/staging.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './call-method.ts';

const hour = 3_600_000;

/** What the window can do about versions that wait for approval. */
export function createStageMethods(registry: Registry, actor: Actor): MethodsOf<'stages'> {
  const { staging } = registry.npm;
  const projectPathOf = (projectId: number) => registry.directory.findProject(projectId)?.fullPath ?? '';
  return {
    'stages.list': ({ projectId, offset, limit }) => {
      const projectIds = projectId === undefined ? registry.directory.allProjects().map(({ id }) => id) : [projectId];
      const { total, rows } = staging.list({ projectIds, offset, limit });
      const stages = rows.map(({ id, projectId: inProject, actorName, createdAt, prepared }) => ({
        id,
        projectId: inProject,
        projectPath: projectPathOf(inProject),
        name: prepared.name,
        version: prepared.version.version,
        tags: [...prepared.tags],
        actor: actorName,
        createdAt,
        size: prepared.version.size,
        fileCount: prepared.version.fileCount,
        integrity: prepared.version.integrity,
      }));
      return { total, stages };
    },
    'stages.approve': async ({ id }) => {
      const staged = staging.find(id);
      if (!staged) throw noSuchStage(id);
      await staging.approve(id, requireProject(registry, staged.projectId), actor);
    },
    'stages.reject': ({ id }) => staging.reject(id, actor),
  };
}

/** What the window can set about the times that a project shows. */
export function createPublishAgeMethods(registry: Registry, actor: Actor): MethodsOf<'publishAge'> {
  const { publishAges } = registry.npm;
  return {
    'publishAge.get': ({ projectId }) => ({ hours: publishAges.of(requireProject(registry, projectId).id) / hour }),
    'publishAge.set': ({ projectId, hours }) =>
      publishAges.set(actor, requireProject(registry, projectId), hours * hour),
  };
}

function requireProject(registry: Registry, projectId: number): Project {
  const project = registry.directory.findProject(projectId);
  if (!project) throw new GatehouseError('project_not_found');
  return project;
}

/** What the window can do about an `npm login` that waits. */
export function createLoginMethods(registry: Registry, actor: Actor): MethodsOf<'login'> {
  const { logins } = registry.npm;
  return {
    'login.pending': () => logins.pending(),
    'login.approve': ({ id, userId = actor.userId ?? 0 }) => {
      const user = registry.people.users.get(userId);
      if (user.state === 'blocked') throw new GatehouseError('account_blocked', `${user.username} is blocked.`);
      logins.approve(id, user.id);
    },
    'login.deny': ({ id }) => logins.deny(id),
  };
}
