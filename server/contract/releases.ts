import { z } from 'zod';
import { dependencyKinds } from './constants.ts';

// What waits for approval: staged versions, and moves of guarded dist-tags that were asked for.

const person = z.object({ id: z.int(), username: z.string(), name: z.string() });

export const releaseApproval = z.object({
  user: person,
  /** Empty without one. */
  comment: z.string(),
  representedAs: z.string().nullable(),
  createdAt: z.int(),
});

/** What one environment asks for, as its rules are now. */
export const releaseGate = z.object({
  environment: z.string(),
  /** The dist-tags of the release that it guards. */
  tags: z.array(z.string()),
  rules: z.array(
    z.object({
      /** "Maintainers", a person's or a group's name; "Who may approve now: Ada (@ada)" or "Users who may approve" where there is no approval rule. */
      description: z.string(),
      /** The group above the project that has the rule; null for the project's own. */
      group: z.string().nullable(),
      required: z.int(),
      approvedBy: z.array(person),
    }),
  ),
});
export type ReleaseGate = z.infer<typeof releaseGate>;

/** A staged version, or a dist-tag that a user may not move and asked to move. Times are milliseconds since 1970, sizes are bytes. */
export const waitingRelease = z.object({
  id: z.string(),
  kind: z.enum(['version', 'tag']),
  projectId: z.int(),
  projectPath: z.string(),
  /** Null for the first version of a package. */
  packageId: z.int().nullable(),
  name: z.string(),
  version: z.string(),
  tags: z.array(z.string()),
  /** What the tags point at now, in the order of `tags`; null for one that is not set. */
  current: z.array(z.string().nullable()),
  requester: z.string(),
  createdAt: z.int(),
  /** Of the tarball. */
  size: z.int(),
  integrity: z.string(),
  /** None where nothing guards its tags: then a user who may publish releases it. */
  gates: z.array(releaseGate),
  approvals: z.array(releaseApproval),
  /** The approvals that are still missing, as a part of a sentence: "1 approval from Maintainers". Empty if none. */
  missing: z.string(),
});
export type WaitingRelease = z.infer<typeof waitingRelease>;

/** A user who may decide about a release. */
export const releaseApprover = person.extend({
  /** The window's own account, which needs no password. */
  isWindow: z.boolean(),
  /**
   * What an approval by the user leaves missing, as `missing` of the release: for every rule that the user matches (null), or as one of
   * them. Empty for a user who may only reject it.
   */
  choices: z.array(z.object({ representedAs: z.string().nullable(), missing: z.string() })),
});
export type ReleaseApprover = z.infer<typeof releaseApprover>;

const side = z.object({ version: z.string(), size: z.int(), unpackedSize: z.int(), fileCount: z.int() });
const file = z.object({ path: z.string(), size: z.int() });
const change = { from: z.string().nullable(), to: z.string().nullable() };

/** How a release differs from the version that its first tag points at now. */
export const releaseComparison = z.object({
  /** Null where the tag points at nothing. */
  from: side.nullable(),
  to: side,
  files: z.object({
    added: z.array(file),
    removed: z.array(file),
    changed: z.array(file.extend({ sizeBefore: z.int() })),
    unchanged: z.int(),
  }),
  dependencies: z.array(z.object({ name: z.string(), kind: z.enum(dependencyKinds), ...change })),
  /** Scripts that run while the package is installed. */
  installScripts: z.array(z.object({ name: z.string(), ...change })),
  /** Licence, engines, maintainers and what else changed of the manifest's facts. */
  facts: z.array(z.object({ name: z.string(), ...change })),
  /** What commands would install now, and after the release. */
  installs: z.array(z.object({ command: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
});
export type ReleaseComparison = z.infer<typeof releaseComparison>;

const releaseId = z.object({ id: z.string().max(100) });

/** Another person at the window, who proves it by a password or a token with the scope api. Without it, it is the window's own account. */
const signedBy = z.object({ username: z.string().max(255), secret: z.string().min(1).max(1024) });
const comment = z.string().max(1000).optional();

export const releaseMethods = {
  /** Newest first; of one project, or of all. */
  'releases.list': { input: z.object({ projectId: z.int().optional() }), output: z.array(waitingRelease) },
  'releases.compare': { input: releaseId, output: releaseComparison },
  /** Users who could approve or reject it now: those whose approval would count, and the one who asked for it. */
  'releases.approvers': { input: releaseId, output: z.array(releaseApprover) },
  /** Gives an approval; the last one that is needed publishes the version or moves the tag. */
  'releases.approve': {
    input: releaseId.extend({ comment, representedAs: z.string().max(255).optional(), signedBy: signedBy.optional() }),
    output: z.object({ state: z.enum(['published', 'moved', 'waiting']), missing: z.string() }),
  },
  /** Rejects it, which ends it; a staged version is deleted. */
  'releases.reject': { input: releaseId.extend({ comment, signedBy: signedBy.optional() }), output: z.null() },
} as const;
