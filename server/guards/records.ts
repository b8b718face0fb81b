import type { OnRefusal } from '../contract/guards.ts';

/** Binds dist-tags of a project's packages to an environment: who may deploy there may move them. */
export interface TagGuard {
  readonly id: number;
  readonly projectId: number;
  /** A dist-tag, or a pattern in which `*` stands for any characters. */
  readonly pattern: string;
  readonly environment: string;
  /** Whether the person who asked for a release may approve it. */
  readonly allowSelfApproval: boolean;
  /** Whether those who may deploy need an approval as well; administrators never do. */
  readonly deployersWait: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The guards of a project, and what a change becomes that they refuse. */
export interface GuardSet {
  readonly onRefusal: OnRefusal;
  readonly guards: readonly TagGuard[];
}
