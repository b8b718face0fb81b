import type { Actor, Change } from './change.ts';

/**
 * What other areas do when the directory takes something away (api/environments.md 4.4). Called inside the transaction and before the
 * rows go, so that the listener can still read them and write its own audit rows.
 */
export interface DirectoryCascade {
  /** The direct membership of a user in a project ends. */
  projectMemberRemoved(change: Change, actor: Actor, projectId: number, userId: number): void;
  /** A project is no longer shared with a group. */
  projectShareRemoved(change: Change, actor: Actor, projectId: number, groupId: number): void;
  userDeleted(change: Change, actor: Actor, userId: number): void;
  /** Called once for the group and once for each of its subgroups. */
  groupDeleted(change: Change, actor: Actor, groupId: number): void;
}
