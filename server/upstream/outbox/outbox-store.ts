import type { OutboxOperation } from '../../contract/outbox.ts';

export type ChangeKind = OutboxOperation['kind'];
export type ItemState = OutboxOperation['state'];

/** A change of a package that was made here. */
export interface OutboxChange {
  readonly id: number;
  readonly at: number;
  readonly kind: ChangeKind;
  readonly projectId: number;
  readonly name: string;
  readonly version: string | null;
  readonly tag: string | null;
  /** Integrity of a publish or unpublish, version of a tag, message of a deprecation. */
  readonly value: string | null;
}

/** The state of a change at one upstream. */
export interface OutboxItem {
  readonly upstreamId: number;
  readonly changeId: number;
  readonly state: ItemState;
  /** Whether a person decided to push it although the upstream differs. */
  readonly forced: boolean;
  /** Whether this publish went out from here, answered or not; a version that was there before is not ours. */
  readonly sent: boolean;
  readonly attempts: number;
  readonly error: string | null;
  readonly here: string | null;
  readonly there: string | null;
  /** When it was saved last; null if it never was. Saving sets it. */
  readonly updatedAt: number | null;
}

/** A version of a package in one project: other projects may have the same name. */
export type OfProject = Pick<OutboxChange, 'projectId' | 'name' | 'version'>;

export interface OutboxRun {
  readonly upstreamId: number;
  readonly running: boolean;
  readonly startedAt: number;
  /** Ids of the changes to push, in order. */
  readonly changes: readonly number[];
}

/** The journal of changes and their states. The writing methods may only be called inside a unit of work. */
export interface OutboxStore {
  append(change: Omit<OutboxChange, 'id'>): void;
  change(id: number): OutboxChange | undefined;
  /** Changes of the same package that came after a change, oldest first. */
  laterOf(change: OutboxChange): OutboxChange[];
  /** Changes, oldest first, that are neither done nor skipped at an upstream. */
  pending(upstreamId: number): OutboxChange[];
  /** Integrity of the last publish of a version in a project, whether it is still there or not. */
  lastIntegrity(projectId: number, name: string, version: string): string | undefined;
  /** Whether the upstream has this version because it was sent there from the project: others may have published the same bytes. */
  hasArrived(upstreamId: number, version: OfProject): boolean;
  /** Published versions with these bytes, and the upstreams that have them. */
  arrivedWith(integrity: string): { readonly upstreamId: number; readonly name: string; readonly version: string }[];
  /** Whether the publish that an unpublish takes back was sent to the upstream. */
  wasSent(upstreamId: number, unpublish: OfProject & Pick<OutboxChange, 'id'>): boolean;

  item(upstreamId: number, changeId: number): OutboxItem | undefined;
  /** The items at an upstream that are neither done nor skipped, by change: of thousands that wait hardly one was tried. */
  openItems(upstreamId: number): ReadonlyMap<number, OutboxItem>;
  putItem(item: OutboxItem, now: number): void;

  run(upstreamId: number): OutboxRun | undefined;
  activeRuns(): OutboxRun[];
  putRun(run: OutboxRun): void;
}
