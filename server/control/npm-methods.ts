import type { Project } from '../accounts/access/principal.ts';
import type { Actor } from '../accounts/change.ts';
import { GatehouseError } from '../contract/errors.ts';
import { readAdvisoryFiles } from '../registry/advisories/advisory-files.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './call-method.ts';

const hour = 3_600_000;

/** Logins of npm, the age of publishes, known vulnerabilities. */
export function createNpmMethods(registry: Registry, actor: Actor): MethodsOf<'login' | 'publishAge' | 'advisories'> {
  const { logins, publishAges, advisories } = registry.npm;
  const projectOf = (projectId: number): Project => {
    const project = registry.directory.findProject(projectId);
    if (!project) throw new GatehouseError('project_not_found');
    return project;
  };
  return {
    'login.pending': () => logins.pending(),
    'login.approve': ({ id, userId = actor.userId ?? 0 }) => {
      const user = registry.people.users.get(userId);
      if (user.state === 'blocked') throw new GatehouseError('account_blocked', `@${user.username} is blocked.`);
      logins.approve(id, user.id);
    },
    'login.deny': ({ id }) => logins.deny(id),

    'publishAge.get': ({ projectId }) => ({ hours: publishAges.of(projectOf(projectId).id) / hour }),
    'publishAge.set': ({ projectId, hours }) => publishAges.set(actor, projectOf(projectId), hours * hour),

    'advisories.summary': () => advisories.summary,
    'advisories.import': ({ paths }) => advisories.importAll(actor, readAdvisoryFiles(paths)),
    'advisories.clear': async () => ({ advisories: await advisories.clear(actor) }),
  };
}
