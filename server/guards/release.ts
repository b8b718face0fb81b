import { groupsSeenBy, levelInProject } from '../accounts/access/authorize.ts';
import { decide } from '../accounts/access/policy.ts';
import type { Principal, Project } from '../accounts/access/principal.ts';
import type { Directory } from '../accounts/directory.ts';
import { isIndependent, type ApprovalFacts, type ApprovalProgress } from '../environments/approval-decision.ts';
import { everyGroup, type GroupFilter, inSentence, noGroup } from '../environments/rule-names.ts';
import type { PublishedVersion } from '../registry/publish/publish.ts';
import type { StagedEntry } from '../registry/staging.ts';
import type { Approval, TagRequest } from './release-store.ts';

/** What waits: a staged version, or a dist-tag that a user asked to move. */
export type Subject =
  { readonly kind: 'version'; readonly staged: StagedEntry } | { readonly kind: 'tag'; readonly request: TagRequest };

/** What one environment asks for before a release, as of now. */
export interface Gate {
  /** The project of the guard. */
  readonly projectId: number;
  readonly environment: string;
  /** The dist-tags of the release that the environment guards. */
  readonly tags: readonly string[];
  readonly facts: ApprovalFacts;
  readonly progress: ApprovalProgress;
}

/** Something that waits for approval. Without gates nothing guards its tags, and a user who may publish releases it. */
export interface Release {
  readonly id: string;
  readonly subject: Subject;
  readonly project: Project;
  readonly packageName: string;
  readonly version: string;
  readonly tags: readonly string[];
  readonly requester: { readonly id: number | null; readonly username: string };
  readonly createdAt: number;
  /** Oldest first. One whose user matches no rule any more counts for nothing. */
  readonly approvals: readonly Approval[];
  readonly gates: readonly Gate[];
}

/** What the reader of a release may know beside its own project. */
export interface Reader {
  readonly seesGroup: GroupFilter;
  /** Whether the reader may know what guards the tags of another project. */
  readonly readsGuards: (projectId: number) => boolean;
}

/** The owner of the data folder. */
export const fullReader: Reader = { seesGroup: everyGroup, readsGuards: () => true };

/** For texts with readers who are not known. */
export const unknownReader: Reader = { seesGroup: noGroup, readsGuards: () => false };

/** A caller, whose token is not asked again. */
export function readerOf(directory: Directory, caller: Principal): Reader {
  const principal = caller.kind === 'user' ? { ...caller, token: null } : caller;
  return {
    seesGroup: groupsSeenBy(directory, principal),
    readsGuards(projectId) {
      const project = directory.findProject(projectId);
      const level = levelInProject(directory, principal, project);
      return decide('guards.read', { principal, level, visibility: project?.visibility }).allowed;
    },
  };
}

/** What a user says about a release. */
export interface Verdict {
  readonly comment?: string | undefined;
  /** The name of the one rule that an approval counts for. */
  readonly representedAs?: string | undefined;
}

/** What became of a release by an approval. */
export type Outcome =
  | { readonly state: 'published'; readonly release: Release; readonly published: PublishedVersion }
  | { readonly state: 'moved'; readonly release: Release }
  | { readonly state: 'waiting'; readonly release: Release };

/** A release by name: `lib@1.2.0 as latest`. */
export function describeRelease({
  packageName,
  version,
  tags,
}: Pick<Release, 'packageName' | 'version' | 'tags'>): string {
  return `${packageName}@${version} as ${tags.map((tag) => `"${tag}"`).join(' and ')}`;
}

/**
 * The approvals that a release still needs, as a part of a sentence: `2 approvals from Maintainers and 1 approval from Security`. Each of
 * several environments is named with its own: `… for the environment production, and …`.
 */
export function describeMissing(gates: readonly Gate[]): string {
  const open = gates.filter(({ progress }) => !progress.complete);
  return open.map((gate) => missingOf(gate, gates.length > 1)).join(', and ');
}

function missingOf({ environment, tags, facts, progress: { rules } }: Gate, isNamed: boolean): string {
  // Without approval rules it is one of those who may deploy, who are named beside it.
  if (rules.some(({ rule }) => rule === null)) return `1 approval for ${tags.join(' and ')}`;
  const parts = rules.flatMap(({ rule, required, approvedBy }) => {
    const missing = required - approvedBy.length;
    if (missing <= 0 || !rule) return [];
    const owner = rule.ownerPath === null ? '' : ` (rule of the group ${rule.ownerPath})`;
    const named = inSentence(rule, rule.description);
    // Who asked does not count, and every rule lets an administrator approve.
    const isRequester = rule.userId !== null && !isIndependent(facts, rule.userId);
    const whom = isRequester ? `${missing === 1 ? 'an administrator' : 'administrators'} (${named} asked)` : named;
    return [`${missing} ${missing === 1 ? 'approval' : 'approvals'} from ${whom}${owner}`];
  });
  return parts.join(' and ') + (isNamed ? ` for the environment ${environment}` : '');
}
