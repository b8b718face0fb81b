import type { DeployAccess } from '../../contract/environments.ts';
import type { DeployLevel, EnvironmentRecord, Protection, Selector } from '../../environments/records.ts';
import { describeSelector } from '../../environments/rule-names.ts';
import type { ProjectRecord } from '../../accounts/records.ts';
import type { AnswerOf } from '../openapi/schemas.ts';
import type { GitlabCall } from './call.ts';
import { simpleProject, timeText } from './present-directory.ts';
import { visibleGroups } from '../visibility.ts';

/** A protected environment. */
export function presentProtection(call: GitlabCall, protection: Protection): AnswerOf<'ProtectedEnvironment'> {
  return {
    name: protection.name,
    deploy_access_levels: protection.deployLevels.map((level) => presentSelector(call, level)),
    required_approval_count: 0,
    approval_rules: protection.approvalRules.map((rule) => ({
      ...presentSelector(call, rule),
      required_approvals: rule.requiredApprovals,
    })),
  };
}

function presentSelector(
  call: GitlabCall,
  selector: Selector & Pick<DeployLevel, 'id'>,
): AnswerOf<'DeployAccessLevel'> {
  return {
    id: selector.id,
    access_level: selector.accessLevel,
    access_level_description: describeSelector(call.registry.directory, selector, visibleGroups(call)),
    user_id: selector.userId,
    group_id: selector.groupId,
    group_inheritance_type: selector.groupInheritanceType,
  };
}

/** The answer to "may this user deploy here?". */
export function presentAnswer(call: GitlabCall, answer: DeployAccess): AnswerOf<'DeployDecision'> {
  return { allowed: answer.allowed, reason: answer.reason, rule: presentRule(call, answer), user: answer.user };
}

/** One of those who may deploy. */
export function presentDeployer(call: GitlabCall, answer: DeployAccess): AnswerOf<'Deployer'> {
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
  return rule && presentSelector(call, rule);
}

/** An environment. */
export function presentEnvironment(
  call: GitlabCall,
  environment: EnvironmentRecord,
  project: ProjectRecord,
): AnswerOf<'Environment'> {
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
