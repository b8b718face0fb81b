import { onRefusal } from '../../../contract/guards.ts';
import { authorizeInstance } from '../../../accounts/access/authorize.ts';
import { describeGuard } from '../../../guards/describe-guard.ts';
import type { TagGuard } from '../../../guards/records.ts';
import type { AnswerOf } from '../../openapi/schemas.ts';
import { type Answer, created, noContent, ok } from '../../respond.ts';
import { type GitlabCall, type GitlabRoute, pageOf, projectOf, read } from '../call.ts';
import { boolean, choice, type Declaration, integer, text, type Values } from '../params.ts';
import { timeText } from '../present-directory.ts';
import { visibleGroups } from '../../visibility.ts';

const packages = '/projects/:id/packages/npm';

const values = {
  environment: text({ required: true }),
  allow_self_approval: boolean(),
  deployers_wait: boolean(),
} satisfies Declaration;
const newGuard = { pattern: text({ required: true }), ...values } satisfies Declaration;
const settings = { on_refusal: choice(onRefusal.options) } satisfies Declaration;
const preview = { user_id: integer(), tag: text({ required: true }) } satisfies Declaration;

/** Guarded dist-tags. Package managers ask for packages at some of these addresses; `http/npm/project-calls.ts` tells them apart. */
export const guardRoutes: readonly GitlabRoute[] = [
  {
    pattern: `${packages}/guards`,
    GET: {
      handle: listGuards,
      summary: 'List the guards of a project',
      access: 'guards.read',
      paged: true,
      answers: { 200: 'TagGuard[]' },
    },
    POST: {
      handle: createGuard,
      summary: 'Guard dist-tags',
      description:
        'Those that the pattern fits move only with a user who can deploy to the environment. A guard of the same pattern is changed.',
      access: 'guards.write',
      parameters: newGuard,
      answers: { 201: 'TagGuard' },
      errors: [409, 422],
    },
  },
  {
    pattern: `${packages}/guards/:pattern`,
    GET: {
      handle: getGuard,
      summary: 'Show a guard',
      access: 'guards.read',
      answers: { 200: 'TagGuard' },
    },
    PUT: {
      handle: setGuard,
      summary: 'Set a guard',
      access: 'guards.write',
      parameters: values,
      answers: { 200: 'TagGuard' },
      errors: [409, 422],
    },
    DELETE: {
      handle: deleteGuard,
      summary: 'Remove a guard',
      access: 'guards.write',
      answers: { 204: 'nothing' },
    },
  },
  {
    pattern: `${packages}/-/guard_settings`,
    GET: {
      handle: getSettings,
      summary: 'Show what becomes of what a guard refuses',
      access: 'guards.read',
      answers: { 200: 'GuardSettings' },
    },
    PUT: {
      handle: setSettings,
      summary: 'Decide what becomes of what a guard refuses',
      access: 'guards.write',
      parameters: settings,
      answers: { 200: 'GuardSettings' },
    },
  },
  {
    pattern: `${packages}/access`,
    GET: {
      handle: previewPublish,
      summary: 'Ask what a publish with a dist-tag would become',
      description:
        'For one user, or for everyone whose role lets them publish. Maintainers can ask about everyone, others about themselves.',
      access: 'guards.read',
      parameters: preview,
      answers: { 200: 'PublishPreviews' },
    },
  },
];

function listGuards(call: GitlabCall): Answer {
  const project = projectOf(call, 'guards.read');
  return pageOf(call, call.registry.guards.guards.of(project.id).guards, (guard) => present(call, guard));
}

async function createGuard(call: GitlabCall): Promise<Answer> {
  const project = projectOf(call, 'guards.write');
  const { pattern, ...input } = read(call, newGuard);
  return created(present(call, await set(call, project.id, pattern ?? '', input)));
}

function getGuard(call: GitlabCall): Answer {
  const project = projectOf(call, 'guards.read');
  return ok(present(call, call.registry.guards.guards.get(project.id, patternOf(call))));
}

async function setGuard(call: GitlabCall): Promise<Answer> {
  const project = projectOf(call, 'guards.write');
  return ok(present(call, await set(call, project.id, patternOf(call), read(call, values))));
}

async function deleteGuard(call: GitlabCall): Promise<Answer> {
  const project = projectOf(call, 'guards.write');
  await call.registry.guards.guards.remove(call.actor, project.id, patternOf(call));
  return noContent;
}

function set(call: GitlabCall, projectId: number, pattern: string, input: Values<typeof values>): Promise<TagGuard> {
  return call.registry.guards.guards.set(call.actor, projectId, {
    pattern,
    environment: input.environment ?? '',
    allowSelfApproval: input.allow_self_approval ?? undefined,
    deployersWait: input.deployers_wait ?? undefined,
  });
}

function getSettings(call: GitlabCall): Answer {
  const project = projectOf(call, 'guards.read');
  return ok({ on_refusal: call.registry.guards.guards.onRefusal(project.id) });
}

async function setSettings(call: GitlabCall): Promise<Answer> {
  const project = projectOf(call, 'guards.write');
  const { on_refusal: wanted } = read(call, settings);
  if (wanted) await call.registry.guards.guards.setOnRefusal(call.actor, project, wanted);
  return ok({ on_refusal: call.registry.guards.guards.onRefusal(project.id) });
}

/** What `npm publish --tag TAG` would become. Maintainers may ask about everyone, others about themselves. */
async function previewPublish(call: GitlabCall): Promise<Answer> {
  const project = projectOf(call, 'guards.read');
  const self = authorizeInstance(call.principal, 'read').user.id;
  const { user_id: userId } = read(call, { user_id: preview.user_id });
  if (userId !== self) projectOf(call, 'deploy_access.read');
  const { tag } = read(call, preview);
  const { previews } = call.registry.guards;
  const isVisible = visibleGroups(call);
  if (typeof userId === 'number') return ok(previews.ofUser(project, tag ?? '', userId, isVisible));
  return ok(await previews.ofEveryone(project, tag ?? '', isVisible));
}

function patternOf({ path }: GitlabCall): string {
  return path['pattern'] ?? '';
}

function present({ registry }: GitlabCall, guard: TagGuard): AnswerOf<'TagGuard'> {
  const {
    id,
    pattern,
    environment,
    tier,
    protected: isProtected,
    allowSelfApproval,
    deployersWait,
    createdAt,
    updatedAt,
  } = describeGuard(registry.environments.access, guard);
  return {
    id,
    pattern,
    environment,
    tier,
    protected: isProtected,
    allow_self_approval: allowSelfApproval,
    deployers_wait: deployersWait,
    created_at: timeText(createdAt),
    updated_at: timeText(updatedAt),
  };
}
