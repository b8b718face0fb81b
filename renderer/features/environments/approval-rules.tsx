import { Stack } from '@mantine/core';
import { Section } from '../../ui/page/section.tsx';
import type { ProtectionOwner } from '../../../server/contract/environments.ts';
import type { DraftRule } from './rule-draft.ts';
import { RuleList } from './rule-list.tsx';
import { RulePicker } from './rule-picker.tsx';

interface ApprovalRulesProps {
  owner: ProtectionOwner;
  /** The rules as stored; without it, nothing is marked as added. */
  before?: readonly DraftRule[];
  /** The approval rules alone. */
  rules: readonly DraftRule[];
  /** Whether no other protection may have approval rules for the same environment. */
  areAll: boolean;
  onChange: (rules: readonly DraftRule[]) => void;
}

/** Who approves a deployment, and how many approvals each rule asks for. */
export function ApprovalRules({ owner, before, rules, areAll, onChange }: ApprovalRulesProps) {
  return (
    <Section title="Approval rules" text="Who must approve deployments, and publishes to guarded tags.">
      <Stack gap={16}>
        <RulePicker
          owner={owner}
          label="Approvers"
          chosen={rules}
          onPick={(rule) => onChange([...rules, { ...rule, approval: { id: null, required: 1 } }])}
        />
        <RuleList
          label="Approvers"
          empty={
            areAll
              ? 'Nobody needs to approve a deployment. A publish that waits needs one user who may deploy.'
              : 'None here.'
          }
          {...(before && { before })}
          rules={rules}
          ofGroup={'groupId' in owner}
          onChange={onChange}
        />
      </Stack>
    </Section>
  );
}
