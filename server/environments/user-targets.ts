import type { EnvironmentTarget } from '../contract/environments.ts';
import type { Directory } from '../accounts/directory.ts';
import type { UserRecord } from '../accounts/records.ts';
import { compareNames } from '../contract/compare-names.ts';
import { GatehouseError } from '../contract/errors.ts';
import { nextTurn } from '../lib/turns.ts';
import { type DeployAccess, environmentsPerTurn } from './deploy-access.ts';
import { inSentence, toDeployRule } from './rule-names.ts';

/**
 * The protected environments of all projects where a user may deploy or approve, one entry for each of these rights, in the order of
 * paths and names; over several turns.
 * @throws GatehouseError `user_not_found`.
 */
export async function targetsOf(
  directory: Directory,
  access: DeployAccess,
  userId: number,
): Promise<EnvironmentTarget[]> {
  const { index } = directory;
  const user = index.users.get(userId);
  if (!user) throw new GatehouseError('user_not_found');
  const projects = [...index.projects.values()]
    .filter(({ id }) => user.isAdmin || directory.projectLevel(userId, id) > 0)
    .toSorted((a, b) => compareNames(a.fullPath, b.fullPath));
  const targets: EnvironmentTarget[] = [];
  let asked = 0;
  for (const { id, fullPath } of projects) {
    for (const environment of access.namesOf(id).toSorted(compareNames)) {
      asked += 1;
      if (asked % environmentsPerTurn === 0) await nextTurn();
      if (!access.isProtected(id, environment)) continue;
      const place = { project: { id, fullPath }, environment };
      const { allowed, reason, rule } = access.ofUser(id, environment, userId);
      if (allowed) targets.push({ ...place, right: 'deploy', reason, rule });
      const approval = approvalOf(directory, access, user, id, environment);
      if (approval) targets.push({ ...place, right: 'approve', ...approval });
    }
  }
  return targets;
}

/** Why the approval of a user counts for an environment; undefined where no approval rule matches. */
function approvalOf(
  directory: Directory,
  access: DeployAccess,
  { id, username, isAdmin }: UserRecord,
  projectId: number,
  environment: string,
): Pick<EnvironmentTarget, 'reason' | 'rule'> | undefined {
  const { rules, matches } = access.approvals(projectId, environment);
  const match = rules.find((rule) => matches(id, rule));
  if (!match) return undefined;
  if (isAdmin) return { reason: `@${username} is an administrator and may approve everywhere.`, rule: null };
  const owner = match.ownerPath === null ? '' : ` of the group "${match.ownerPath}"`;
  const reason =
    match.userId === null
      ? `The approval rule for ${inSentence(match, match.name)}${owner} lets @${username} approve for ${environment}.`
      : `The approval rules of ${environment}${owner} allow @${username} by name.`;
  return { reason, rule: toDeployRule(directory, match) };
}
