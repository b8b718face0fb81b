import type { Actor } from '../accounts/change.ts';
import { describeGuard } from '../guards/describe-guard.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './call-method.ts';
import { toChanges } from './environment-methods.ts';

/** Names of tags that show what a pattern matches. */
const shownTags = 200;

const ownerOf = (projectId: number) => ({ kind: 'project', id: projectId }) as const;

/** Guards of dist-tags. */
export function createGuardMethods(registry: Registry, actor: Actor): MethodsOf<'guards'> {
  const { guards, previews } = registry.guards;
  const { projects } = registry.people;
  const { access, protections } = registry.environments;
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
    'guards.set': async ({ projectId, onRefusal, protection, ...input }) => {
      const project = projects.get(projectId);
      const guard = await registry.unitOfWork.write((change) => {
        if (protection !== undefined) {
          const environment = { name: input.environment, ...toChanges(protection) };
          protections.protectWithin(change, actor, ownerOf(project.id), environment);
        }
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
    'guards.remove': async ({ projectId, pattern, unprotect = false }) => {
      const { id } = projects.get(projectId);
      await registry.unitOfWork.write((change) => {
        const { environment } = guards.removeWithin(change, actor, id, pattern);
        const isUsed = guards.of(id).guards.some((guard) => guard.environment === environment);
        const isProtected = protections.list(ownerOf(id)).some(({ name }) => name === environment);
        if (unprotect && isProtected && !isUsed) protections.unprotectWithin(change, actor, ownerOf(id), environment);
      });
    },
    'guards.settings': ({ projectId, onRefusal }) => guards.setOnRefusal(actor, projects.get(projectId), onRefusal),
  };
}
