import type { GuardPlanStep } from '../contract/environments.ts';
import type { Actor, Change } from '../accounts/change.ts';
import { byteOrder } from './deploy-access.ts';
import type { RulesFile } from './rules-file.ts';

type OnRefusal = NonNullable<RulesFile['on_refusal']>;

interface FileGuard {
  readonly pattern: string;
  readonly environment: string;
  readonly allowSelfApproval: boolean;
  readonly deployersWait: boolean;
}

/** The guarded dist-tags of projects, as far as a file of rules carries them. */
export interface GuardRules {
  of(projectId: number): { readonly onRefusal: OnRefusal; readonly guards: readonly FileGuard[] };
  setWithin(change: Change, actor: Actor, projectId: number, guard: FileGuard): unknown;
  removeWithin(change: Change, actor: Actor, projectId: number, pattern: string): void;
  setOnRefusalWithin(change: Change, actor: Actor, project: GuardedProject, onRefusal: OnRefusal): void;
}

interface GuardedProject {
  readonly id: number;
  readonly fullPath: string;
}

/** Guards and settings as a file has them; nothing for a project without any. */
export function guardsForFile(
  rules: GuardRules,
  projectId: number,
): Pick<RulesFile, 'on_refusal'> & { guards?: RulesFile['guards'] } {
  const { onRefusal, guards } = rules.of(projectId);
  const entries = guards.map(({ pattern, environment, allowSelfApproval, deployersWait }) => ({
    tag: pattern,
    environment,
    ...(allowSelfApproval ? { allow_self_approval: true } : {}),
    ...(deployersWait ? { deployers_wait: true } : {}),
  }));
  return {
    ...(entries.length > 0 ? { guards: entries } : {}),
    ...(onRefusal === 'refuse' ? {} : { on_refusal: onRefusal }),
  };
}

/**
 * Makes the guards of a project what a file says, inside a unit of work; a list or setting that the file leaves out stays.
 * @returns what changes
 */
export function applyGuards(
  rules: GuardRules,
  { change, actor, project }: { readonly change: Change; readonly actor: Actor; readonly project: GuardedProject },
  file: Pick<RulesFile, 'guards' | 'on_refusal'>,
): GuardPlanStep[] {
  const { onRefusal, guards } = rules.of(project.id);
  const steps = file.guards === undefined ? [] : planGuards(guards, file.guards.map(toGuard));
  // Those that go make room first.
  for (const { tag, after } of steps) if (after === null) rules.removeWithin(change, actor, project.id, tag);
  for (const guard of file.guards ?? []) rules.setWithin(change, actor, project.id, toGuard(guard));
  if (file.on_refusal === undefined || file.on_refusal === onRefusal) return steps;
  rules.setOnRefusalWithin(change, actor, project, file.on_refusal);
  return [...steps, { tag: null, before: onRefusal, after: file.on_refusal }];
}

function planGuards(before: readonly FileGuard[], after: readonly FileGuard[]): (GuardPlanStep & { tag: string })[] {
  const [was, is] = [labelsOf(before), labelsOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .toSorted(byteOrder)
    .map((tag) => ({ tag, before: was.get(tag) ?? null, after: is.get(tag) ?? null }))
    .filter((step) => step.before !== step.after);
}

function labelsOf(guards: readonly FileGuard[]): Map<string, string> {
  return new Map(
    guards.map(({ pattern, environment, allowSelfApproval, deployersWait }) => [
      pattern,
      `${environment}${allowSelfApproval ? ' with self-approval' : ''}${deployersWait ? ', deployers wait' : ''}`,
    ]),
  );
}

function toGuard(guard: NonNullable<RulesFile['guards']>[number]): FileGuard {
  const {
    tag,
    environment,
    allow_self_approval: allowSelfApproval = false,
    deployers_wait: deployersWait = false,
  } = guard;
  return { pattern: tag, environment, allowSelfApproval, deployersWait };
}
