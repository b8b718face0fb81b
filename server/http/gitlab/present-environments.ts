import type { DeployAccess } from '../../contract/environments.ts';
import type { Directory } from '../../accounts/directory.ts';
import type { DeployLevel, EnvironmentRecord, Protection, Selector } from '../../environments/records.ts';
import { describeSelector } from '../../environments/rule-names.ts';
import type { ProjectRecord } from '../../accounts/records.ts';
import type { GitlabCall } from './call.ts';
import { simpleProject, timeText } from './present-directory.ts';

/** A protected environment (api/environments.md 1.2). */
export function presentProtection(call: GitlabCall, protection: Protection) {
  const { directory } = call.registry;
  return {
    name: protection.name,
    deploy_access_levels: protection.deployLevels.map((level) => presentDeployLevel(directory, level)),
    required_approval_count: 0,
    approval_rules: protection.approvalRules.map((rule) => ({
      id: rule.id,
      user_id: rule.userId,
      group_id: rule.groupId,
      access_level: rule.accessLevel,
      access_level_description: describeSelector(directory, rule),
      required_approvals: rule.requiredApprovals,
      group_inheritance_type: rule.groupInheritanceType,
    })),
  };
}

function presentDeployLevel(directory: Directory, level: Selector & Pick<DeployLevel, 'id'>) {
  return {
    id: level.id,
    access_level: level.accessLevel,
    access_level_description: describeSelector(directory, level),
    user_id: level.userId,
    group_id: level.groupId,
    group_inheritance_type: level.groupInheritanceType,
  };
}

/** The answer to "may this user deploy here?". */
export function presentAnswer(call: GitlabCall, answer: DeployAccess) {
  return { allowed: answer.allowed, reason: answer.reason, rule: presentRule(call, answer), user: answer.user };
}

/** One of those who may deploy. */
export function presentDeployer(call: GitlabCall, answer: DeployAccess) {
  const { user } = answer;
  return {
    user_id: user.id,
    username: user.username,
    name: user.name,
    allowed: answer.allowed,
    reason: answer.reason,
    rule: presentRule(call, answer),
  };
}

function presentRule(call: GitlabCall, { rule }: DeployAccess) {
  return rule && presentDeployLevel(call.registry.directory, rule);
}

/** An environment (api/environments.md 6.7). */
export function presentEnvironment(call: GitlabCall, environment: EnvironmentRecord, project: ProjectRecord) {
  return {
    id: environment.id,
    name: environment.name,
    slug: environment.slug,
    description: environment.description,
    external_url: environment.externalUrl,
    state: environment.state,
    tier: environment.tier,
    created_at: timeText(environment.createdAt),
    updated_at: timeText(environment.updatedAt),
    auto_stop_at: null,
    project: simpleProject(call, project),
  };
}
