import { accessLevels } from '../contract/constants.ts';
import type { Actor } from '../accounts/change.ts';
import type { Account } from '../accounts/access/principal.ts';
import type { Directory } from '../accounts/directory.ts';
import { decideApprovals, mayApprove } from '../environments/approval-decision.ts';
import type { DeployAccess } from '../environments/deploy-access.ts';
import type { PackageStore } from '../registry/package-store.ts';
import { entryOf, noSuchStage, type Staging } from '../registry/staging.ts';
import type { TagChecks, TouchedTags } from '../registry/tag-guard.ts';
import type { Guards } from './guards.ts';
import {
  describeMissing,
  fullReader,
  type Gate,
  type Reader,
  readerOf,
  type Release,
  type Subject,
} from './release.ts';
import type { Approval, ReleaseStore } from './release-store.ts';

export interface ReleasesOptions {
  readonly directory: Directory;
  readonly access: DeployAccess;
  readonly guards: Guards;
  readonly store: ReleaseStore;
  readonly packages: Pick<PackageStore, 'findPackage'>;
  readonly staging: Staging;
  /** Finds the tags that a release touches. */
  readonly checks: TagChecks;
}

/**
 * What waits for approval, and what it still needs by the rules, members and guards of now. Callers have checked that the actor may see the
 * project.
 */
export class Releases {
  readonly #options: ReleasesOptions;

  constructor(options: ReleasesOptions) {
    this.#options = options;
  }

  /** Projects in which anything waits. */
  projects(): Set<number> {
    return this.#options.store.projects();
  }

  /** What waits, newest first, without what its rules say of it: `describe` says that. */
  list(projectIds: readonly number[], packageName?: string): Subject[] {
    const { staging, store } = this.#options;
    const staged = staging.list({ projectIds, packageName, offset: 0, limit: Number.MAX_SAFE_INTEGER });
    const subjects: Subject[] = [
      ...staged.rows.map((row): Subject => ({ kind: 'version', staged: row })),
      ...store.requests(projectIds, packageName).map((request): Subject => ({ kind: 'tag', request })),
    ];
    return subjects.toSorted((a, b) => factsOf(b).createdAt - factsOf(a).createdAt);
  }

  /**
   * What waits, with the approvals that it has and needs now; undefined once its project is gone.
   * @param reader of the answer
   */
  describe(subject: Subject, reader = fullReader): Release | undefined {
    const facts = factsOf(subject);
    const project = this.#options.directory.findProject(facts.projectId);
    if (!project) return undefined;
    const approvals = this.#options.store.approvals({ kind: subject.kind, id: facts.id });
    const release = { ...facts, subject, project, approvals };
    const gates = this.#gates(release, reader);
    return { ...release, gates, approvals: approvals.map((approval) => withVisibleRule(approval, gates)) };
  }

  find(id: string, reader = fullReader): Release | undefined {
    const subject = this.#subject(id);
    return subject && this.describe(subject, reader);
  }

  /** Whether a user could approve a release of some guarded tag of a project, hence may see what waits there. */
  isApprover(projectId: number, userId: number): boolean {
    const { guards, access } = this.#options;
    const environments = new Set(guards.of(projectId).guards.map(({ environment }) => environment));
    return [...environments].some((environment) => {
      const facts = access.approvals(projectId, environment);
      return facts.rules.length === 0
        ? facts.mayDeploy(userId)
        : facts.rules.some((rule) => facts.matches(userId, rule));
    });
  }

  /** Whether an approval by this user would count for something now. */
  mayApprove(release: Release, userId: number): boolean {
    if (release.gates.length === 0) return this.#mayPublish(release.project.id, userId);
    return release.gates.some(({ facts }) => mayApprove(facts, userId));
  }

  /** What is missing once a user has approved, as `describeMissing`: as every rule that the user matches (null), or as one of them. */
  missingAfter({ gates, approvals }: Release, userId: number, representedAs: string | null): string {
    const others = approvals.filter((approval) => approval.userId !== userId);
    return describeMissing(
      gates.map((gate) => {
        const facts = { ...gate.facts, approvals: [...others, { userId, representedAs }] };
        return { ...gate, progress: decideApprovals(facts) };
      }),
    );
  }

  /** Some users whose approval would count; administrators, whose approval always does, only where there is nobody else. */
  approvers(release: Release, limit: number): Account[] {
    const { directory } = this.#options;
    const found = [...directory.index.users.values()].filter((user) => this.mayApprove(release, user.id));
    const others = found.filter((user) => !user.isAdmin);
    return (others.length > 0 ? others : found).slice(0, limit);
  }

