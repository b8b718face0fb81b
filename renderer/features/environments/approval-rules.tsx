import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../ui/page/section.tsx';
import type { ProtectionOwner } from '../../../server/contract/environments.ts';
import { asApproval, type DraftRule } from '../../ui/rules/rule-draft.ts';
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
  /** Whether no other protection may have approval rules for the same environment. */
  areAll: boolean;
  onChange: (rules: readonly DraftRule[]) => void;
}

/** Who approves a deployment, and how many approvals each rule asks for. */
export function ApprovalRules({ owner, before, rules, guardedTags = null, areAll, onChange }: ApprovalRulesProps) {
  return (
    <Section
      title="Approval rules"
      text={
        guardedTags === null || rules.length === 0 ? (
          'Who must approve deployments.'
        ) : (
          <>Who must approve deployments, and what is published to {guardedTags}.</>
        )
      }
    >
      <Stack gap={16}>
        <RulePicker
          owner={owner}
          label="Approvers"
          chosen={rules}
          onPick={(rule) => onChange([...rules, asApproval(rule)])}
        />
        <RuleList
          label="Approvers"
          empty={areAll ? 'Deployments need no approval.' : 'None here.'}
          {...(before && { before })}
          rules={rules}
          ofGroup={'groupId' in owner}
          onChange={onChange}
        />
      </Stack>
    </Section>
  );
}
