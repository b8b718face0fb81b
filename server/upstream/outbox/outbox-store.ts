import type { OutboxOperation } from '../../contract/upstream.ts';

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
  readonly attempts: number;
  readonly error: string | null;
  readonly here: string | null;
  readonly there: string | null;
}

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
  /** Changes, oldest first, that are neither done nor skipped at an upstream. */
  pending(upstreamId: number): OutboxChange[];
  /** Integrity of the last publish of a version here, whether it is still here or not. */
  lastIntegrity(name: string, version: string): string | undefined;
  /** Versions of a package that were ever published here. */
  versionsEver(name: string): string[];
  /** Whether a publish of this version was pushed to the upstream. */
  wasPushed(upstreamId: number, name: string, version: string): boolean;

  item(upstreamId: number, changeId: number): OutboxItem | undefined;
  putItem(item: OutboxItem, now: number): void;

  run(upstreamId: number): OutboxRun | undefined;
  activeRuns(): OutboxRun[];
  putRun(run: OutboxRun): void;
}