  #mayPublish(projectId: number, userId: number): boolean {
    const { directory } = this.#options;
    const user = directory.index.users.get(userId);
    if (!user || user.state === 'blocked') return false;
    return user.isAdmin || directory.projectLevel(userId, projectId) >= accessLevels.developer;
  }

  /** The actor, as the reader of an answer. */
  readerFor({ userId, origin }: Actor): Reader {
    const { directory } = this.#options;
    const user = origin === 'http' && userId !== null ? directory.index.users.get(userId) : undefined;
    return user ? readerOf(directory, { kind: 'user', user, token: null }) : fullReader;
  }

  /** @throws GatehouseError `not_found` if it does not wait any more. */
  require(id: string, reader = fullReader): Release {
    const release = this.find(id, reader);
    if (!release) throw noSuchStage(id);
    return release;
  }

  #subject(id: string): Subject | undefined {
    const staged = this.#options.staging.find(id);
    if (staged) return { kind: 'version', staged: entryOf(staged) };
    const request = this.#options.store.request(id);
    return request && { kind: 'tag', request };
  }

  /** One gate for each environment that guards a tag of the release; the strictest of its guards says who may approve their own. */
  #gates(release: Omit<Release, 'gates'>, { seesGroup, readsGuards }: Reader): Gate[] {
    const { guards, access } = this.#options;
    const found = this.#touchedBy(release).flatMap(({ projectId, tags }) =>
      tags.flatMap((tag) => {
        const guard = guards.forTag(projectId, tag);
        return guard ? [{ tag, guard }] : [];
      }),
    );
    const byEnvironment = Map.groupBy(found, ({ guard }) => `${guard.projectId} ${guard.environment}`);
    return [...byEnvironment.values()].flatMap((guarded) => {
      const [first] = guarded;
      if (!first) return [];
      const { projectId, environment } = first.guard;
      const facts = {
        ...access.approvals(projectId, environment, seesGroup),
        approvals: release.approvals,
        requesterId: release.requester.id,
        allowSelfApproval: guarded.every(({ guard }) => guard.allowSelfApproval),
      };
      const gate = {
        projectId,
        environment,
        tags: guarded.map(({ tag }) => tag),
        facts,
        progress: decideApprovals(facts),
      };
      return [projectId === release.project.id || readsGuards(projectId) ? gate : withoutNames(gate)];
    });
  }

  #touchedBy({ subject, project, packageName, version, tags }: Omit<Release, 'gates'>): TouchedTags[] {
    const { checks, packages } = this.#options;
    const row = packages.findPackage(project.id, packageName) ?? { projectId: project.id, name: packageName };
    return subject.kind === 'version'
      ? checks.touchedByPublish(row, version, tags)
      : tags.flatMap((tag) => checks.touchedBySet(row, tag));
  }
}

/** A gate that names neither its environment nor who its rules are about. */
function withoutNames({ progress, ...gate }: Gate): Gate {
  const hidden = { description: 'its approvers', ownerPath: null, accessLevel: null, userId: null, groupId: null };
  const rules = progress.rules.map(({ rule, ...rest }) => ({ rule: rule && { ...rule, ...hidden }, ...rest }));
  return { ...gate, environment: 'another project of the group', progress: { ...progress, rules } };
}

/** An approval that names the rule that it counts for as the reader may know it; a rule that is gone has no name for anybody. */
function withVisibleRule(approval: Approval, gates: readonly Gate[]): Approval {
  const { representedAs } = approval;
  if (representedAs === null) return approval;
  const rules = gates.flatMap(({ facts }) => facts.rules);
  const rule = rules.find(({ name }) => name === representedAs);
  return { ...approval, representedAs: rule?.description ?? 'a rule that is gone' };
}

function factsOf(subject: Subject) {
  if (subject.kind === 'version') {
    const { id, projectId, name, version, tags, actorId, actorName, createdAt } = subject.staged;
    return {
      id,
      projectId,
      packageName: name,
      version,
      tags,
      requester: { id: actorId, username: actorName },
      createdAt,
    };
  }
  const { id, projectId, packageName, version, tag, actorId, actorName, createdAt } = subject.request;
  return {
    id,
    projectId,
    packageName,
    version,
    tags: [tag],
    requester: { id: actorId, username: actorName },
    createdAt,
  };
}
