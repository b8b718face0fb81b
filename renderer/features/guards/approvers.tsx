import { Checkbox, Input, Stack } from '@mantine/core';
import { accessLevels, levelNames } from '../../../server/contract/constants.ts';
import type { MemberEntry } from '../../../server/contract/directory.ts';
import { useMembers } from '../../api/directory.ts';
import { byKind, type DraftRule } from '../../ui/rules/rule-draft.ts';
import { RuleList } from '../../ui/rules/rule-list.tsx';
import { RulePicker } from '../../ui/rules/rule-picker.tsx';

const mayApprove = 'May approve';
export const whoApproves = 'Administrators always may, and never wait.';

interface ApproversProps {
  projectId: number;
  rules: readonly DraftRule[];
  /** Undefined: they are those of an environment that is protected already. */
  onRules: ((rules: readonly DraftRule[]) => void) | undefined;
  /** Whether the approvers wait as well; undefined where that is no choice. */
  waits: boolean | undefined;
  onWaits: (waits: boolean) => void;
  /** Whether the dialog begins with it. */
  isFirst: boolean;
}

/** Who approves, and whether these wait as well. */
export function Approvers({ projectId, rules, onRules, waits, onWaits, isFirst }: ApproversProps) {
  const { data: members } = useMembers({ kind: 'project', id: projectId });
  const [deployers, approvers] = byKind(rules);
  return (
    <>
      {onRules !== undefined ? (
        <Stack gap={8}>
          <RulePicker
            owner={{ projectId }}
            label={mayApprove}
            description={whoApproves}
            chosen={rules}
            data-autofocus={isFirst || undefined}
            onPick={(rule) => onRules([...rules, rule])}
          />
          <RuleList label={mayApprove} empty="Administrators only." rules={rules} ofGroup={false} onChange={onRules} />
          <MissingMembers rules={rules} members={members} />
        </Stack>
      ) : approvers.length === 0 ? (
        <RuleList label={mayApprove} rules={deployers} ofGroup={false} />
      ) : (
        <>
          <StoredRules label="Publish without waiting" rules={deployers} />
          <StoredRules label={approvers.length > 1 ? 'Each must approve' : mayApprove} rules={approvers} />
        </>
      )}
      {waits === undefined ? null : (
        <Checkbox
          label="Approvers must wait, too"
          description={waitText(deployers, waits)}
          checked={waits}
          onChange={(event) => onWaits(event.currentTarget.checked)}
        />
      )}
    </>
  );
}

/** Whether users who may deploy approve as well: not where approval rules say who does, nor administrators, who never wait. */
export function mayWait(rules: readonly DraftRule[]): boolean {
  const [deployers, approvers] = byKind(rules);
  const isAdministrators = (rule: DraftRule) => rule.kind === 'role' && rule.accessLevel === accessLevels.admin;
  return approvers.length === 0 && !deployers.every(isAdministrators);
}

/** What waiting means for the approvers. */
function waitText([only, ...others]: readonly DraftRule[], wait: boolean): string {
  if (!wait) return 'Otherwise they publish without waiting.';
  return only?.kind === 'user' && others.length === 0
    ? `What ${only.label} publishes needs the approval of an administrator.`
    : 'What they publish needs the approval of another of them.';
}

interface MissingMembersProps {
  rules: readonly DraftRule[];
  /** Of the project; undefined until they are known. */
  members: readonly MemberEntry[] | undefined;
}

/** Says that a role which alone is to approve has nobody yet. */
function MissingMembers({ rules, members }: MissingMembersProps) {
  const levels = rules.flatMap((rule) => (rule.kind === 'role' ? rule.accessLevel : []));
  const lowest = Math.min(...levels);
  if (members === undefined || rules.length === 0 || levels.length < rules.length || lowest === accessLevels.admin)
    return null;
  if (members.some(({ user, level }) => level >= lowest && !user.isAdmin && user.state === 'active')) return null;
  return <div className="gh-muted gh-small">Nobody but administrators has the {levelNames[lowest]} role yet.</div>;
}

interface StoredRulesProps {
  label: string;
  rules: readonly DraftRule[];
}

/** Rules of an environment that is protected already. */
function StoredRules({ label, rules }: StoredRulesProps) {
  if (rules.length === 0) return null;
  return (
    <div>
      <Input.Label component="div">{label}</Input.Label>
      <RuleList label={label} rules={rules} ofGroup={false} />
    </div>
  );
}
