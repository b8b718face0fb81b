import { userInfo } from 'node:os';
import type { EventPayload, EventTopic } from '../contract/events.ts';

/** Who makes a change, and through which interface; part of the audit trail. */
export interface Actor {
  readonly userId: number | null;
  readonly username: string;
  readonly origin: 'http' | 'window' | 'cli' | 'system';
  /** Network address of the caller, where there is one. */
  readonly address: string | null;
  /** The token of a caller over HTTP, as `namedToken` has it. */
  readonly token?: string;
}

/** The registry itself: first start, sweeps, cascades. */
export const systemActor: Actor = { userId: null, username: 'gatehouse', origin: 'system', address: null };

/** The command line: its user owns the data folder, hence may do everything. The audit trail has the name in the operating system. */
export function commandLineActor(): Actor {
  return { userId: null, username: systemUsername(), origin: 'cli', address: null };
}

function systemUsername(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user id without a name.
    return 'cli';
  }
}

/** One row of the audit trail. `before` and `after` are small JSON values that say what changed; never a secret. */
export interface AuditEntry {
  readonly actor: Actor;
  /** Dotted and in the past tense: `package.published`, `tag.set`, `member.removed`. */
  readonly action: string;
  readonly target: { readonly type: string; readonly id: number | null; readonly name: string };
  readonly projectId?: number | null;
  readonly groupId?: number | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What a work may do besides its own SQL while its transaction is open. */
export interface Change {
  /** Time of the change in milliseconds since 1970. */
  readonly now: number;
  /** Adds a row to the audit trail, in the same transaction. */
  record(entry: AuditEntry): void;
  /** Announces the change to windows and caches after the commit; dropped if the work fails. */
  emit<T extends EventTopic>(topic: T, payload: EventPayload<T>): void;
}

/** The only way to change stored data. */
export interface UnitOfWork {
  /**
   * Runs `work`, which must be synchronous, inside a transaction and resolves with its result once the change is on disk. Works that
   * wait at the same moment share one commit. If one throws, only its own changes are undone and its promise rejects.
   */
  write<T>(work: (change: Change) => T): Promise<T>;
}

/**
 * What other areas remove together with something of the directory. Called inside the transaction before
 * the rows are deleted.
 */
export interface DirectoryCascade {
  /** The direct membership of a user in a project ends. Returns whether anything was removed with it. */
  projectMemberRemoved(change: Change, actor: Actor, projectId: number, userId: number): boolean;
  /** A project is no longer shared with a group. */
  projectShareRemoved(change: Change, actor: Actor, projectId: number, groupId: number): void;
  userDeleted(change: Change, actor: Actor, userId: number): void;
  /** Called once for the group and once for each of its subgroups. */
  groupDeleted(change: Change, actor: Actor, groupId: number): void;
}
