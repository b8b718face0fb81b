import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../ui/page/section.tsx';
import type { ProtectionOwner } from '../../../server/contract/environments.ts';
import { asApproval, type DraftRule } from '../../ui/rules/rule-draft.ts';
import { MissingMembers } from '../guards/approvers.tsx';
import { RuleList } from '../../ui/rules/rule-list.tsx';
import { RulePicker } from '../../ui/rules/rule-picker.tsx';

interface ApprovalRulesProps {
  owner: ProtectionOwner;
  /** The rules as stored; without it, nothing is marked as added. */
  before?: readonly DraftRule[];
  /** The approval rules alone. */
  rules: readonly DraftRule[];
  /** Names the tags that the environment guards and to which versions wait. */
  guardedTags?: ReactNode;
  /** Whether nothing but tags is approved by them. */
  isForTags?: boolean;
  /** Whether no other protection may have approval rules for the same environment. */
  areAll: boolean;
  onChange: (rules: readonly DraftRule[]) => void;
}

/** Who approves a deployment, and how many approvals each rule asks for. */
export function ApprovalRules(props: ApprovalRulesProps) {
  const { owner, before, rules, guardedTags = null, isForTags = false, areAll, onChange } = props;
  const label = isForTags ? 'Must approve' : 'Approvers';
  return (
    <Section
      title="Approval rules"
      text={
        isForTags ? (
          'To require more than one approval: each rule added here must approve, and the approvers above then publish without approval.'
        ) : guardedTags === null || rules.length === 0 ? (
          'Who must approve deployments.'
        ) : (
          <>Who must approve deployments, and what is published to {guardedTags}.</>
        )
      }
    >
      <Stack gap={16}>
        <RulePicker
          owner={owner}
          label={label}
          chosen={rules}
          isApproval
          onPick={(rule) => onChange([...rules, asApproval(rule)])}
        />
        <RuleList
          label={label}
          empty={
            isForTags
              ? 'None: one of the approvers above is enough.'
              : areAll
                ? 'Deployments need no approval.'
                : 'None here.'
          }
          {...(before && { before })}
          rules={rules}
          ofGroup={'groupId' in owner}
          onChange={onChange}
        />
        {'projectId' in owner ? <MissingMembers projectId={owner.projectId} rules={rules} /> : null}
      </Stack>
    </Section>
  );
}
