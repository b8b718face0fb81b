import type { PublishPreview } from '../contract/guards.ts';
import { levelNames } from '../contract/constants.ts';
import { levelInProject } from '../accounts/access/authorize.ts';
import { decide } from '../accounts/access/policy.ts';
import type { Directory } from '../accounts/directory.ts';
import type { ProjectRecord, UserRecord } from '../accounts/records.ts';
import type { DeployAccess } from '../environments/deploy-access.ts';
import { everyGroup } from '../environments/rule-names.ts';
import { nextTurn } from '../lib/turns.ts';
import { requireValidTag } from '../registry/package-version.ts';
import type { Guards } from './guards.ts';

/** Users who are asked about between two turns of the event loop. */
const usersPerTurn = 200;

/** Says what a publish would become, by the same decisions as the publish itself. */
export class PublishPreviews {
  readonly #guards: Guards;
  readonly #access: DeployAccess;
  readonly #directory: Directory;

  constructor(guards: Guards, access: DeployAccess, directory: Directory) {
    this.#guards = guards;
    this.#access = access;
    this.#directory = directory;
  }

  /**
   * What happens if a user runs `npm publish --tag TAG`.
   * @param isVisible which groups the reader may know of
   * @throws GatehouseError `user_not_found`, or `invalid_request` for what is no dist-tag.
   */
  ofUser(project: ProjectRecord, tag: string, userId: number, isVisible = everyGroup): PublishPreview {
    requireValidTag(tag);
    const user = this.#directory.index.users.get(userId) ?? this.#directory.requireUser(userId);
    const who = { user: { id: user.id, username: user.username, name: user.name } };
    const refusal = this.#roleRefusal(project, user);
    if (refusal !== undefined) return { ...who, outcome: 'refused', reason: refusal };
    const guard = this.#guards.forTag(project.id, tag);
    if (!guard)
      return { ...who, outcome: 'published', reason: `"${tag}" is not guarded, and @${user.username} may publish.` };
    // What the environment says of an administrator is about deploying.
    if (user.isAdmin)
      return {
        ...who,
        outcome: 'published',
        reason: `@${user.username} is an administrator and may publish with every tag.`,
      };
    const refused = this.#guards.onRefusal(project.id) === 'stage' ? 'staged' : 'refused';
    if (guard.deployersWait) {
      return { ...who, outcome: refused, reason: `Everyone but administrators needs an approval for "${tag}".` };
    }
    const { allowed, reason } = this.#access.ofUser(project.id, guard.environment, user.id, isVisible);
    return { ...who, outcome: allowed ? 'published' : refused, reason };
  }

  /** As `ofUser` for everyone who may publish without the guard, in the order of their ids; made over several turns of the event loop. */
  async ofEveryone(project: ProjectRecord, tag: string, isVisible = everyGroup): Promise<PublishPreview[]> {
    const { users } = this.#directory.index;
    const members = this.#directory.index.projectAccess(project.id);
    const asked = [...users.values()].filter((user) => user.isAdmin || members.has(user.id));
    const previews: PublishPreview[] = [];
    for (const [index, user] of asked.entries()) {
      if (index % usersPerTurn === usersPerTurn - 1) await nextTurn();
      if (!this.#directory.index.users.has(user.id) || this.#roleRefusal(project, user) !== undefined) continue;
      previews.push(this.ofUser(project, tag, user.id, isVisible));
    }
    return previews;
  }

  /** Why a user may publish nothing at all; undefined for one who may. */
  #roleRefusal(project: ProjectRecord, user: UserRecord): string | undefined {
    const principal = { kind: 'user', user, token: null } as const;
    const level = levelInProject(this.#directory, principal, project);
    if (decide('packages.publish', { principal, level, visibility: project.visibility }).allowed) return undefined;
    if (user.state === 'blocked') return `@${user.username} is blocked.`;
    if (level === 0) return `@${user.username} has no access to the project.`;
    return `@${user.username} has only the ${levelNames[level] ?? ''} role; publishing needs Developer or higher.`;
  }
}
