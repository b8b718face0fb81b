import { ActionIcon, Button, Switch, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { Chip } from '../../ui/chip.tsx';
import { changesBetween, ruleDetail, ruleKey, ruleLabel, type DraftRule } from './rule-draft.ts';
import { RuleIcon } from './rule-icon.tsx';

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
    return <div className="gh-rules gh-rules-empty">Nobody yet. Add at least one role, person or group.</div>;
  }
  return (
    <ul className="gh-rules" aria-label="Who may deploy">
      {rules.map((rule) => (
        <li key={ruleKey(rule)} className="gh-rule">
          <span className="gh-rule-icon">
            <RuleIcon kind={rule.kind} />
          </span>
          <div className="gh-rule-text">
            <div>
              <span className="gh-truncate">{ruleLabel(rule)}</span>
              {isNew(rule) ? <Chip tone="accent">Added</Chip> : null}
              {changed.includes(rule) ? <Chip tone="accent">Changed</Chip> : null}
            </div>
            <div className="gh-truncate">{ruleDetail(rule) || (rule.kind === 'user' ? 'Person' : 'Group')}</div>
          </div>
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
          <Tooltip label="Remove">
            <ActionIcon
              aria-label={`Remove ${ruleLabel(rule)}`}
              onClick={() => onChange(rules.filter((each) => each !== rule))}
            >
              <IconTrash size={15} />
            </ActionIcon>
          </Tooltip>
        </li>
      ))}
      {removed.map((rule) => (
        <li key={ruleKey(rule)} className="gh-rule" data-removed>
          <span className="gh-rule-icon">
            <RuleIcon kind={rule.kind} />
          </span>
          <div className="gh-rule-text">
            <div>
              <span className="gh-truncate">{ruleLabel(rule)}</span>
              <Chip tone="warn">Removed</Chip>
            </div>
            <div className="gh-truncate">{ruleDetail(rule) || (rule.kind === 'user' ? 'Person' : 'Group')}</div>
          </div>
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Keep ${ruleLabel(rule)}`}
            onClick={() => onChange([...rules, rule])}
          >
            Keep
          </Button>
        </li>
      ))}
    </ul>
  );
}
