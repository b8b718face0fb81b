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
  onChange: (rules: readonly DraftRule[]) => void;
}

/** Who approves a deployment, and how many approvals each rule asks for. */
export function ApprovalRules({ owner, before, rules, onChange }: ApprovalRulesProps) {
  return (
    <Section title="Approval rules" text="Who must approve a deployment, and a release in the inbox.">
      <Stack gap={16}>
        <RulePicker
          owner={owner}
          label="Approvers"
          chosen={rules}
          onPick={(rule) => onChange([...rules, { ...rule, approval: { id: null, required: 1 } }])}
        />
        <RuleList
          label="Approvers"
          empty="No rules. Any user who may deploy can approve a release."
          {...(before && { before })}
          rules={rules}
          onChange={onChange}
        />
      </Stack>
    </Section>
  );
}
