import { isDeepStrictEqual } from 'node:util';
import { GatehouseError } from '../contract/errors.ts';
import type { OnRefusal } from '../contract/guards.ts';
import type { Actor, Change, UnitOfWork } from '../accounts/change.ts';
import { refuseUnprocessable } from '../accounts/naming.ts';
import { protectionNameComplaints } from '../environments/naming.ts';
import { tagProblem } from '../registry/package-version.ts';
import { shorten } from '../lib/printable.ts';
import type { GuardStore } from './guard-store.ts';
import type { GuardSet, TagGuard } from './records.ts';
import { selectGuard } from '../contract/select-guard.ts';

/** Guards that one project can have: each write to a package looks through them. */
export const maximumGuards = 100;

export interface GuardInput {
  readonly pattern: string;
  readonly environment: string;
  /** Stays as it is if undefined; false for a new guard. */
  readonly allowSelfApproval?: boolean | undefined;
  /** As above. */
  readonly deployersWait?: boolean | undefined;
  /** The time of the last change that the caller has seen. */
  readonly updatedAt?: number | undefined;
}

/** The guards of projects: which environment decides about which dist-tags. Callers have authorised the actor. */
export class Guards {
  readonly #store: GuardStore;
  readonly #unitOfWork: UnitOfWork;

  constructor(store: GuardStore, unitOfWork: UnitOfWork) {
    this.#store = store;
    this.#unitOfWork = unitOfWork;
  }

  /** In the byte order of their patterns. */
  of(projectId: number): GuardSet {
    return { onRefusal: this.onRefusal(projectId), guards: this.#store.guards(projectId) };
  }

  /** What a change becomes that a guard refuses. Each publish asks, so it reads no guards. */
  onRefusal(projectId: number): OnRefusal {
    return this.#store.onRefusal(projectId);
  }

  /** @throws GatehouseError `not_found`. */
  get(projectId: number, pattern: string): TagGuard {
    const guard = this.#store.guard(projectId, pattern);
    if (!guard) throw new GatehouseError('not_found', `There is no guard for "${shorten(pattern)}" in this project.`);
    return guard;
  }

  /** The guard that applies to a dist-tag of the project's packages. */
  forTag(projectId: number, tag: string): TagGuard | undefined {
    return selectGuard(this.#store.guards(projectId), tag);
  }

  /**
   * Binds a pattern to an environment, which need not exist, or changes how it is bound.
   * @throws GatehouseError `unprocessable` with every complaint, or `conflict` if the guard was changed since `updatedAt`.
   */
  set(actor: Actor, projectId: number, input: GuardInput): Promise<TagGuard> {
    return this.#unitOfWork.write((change) => this.setWithin(change, actor, projectId, input));
  }

  /** `set` as a part of a larger change. */
  setWithin(change: Change, actor: Actor, projectId: number, input: GuardInput): TagGuard {
    const { pattern, environment } = input;
    refuseUnprocessable([...patternComplaints(pattern), ...environmentComplaints(environment)]);
    const before = this.#store.guard(projectId, pattern);
    if (input.updatedAt !== undefined && input.updatedAt !== before?.updatedAt) {
      throw new GatehouseError(
        'conflict',
        `The guard of "${shorten(pattern)}" was changed or removed since you opened it. Reload and try again.`,
      );
    }
    if (!before && this.#store.guards(projectId).length >= maximumGuards) {
      refuseUnprocessable([`A project can have at most ${maximumGuards} guards`]);
    }
    const settings = {
      environment,
      allowSelfApproval: input.allowSelfApproval ?? before?.allowSelfApproval ?? false,
      deployersWait: input.deployersWait ?? before?.deployersWait ?? false,
    };
    if (before && isDeepStrictEqual(summary(before), summary(settings))) return before;
    const { now } = change;
    const wanted = { projectId, pattern, ...settings, createdAt: before?.createdAt ?? now };
    const id = before?.id ?? this.#store.insertGuard({ ...wanted, updatedAt: now });
    const after: TagGuard = { ...wanted, id, updatedAt: Math.max(now, (before?.updatedAt ?? 0) + 1) };
    if (before) this.#store.updateGuard(after);
    this.#note(change, actor, before, after);
    return after;
  }

  /** Ends a guard: the role alone decides about its tags, or a guard with a wider pattern. @throws GatehouseError `not_found`. */
  remove(actor: Actor, projectId: number, pattern: string): Promise<void> {
    return this.#unitOfWork.write((change) => void this.removeWithin(change, actor, projectId, pattern));
  }

  /** `remove` as a part of a larger change; what it was. */
  removeWithin(change: Change, actor: Actor, projectId: number, pattern: string): TagGuard {
    const guard = this.get(projectId, pattern);
    this.#store.deleteGuard(guard.id);
    this.#note(change, actor, guard, undefined);
    return guard;
  }

  /** Decides what a change becomes that a guard refuses. */
  setOnRefusal(actor: Actor, project: GuardedProject, onRefusal: OnRefusal): Promise<void> {
    return this.#unitOfWork.write((change) => this.setOnRefusalWithin(change, actor, project, onRefusal));
  }

  /** `setOnRefusal` as a part of a larger change. */
  setOnRefusalWithin(change: Change, actor: Actor, project: GuardedProject, onRefusal: OnRefusal): void {
    const before = this.#store.onRefusal(project.id);
    if (before === onRefusal) return;
    this.#store.setOnRefusal(project.id, onRefusal);
    change.record({
      actor,
      action: 'guard.settings_changed',
      target: { type: 'project', id: project.id, name: project.fullPath },
      projectId: project.id,
      before: { on_refusal: before },
      after: { on_refusal: onRefusal },
    });
    change.emit('guards.changed', { projectId: project.id });
  }

  /** Records a change of a guard, with what becomes of what it refuses: its words depend on that. */
  #note(change: Change, actor: Actor, before: TagGuard | undefined, after: TagGuard | undefined): void {
    const guard = after ?? before;
    if (!guard) return;
    const { id, pattern, projectId } = guard;
    const state = (each: TagGuard) => ({ ...summary(each), on_refusal: this.onRefusal(projectId) });
    change.record({
      actor,
      action: after ? 'guard.set' : 'guard.removed',
      target: { type: 'tag_guard', id, name: pattern },
      projectId,
      ...(before && { before: state(before) }),
      ...(after && { after: state(after) }),
    });
    change.emit('guards.changed', { projectId });
  }
}

export interface GuardedProject {
  readonly id: number;
  readonly fullPath: string;
}

function patternComplaints(pattern: string): string[] {
  // A letter stands for the wildcard: what is around it must fit into a tag.
  const problem = tagProblem(pattern.replaceAll('*', 'a'));
  return problem === undefined ? [] : [`Pattern "${shorten(pattern)}" matches no dist-tag: ${problem}`];
}

function environmentComplaints(environment: string): string[] {
  return protectionNameComplaints(environment).map((complaint) => complaint.replace(/^Name/, 'Environment'));
}

function summary(guard: Pick<TagGuard, 'environment' | 'allowSelfApproval' | 'deployersWait'>) {
  const { environment, allowSelfApproval, deployersWait } = guard;
  return { environment, allow_self_approval: allowSelfApproval, deployers_wait: deployersWait };
}
