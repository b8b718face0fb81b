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
  const approving = above.filter(({ approvalRules }) => approvalRules.length > 0);
  const hasApprovalRules = approvers.length + approving.length > 0;
  const mayDeploy = names(deployers, above);
  return {
    deployers: mayDeploy,
    approvers: hasApprovalRules ? names(approvers, approving) : mayDeploy,
    hasApprovalRules,
  };
}

function names(rules: readonly DraftRule[], above: readonly InheritedProtection[]): string {
  const others = rules.filter((rule) => rule.kind !== 'role' || rule.accessLevel !== accessLevels.admin);
  const all = [...others.map(nameOf), ...above.map(({ group }) => `those of the group ${group.fullPath}`)];
  return all.length === 0 ? 'Administrators' : fewOf(all, 3);
}

function nameOf(rule: DraftRule): string {
  const required = rule.approval?.required ?? 1;
  return required === 1 ? ruleLabel(rule) : `${ruleLabel(rule)} (${plural(required, 'approval')})`;
}
