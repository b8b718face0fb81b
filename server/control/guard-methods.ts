import type { Actor } from '../accounts/change.ts';
import { describeGuard } from '../guards/describe-guard.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './call-method.ts';

/** Names of tags that show what a pattern matches. */
const shownTags = 200;

/** Guards of dist-tags. */
export function createGuardMethods(registry: Registry, actor: Actor): MethodsOf<'guards'> {
  const { guards, previews } = registry.guards;
  const { projects } = registry.people;
  const { access } = registry.environments;
  return {
    'guards.list': ({ projectId }) => {
      const set = guards.of(projects.get(projectId).id);
      const tags = registry.packages.store.tagNamesIn(projectId, shownTags);
      return {
        ...set,
        guards: set.guards.map((guard) => describeGuard(access, guard)),
        tags: [...new Set(['latest', ...tags])],
      };
    },
    'guards.set': async ({ projectId, onRefusal, ...input }) => {
      const project = projects.get(projectId);
      const guard = await registry.unitOfWork.write((change) => {
        if (onRefusal !== undefined) guards.setOnRefusalWithin(change, actor, project, onRefusal);
        return guards.setWithin(change, actor, project.id, input);
      });
      return describeGuard(access, guard);
    },
    'guards.access': async ({ projectId, tag, userId }) => {
      const project = projects.get(projectId);
      const guard = guards.forTag(project.id, tag);
      const users =
        userId === undefined ? await previews.ofEveryone(project, tag) : [previews.ofUser(project, tag, userId)];
      return { guard: guard ? describeGuard(access, guard) : null, users };
    },
    'guards.remove': ({ projectId, pattern }) => guards.remove(actor, projects.get(projectId).id, pattern),
    'guards.settings': ({ projectId, onRefusal }) => guards.setOnRefusal(actor, projects.get(projectId), onRefusal),
  };
}
