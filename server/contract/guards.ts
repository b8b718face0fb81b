import { z } from 'zod';
import { protectionRules, tier } from './environments.ts';

// Guarded dist-tags: who may deploy to an environment may move the tags that it guards.

/** What a publish or a move of a tag becomes that a guard refuses: an error, or something that waits for approval. */
export const onRefusal = z.enum(['refuse', 'stage']);
export type OnRefusal = z.infer<typeof onRefusal>;

/** Dist-tags of a project's packages that are bound to an environment. */
export const tagGuard = z.object({
  id: z.int(),
  /** A dist-tag, or a pattern in which `*` stands for any characters. */
  pattern: z.string(),
  environment: z.string(),
  tier,
  /** Whether a protection applies to the environment; without one the role decides, as for any other tag. */
  protected: z.boolean(),
  /** Whether the person who asked for a release may approve it. */
  allowSelfApproval: z.boolean(),
  /** Whether those who may deploy need an approval as well; administrators never do. */
  deployersWait: z.boolean(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type TagGuardView = z.infer<typeof tagGuard>;

/** Whether a guard keeps anybody from anything. */
export function hasEffect(guard: Pick<TagGuardView, 'protected' | 'deployersWait'>): boolean {
  return guard.protected || guard.deployersWait;
}

/** What becomes of a publish with a dist-tag by one user, and why. */
export const publishPreview = z.object({
  user: z.object({ id: z.int(), username: z.string(), name: z.string() }),
  outcome: z.enum(['published', 'staged', 'refused']),
  /** A sentence for people. */
  reason: z.string(),
});
export type PublishPreview = z.infer<typeof publishPreview>;

const projectId = z.object({ projectId: z.int() });
const named = projectId.extend({ pattern: z.string().max(1000) });

export const guardMethods = {
  /** `tags` are dist-tags that the project's packages have, the most common first and `latest` always, to show what a pattern matches. */
  'guards.list': {
    input: projectId,
    output: z.object({ onRefusal, guards: z.array(tagGuard), tags: z.array(z.string()) }),
  },
  /**
   * Creates the guard of a pattern, or changes it, and with `onRefusal` the setting of the project; what is left out stays. With
   * `protection`, its environment is protected in the same step. With `updatedAt`, it is refused with `conflict` if the guard was changed
   * since then, or removed.
   */
  'guards.set': {
    input: named.extend({
      environment: z.string().max(1000),
      allowSelfApproval: z.boolean().optional(),
      deployersWait: z.boolean().optional(),
      onRefusal: onRefusal.optional(),
      protection: z.object(protectionRules).optional(),
      updatedAt: z.int().optional(),
    }),
    output: tagGuard,
  },
  /** With `unprotect`, its environment is unprotected in the same step, unless another guard of the project names it. */
  'guards.remove': { input: named.extend({ unprotect: z.boolean().optional() }), output: z.null() },
  /**
   * What happens if somebody runs `npm publish --tag TAG`, without doing it: one user, or everyone whose role lets them publish. `guard` is
   * the one that applies to the tag.
   */
  'guards.access': {
    input: projectId.extend({ tag: z.string().max(1000), userId: z.int().optional() }),
    output: z.object({ guard: tagGuard.nullable(), users: z.array(publishPreview) }),
  },
  'guards.settings': { input: projectId.extend({ onRefusal }), output: z.null() },
} as const;
