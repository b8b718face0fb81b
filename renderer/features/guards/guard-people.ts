import { accessLevels } from '../../../server/contract/constants.ts';
import type { InheritedProtection, ProtectedEnvironment } from '../../../server/contract/environments.ts';
import type { TagGuardView } from '../../../server/contract/guards.ts';
import { byKind, draftsOf, ruleLabel, type DraftRule } from '../../ui/rules/rule-draft.ts';
import { fewOf, plural } from '../../ui/text/format.ts';

/** Whom the rules behind a guard name, as "Maintainers and Ada Lovelace". */
export interface GuardPeople {
  deployers: string;
  approvers: string;
  /** Whether others than those who may deploy approve. */
  hasApprovalRules: boolean;
}

/** Whom the rules behind a guard name: those of its environment, and those of groups above for its tier. Administrators are left out beside others. */
export function guardPeople(
  { environment, tier }: Pick<TagGuardView, 'environment' | 'tier'>,
  environments: readonly ProtectedEnvironment[],
  inherited: readonly InheritedProtection[],
): GuardPeople {
  const stored = environments.find(({ name }) => name === environment);
  const [deployers, approvers] = byKind(stored === undefined ? [] : draftsOf(stored));
  const above = inherited.filter((protection) => protection.tier === tier);
  const approving = groupsOf(above.filter(({ approvalRules }) => approvalRules.length > 0));
  const hasApprovalRules = approvers.length + approving.length > 0;
  const mayDeploy = deployersText(stored === undefined ? undefined : names(deployers), groupsOf(above));
  const mustApprove = [...names(approvers), ...approving.map((group) => `approvers of the group ${group}`)];
  return { deployers: mayDeploy, approvers: hasApprovalRules ? listed(mustApprove) : mayDeploy, hasApprovalRules };
}

/** A deployer matches a rule of the environment, where it has any, and one of each group above. */
function deployersText(own: readonly string[] | undefined, groups: readonly string[]): string {
  if (groups.length === 0 || own?.length === 0) return listed(own ?? []);
  const above = `the ${groups.length === 1 ? 'group' : 'groups'} ${fewOf(groups, 3)}`;
  const allows = groups.length === 1 ? 'allows' : 'allow';
  return own === undefined ? `those whom ${above} ${allows}` : `${listed(own)} (if ${above} also ${allows} them)`;
}

/** Whom rules name that name nobody else. */
export const administrators = 'Administrators';

const listed = (people: readonly string[]): string => (people.length === 0 ? administrators : fewOf(people, 3));

const groupsOf = (protections: readonly InheritedProtection[]): string[] =>
  protections.map(({ group }) => group.fullPath);

function names(rules: readonly DraftRule[]): string[] {
  return rules.filter((rule) => rule.kind !== 'role' || rule.accessLevel !== accessLevels.admin).map(nameOf);
}

function nameOf(rule: DraftRule): string {
  const required = rule.approval?.required ?? 1;
  return required === 1 ? ruleLabel(rule) : `${ruleLabel(rule)} (${plural(required, 'approval')})`;
}

/** "latest and 2 more", with `latest` first. */
export function guardNames(guards: readonly Pick<TagGuardView, 'pattern'>[]): string {
  const names = guards.map(({ pattern }) => pattern);
  return fewOf(
    names.toSorted((a, b) => Number(b === 'latest') - Number(a === 'latest')),
    1,
  );
}
