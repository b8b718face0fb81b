import { Input, Radio, Stack } from '@mantine/core';
import { accessLevels, levelNames } from '../../../server/contract/constants.ts';
import { useMembers } from '../../api/directory.ts';
import { byKind, type DraftRule } from '../../ui/rules/rule-draft.ts';
import { RuleList } from '../../ui/rules/rule-list.tsx';
import { RulePicker } from '../../ui/rules/rule-picker.tsx';

export const approversLabel = 'Approvers';
export const whoApproves = 'Administrators can always approve, and publish without approval.';

interface ApproversProps {
  projectId: number;
  rules: readonly DraftRule[];
  /** Undefined: they are those of an environment that is protected already. */
  onRules: ((rules: readonly DraftRule[]) => void) | undefined;
  /** Whether the approvers wait as well; undefined where that is no choice. */
  waits: boolean | undefined;
  onWaits: (waits: boolean) => void;
  /** Whether a heading above says what they are. */
  hasHeading: boolean;
  /** Whether the dialog begins with it. */
  isFirst: boolean;
}

/** Who approves, and whether these wait as well. */
export function Approvers({ projectId, rules, onRules, waits, onWaits, hasHeading, isFirst }: ApproversProps) {
  const [deployers, approvers] = byKind(rules);
  return (
    <>
      {onRules !== undefined ? (
        <Stack gap={8}>
          <RulePicker
            owner={{ projectId }}
            label={approversLabel}
            {...(hasHeading ? { isLabelHidden: true } : { description: whoApproves })}
            chosen={rules}
            data-autofocus={isFirst || undefined}
            onPick={(rule) => onRules([...rules, rule])}
          />
          <RuleList
            label={approversLabel}
            empty="Administrators only."
            rules={rules}
            ofGroup={false}
            onChange={onRules}
          />
          <MissingMembers projectId={projectId} rules={rules} />
        </Stack>
      ) : approvers.length === 0 ? (
        <StoredRules label={approversLabel} isLabelHidden={hasHeading} rules={deployers} />
      ) : (
        <>
          <StoredRules label="Publish without waiting" rules={deployers} />
          <StoredRules label={approvers.length > 1 ? 'Each must approve' : 'May approve'} rules={approvers} />
        </>
      )}
      {waits === undefined ? null : (
        <PublishChoice
          who="an approver"
          outcomes={{ published: 'It happens at once', waits: waitText(deployers) }}
          waits={waits}
          onWaits={onWaits}
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

interface PublishChoiceProps {
  who: string;
  /** The choices. */
  outcomes: { published: string; waits: string };
  waits: boolean;
  onWaits: (waits: boolean) => void;
  /** Whether the dialog begins with it. */
  isFirst?: boolean;
}

/** What becomes of a version that is published by somebody whom the guard would let through. */
export function PublishChoice({ who, outcomes, waits, onWaits, isFirst = false }: PublishChoiceProps) {
  return (
    <Radio.Group
      label={`When ${who} publishes or moves the tag`}
      value={waits ? 'waits' : 'published'}
      onChange={(chosen) => onWaits(chosen === 'waits')}
    >
      <Stack gap={6} mt={6}>
        <Radio value="published" label={outcomes.published} data-autofocus={(isFirst && !waits) || undefined} />
        <Radio value="waits" label={outcomes.waits} data-autofocus={(isFirst && waits) || undefined} />
      </Stack>
    </Radio.Group>
  );
}

/** What waiting means for the approvers. */
function waitText([only, ...others]: readonly DraftRule[]): string {
  return only?.kind === 'user' && others.length === 0
    ? 'It waits for an administrator'
    : 'It waits for another approver';
}

interface MissingMembersProps {
  projectId: number;
  rules: readonly DraftRule[];
}

/** Says that a role which alone is to approve has nobody yet. */
export function MissingMembers({ projectId, rules }: MissingMembersProps) {
  const { data: members } = useMembers({ kind: 'project', id: projectId });
  const levels = rules.flatMap((rule) => (rule.kind === 'role' ? rule.accessLevel : []));
  const lowest = Math.min(...levels);
  if (members === undefined || rules.length === 0 || levels.length < rules.length || lowest === accessLevels.admin)
    return null;
  if (members.some(({ user, level }) => level >= lowest && !user.isAdmin && user.state === 'active')) return null;
  return (
    <div className="gh-muted gh-small">
      No member has the {levelNames[lowest]} role yet, so only administrators can approve.
    </div>
  );
}

interface StoredRulesProps {
  label: string;
  /** Whether what stands above says the same. */
  isLabelHidden?: boolean;
  rules: readonly DraftRule[];
}

/** Rules of an environment that is protected already. */
function StoredRules({ label, isLabelHidden = false, rules }: StoredRulesProps) {
  if (rules.length === 0) return null;
  return (
    <div>
      {isLabelHidden ? null : <Input.Label component="div">{label}</Input.Label>}
      <RuleList label={label} rules={rules} ofGroup={false} />
    </div>
  );
}
