import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { InheritedProtection } from '../../../server/contract/environments.ts';
import { Section } from '../../ui/page/section.tsx';
import { draftsOf } from '../../ui/rules/rule-draft.ts';
import { RuleList } from '../../ui/rules/rule-list.tsx';

interface InheritedRulesProps {
  protection: InheritedProtection;
  /** Whether nothing above says how they count. */
  isAlone?: boolean;
}

/** The rules of a group above the project: they can be read here, and are edited in the group. */
export function InheritedRules({ protection, isAlone = false }: InheritedRulesProps) {
  const { group, tier } = protection;
  const rules = draftsOf({ ...protection, approvalRules: [] });
  const approvals = draftsOf({ ...protection, rules: [] });
  return (
    <Section
      title={`From the group ${group.fullPath}`}
      text={
        <>
          {isAlone ? `To deploy to a ${tier} environment, a user must match one of these rules, too. ` : null}
          <Link to="/environments" search={{ groupId: group.id, name: tier }}>
            Edit them in the group
          </Link>
        </>
      }
    >
      <Stack gap={16}>
        <div>
          <h3>Allowed to deploy</h3>
          <RuleList label={`Allowed to deploy by ${group.fullPath}`} rules={rules} ofGroup />
        </div>
        {approvals.length === 0 ? null : (
          <div>
            <h3>Approvers</h3>
            <RuleList label={`Approvers of ${group.fullPath}`} rules={approvals} ofGroup />
          </div>
        )}
      </Stack>
    </Section>
  );
}
