import { GatehouseError } from '../contract/errors.ts';
import { groupsSeenBy, projectSeenBy } from '../accounts/access/authorize.ts';
import type { Directory } from '../accounts/directory.ts';
import type { UserRecord } from '../accounts/records.ts';
import type { DeployAccess } from '../environments/deploy-access.ts';
import type { TagAct, TagChange, TagGuard as TagGuardPort } from '../registry/tag-guard.ts';
import type { Guards } from './guards.ts';
import type { TagGuard } from './records.ts';

/** People and rules that a refusal names. */
const named = 5;

const acts: Readonly<Record<TagAct, string>> = {
  publish: 'Publishing with it needs',
  set: 'Setting it needs',
  remove: 'Removing it needs',
  deprecate: 'Changing the deprecation of the version that it points at needs',
  unpublish: 'Unpublishing the version that it points at needs',
};

/** Asks the rules of an environment who may touch the dist-tags that it guards. */
export class TagGate implements TagGuardPort {
  readonly #guards: Guards;
  readonly #access: DeployAccess;
  readonly #directory: Directory;

  constructor(guards: Guards, access: DeployAccess, directory: Directory) {
    this.#guards = guards;
    this.#access = access;
    this.#directory = directory;
  }

  isGuarded(projectId: number, tag: string): boolean {
    return this.#guards.forTag(projectId, tag) !== undefined;
  }

  /**
   * Lets administrators, the window, the command line, the registry itself and, unless they have to wait as well, who may deploy to the
   * tag's environment through.
   * @throws GatehouseError `tag_guarded` that says what is missing and whom to ask.
   */
  requireAllowed(change: TagChange): void {
    const { projectId, tag, actor } = change;
    const guard = this.#guards.forTag(projectId, tag);
    if (!guard || this.#directory.isAdministrator(actor)) return;
    const user = actor.userId === null ? undefined : this.#directory.index.users.get(actor.userId);
    if (user && !guard.deployersWait && this.#access.allows(projectId, guard.environment, user)) return;
    throw new GatehouseError('tag_guarded', this.#explain(change, guard, user));
  }

  #explain(change: TagChange, { environment, deployersWait }: TagGuard, user?: UserRecord): string {
    const { projectId, packageName, tag, act, actor } = change;
    const project = projectSeenBy(this.#directory, actor, projectId);
    const guarded = `The dist-tag ${tag} of ${packageName} is guarded`;
    const canWait = act === 'publish' || act === 'set';
    const what = !deployersWait ? 'deploy access' : canWait ? 'an approval' : 'an administrator';
    if (!project) return `${guarded} in another project of the same group. ${acts[act]} ${what} there.`;
    const text = `${guarded} by the environment ${environment} of ${project.fullPath}. ${acts[act]} ${what}.`;
    // Who is no member learns nothing of rules and people.
    if (!user || this.#directory.projectLevel(user.id, projectId) === 0) return text;
    if (deployersWait) {
      return canWait
        ? `${text} A maintainer of the package's project can let publishes and moves of tags wait for one; administrators need none.`
        : `${text} Only publishes and moves of the tag can wait for an approval.`;
    }
    const isVisible = groupsSeenBy(this.#directory, { kind: 'user', user, token: null });
    const { reason } = this.#access.ofUser(projectId, environment, user.id, isVisible);
    const needed = this.#access.missingRules(projectId, environment, user, isVisible);
    const rules =
      needed.length === 0
        ? ''
        : ` Its rules let through ${needed.slice(0, named).join(', ')}${needed.length > named ? ' and others' : ''}.`;
    const people = this.#access.deployingMembers(projectId, environment, named).map(({ username }) => `@${username}`);
    const whom = people.length === 0 ? 'a maintainer of the project or an administrator' : people.join(' or ');
    return `${text} ${reason}${rules} Ask ${whom}.`;
  }
}
