import type { Project } from '../accounts/access/principal.ts';
import type { Actor } from '../accounts/change.ts';
import { GatehouseError } from '../contract/errors.ts';
import { integrityOf } from '../lib/integrity.ts';
import { readAdvisoryFiles } from '../registry/advisories/advisory-files.ts';
import { noSuchStage } from '../registry/staging.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './call-method.ts';

const hour = 3_600_000;

/** Logins of npm, versions staged for approval, the age of publishes, known vulnerabilities. */
export function createNpmMethods(
  registry: Registry,
  actor: Actor,
): MethodsOf<'login' | 'stages' | 'publishAge' | 'advisories'> {
  const { logins, staging, publishAges, advisories } = registry.npm;
  const projectOf = (projectId: number): Project => {
    const project = registry.directory.findProject(projectId);
    if (!project) throw new GatehouseError('project_not_found');
    return project;
  };
  return {
    'login.pending': () => logins.pending(),
    'login.approve': ({ id, userId = actor.userId ?? 0 }) => {
      const user = registry.people.users.get(userId);
      if (user.state === 'blocked') throw new GatehouseError('account_blocked', `${user.username} is blocked.`);
      logins.approve(id, user.id);
    },
    'login.deny': ({ id }) => logins.deny(id),

    'stages.list': ({ projectId, offset, limit }) => {
      const projectIds = projectId === undefined ? registry.directory.allProjects().map(({ id }) => id) : [projectId];
      const { total, rows } = staging.list({ projectIds, offset, limit });
      const stages = rows.map(({ tags, digests, actorName, actorId: _actorId, ...row }) => ({
        ...row,
        projectPath: registry.directory.findProject(row.projectId)?.fullPath ?? '',
        tags: [...tags],
        actor: actorName,
        size: digests.size,
        integrity: integrityOf(digests.sha512),
      }));
      return { total, stages };
    },
    'stages.approve': async ({ id }) => {
      const staged = staging.find(id);
      if (!staged) throw noSuchStage(id);
      await staging.approve(id, projectOf(staged.projectId), actor);
    },
    'stages.reject': ({ id }) => staging.reject(id, actor),

    'publishAge.get': ({ projectId }) => ({ hours: publishAges.of(projectOf(projectId).id) / hour }),
    'publishAge.set': ({ projectId, hours }) => publishAges.set(actor, projectOf(projectId), hours * hour),

    'advisories.summary': () => advisories.summary,
    'advisories.import': ({ paths }) => advisories.importAll(actor, readAdvisoryFiles(paths)),
    'advisories.clear': async () => ({ advisories: await advisories.clear(actor) }),
  };
}
