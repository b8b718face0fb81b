import type { Actor, Change, DirectoryCascade } from '../accounts/change.ts';
import type { Directory } from '../accounts/directory.ts';
import type { EnvironmentStore, RuleSubject } from './environment-store.ts';
import { recordProtection } from './protection-audit.ts';

/**
 * Deletes deploy rules together with the user or group that they name. A protection without rules stays:
 * then only administrators may deploy.
 */
export class RuleCascade implements DirectoryCascade {
  readonly #directory: Directory;
  readonly #store: EnvironmentStore;

  constructor(directory: Directory, store: EnvironmentStore) {
    this.#directory = directory;
    this.#store = store;
  }

  projectMemberRemoved(change: Change, actor: Actor, projectId: number, userId: number): boolean {
    return this.#drop(change, actor, { kind: 'user', id: userId, projectId }, 'The user is no longer a member.');
  }

  projectShareRemoved(change: Change, actor: Actor, projectId: number, groupId: number): void {
    this.#drop(change, actor, { kind: 'group', id: groupId, projectId }, 'The group is no longer invited.');
  }

  userDeleted(change: Change, actor: Actor, userId: number): void {
    this.#drop(change, actor, { kind: 'user', id: userId }, 'The user was deleted.');
  }

  groupDeleted(change: Change, actor: Actor, groupId: number): void {
    this.#drop(change, actor, { kind: 'group', id: groupId }, 'The group was deleted.');
  }

  /** Returns whether there were such rules. */
  #drop(change: Change, actor: Actor, subject: RuleSubject, because: string): boolean {
    const key = subject.kind === 'user' ? 'userId' : 'groupId';
    const naming = this.#store.protectionsNaming(subject);
    for (const before of naming) {
      for (const level of before.deployLevels) {
        if (level[key] === subject.id) this.#store.deleteDeployLevel(level.id);
      }
      for (const rule of before.approvalRules) {
        if (rule[key] === subject.id) this.#store.deleteApprovalRule(rule.id);
      }
      this.#store.touchProtection(before.id, Math.max(change.now, before.updatedAt + 1));
      const after = this.#store.protectionById(before.id) ?? before;
      recordProtection({ change, actor, directory: this.#directory }, before, after, because);
    }
    return naming.length > 0;
  }
}
