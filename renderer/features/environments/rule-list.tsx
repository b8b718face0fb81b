import { Button, Switch, ThemeIcon } from '@mantine/core';
import { IconShieldHalf, IconUser, IconUsersGroup } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Chip } from '../../ui/text/chip.tsx';
import { RemoveButton } from '../../ui/forms/remove-button.tsx';
import { changesBetween, ruleDetail, ruleKey, ruleLabel, type DraftRule } from './rule-draft.ts';
import '../../ui/lists/list.css';

const icons = { role: IconShieldHalf, user: IconUser, group: IconUsersGroup } as const;

/** Whether a rule names a role, a user or a group. */
export function RuleIcon({ kind }: { kind: DraftRule['kind'] }) {
  const Icon = icons[kind];
  return <Icon size={16} aria-hidden="true" />;
}

interface RuleListProps {
  /** The rules as stored; empty for an environment that is not protected yet. */
  before: readonly DraftRule[];
  rules: readonly DraftRule[];
  onChange: (rules: readonly DraftRule[]) => void;
}

/** The rules of an environment. What saving would add, change or remove is marked in place. */
export function RuleList({ before, rules, onChange }: RuleListProps) {
  const { added, removed, changed } = changesBetween(before, rules);
  const isNew = (rule: DraftRule) => before.length > 0 && added.includes(rule);
  if (rules.length === 0 && removed.length === 0) {
    return <div className="gh-muted">No rules yet.</div>;
  }
  return (
    <ul className="gh-list" aria-label="Who may deploy">
      {rules.map((rule) => (
        <RuleRow
          key={ruleKey(rule)}
          rule={rule}
          name={<span className="gh-truncate">{ruleLabel(rule)}</span>}
          mark={isNew(rule) ? 'Added' : changed.includes(rule) ? 'Changed' : undefined}
        >
          {rule.kind === 'group' ? (
            <Switch
              label="Inherited members"
              labelPosition="left"
              aria-label={`Inherited members of ${rule.label}`}
              checked={rule.groupInheritanceType === 1}
              onChange={(event) => {
                const groupInheritanceType = event.currentTarget.checked ? 1 : 0;
                onChange(rules.map((each) => (each === rule ? { ...rule, groupInheritanceType } : each)));
              }}
            />
          ) : null}
          <RemoveButton
            label={`Remove ${ruleLabel(rule)}`}
            onClick={() => onChange(rules.filter((each) => each !== rule))}
          />
        </RuleRow>
      ))}
      {removed.map((rule) => (
        <RuleRow key={ruleKey(rule)} rule={rule} name={<s className="gh-truncate">{ruleLabel(rule)}</s>} mark="Removed">
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Keep ${ruleLabel(rule)}`}
            onClick={() => onChange([...rules, rule])}
          >
            Keep
          </Button>
        </RuleRow>
      ))}
    </ul>
  );
}

interface RuleRowProps {
  rule: DraftRule;
  name: ReactNode;
  mark: 'Added' | 'Changed' | 'Removed' | undefined;
  children: ReactNode;
}

function RuleRow({ rule, name, mark, children }: RuleRowProps) {
  return (
    <li data-removed={mark === 'Removed' || undefined}>
      <ThemeIcon variant="light" color="plain" radius="xl" size={28}>
        <RuleIcon kind={rule.kind} />
      </ThemeIcon>
      <div className="gh-rule-text">
        <strong className="gh-row">
          {name}
          {mark === undefined ? null : <Chip tone={mark === 'Removed' ? 'warn' : 'accent'}>{mark}</Chip>}
        </strong>
        <div className="gh-muted gh-truncate gh-small">
          {ruleDetail(rule) || (rule.kind === 'user' ? 'User' : 'Group')}
        </div>
      </div>
      {children}
    </li>
  );
}
