import { Button, NumberInput, Switch, ThemeIcon } from '@mantine/core';
import { IconShieldHalf, IconUser, IconUsersGroup } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Chip } from '../text/chip.tsx';
import { RemoveButton } from '../forms/remove-button.tsx';
import { plural } from '../text/format.ts';
import { TailText } from '../text/tail-text.tsx';
import { tip } from '../text/tip.ts';
import { changesBetween, ruleDetail, ruleKey, ruleLabel, type DraftRule } from './rule-draft.ts';
import '../lists/list.css';
import './rules.css';

const inheritedTip = 'Members of its parent groups count as well';

/** In place of the handle of one that is not known yet. */
const unnamed = { user: 'User', group: 'Group' } as const;

const icons = { role: IconShieldHalf, user: IconUser, group: IconUsersGroup } as const;

/** Whether a rule names a role, a user or a group. */
export function RuleIcon({ kind }: { kind: DraftRule['kind'] }) {
  const Icon = icons[kind];
  return <Icon size={16} aria-hidden="true" />;
}

interface RuleListProps {
  label?: string;
  /** In place of the list where there are no rules. */
  empty?: string;
  /** The rules as stored; without it, nothing is marked as added. */
  before?: readonly DraftRule[];
  rules: readonly DraftRule[];
  /** Whether they are rules of a group. */
  ofGroup: boolean;
  /** Undefined: they can only be read. */
  onChange?: (rules: readonly DraftRule[]) => void;
}

/** The rules of an environment. What saving would add, change or remove is marked in place. */
export function RuleList({ label = 'Allowed to deploy', empty, before, rules, ofGroup, onChange }: RuleListProps) {
  const { added, removed, changed } = changesBetween(before ?? rules, rules);
  const markOf = (rule: DraftRule) =>
    added.includes(rule) ? 'Added' : changed.some((each) => each.rule === rule) ? 'Changed' : undefined;
  const put = (rule: DraftRule, next: DraftRule) => onChange?.(rules.map((each) => (each === rule ? next : each)));
  if (rules.length === 0 && removed.length === 0) {
    return empty === undefined ? null : <div className="gh-muted">{empty}</div>;
  }
  return (
    <ul className="gh-list" aria-label={label}>
      {rules.map((rule) => (
        <RuleRow
          key={ruleKey(rule)}
          rule={rule}
          ofGroup={ofGroup}
          name={<TailText text={ruleLabel(rule)} tail={12} />}
          mark={markOf(rule)}
        >
          {rule.kind === 'group' ? (
            <Switch
              label="Inherited members"
              labelPosition="left"
              disabled={onChange === undefined}
              aria-label={`Inherited members of ${rule.label}`}
              {...tip(inheritedTip)}
              wrapperProps={{ 'data-tip': inheritedTip }}
              checked={rule.groupInheritanceType === 1}
              onChange={(event) => {
                const groupInheritanceType = event.currentTarget.checked ? 1 : 0;
                put(rule, { ...rule, groupInheritanceType });
              }}
            />
          ) : null}
          {rule.approval === undefined ? null : (
            <Approvals rule={rule} onChange={onChange && ((next) => put(rule, next))} />
          )}
          {onChange === undefined ? null : (
            <RemoveButton
              label={`Remove ${ruleLabel(rule)}`}
              onClick={() => onChange(rules.filter((each) => each !== rule))}
            />
          )}
        </RuleRow>
      ))}
      {removed.map((rule) => (
        <RuleRow
          key={ruleKey(rule)}
          rule={rule}
          ofGroup={ofGroup}
          name={
            <s className="gh-row">
              <TailText text={ruleLabel(rule)} tail={12} />
            </s>
          }
          mark="Removed"
        >
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Keep ${ruleLabel(rule)}`}
            onClick={() => onChange?.([...rules, rule])}
          >
            Keep
          </Button>
        </RuleRow>
      ))}
    </ul>
  );
}

/** How many approvals a rule asks for. */
function Approvals({ rule, onChange }: { rule: DraftRule; onChange: ((next: DraftRule) => void) | undefined }) {
  const { id = null, required = 1 } = rule.approval ?? {};
  if (onChange === undefined) return <span className="gh-muted">{plural(required, 'approval')}</span>;
  return (
    <NumberInput
      aria-label={`Approvals of ${ruleLabel(rule)}`}
      w={118}
      suffix={required === 1 ? ' approval' : ' approvals'}
      min={1}
      max={5}
      allowDecimal={false}
      clampBehavior="strict"
      value={required}
      onChange={(value) => typeof value === 'number' && onChange({ ...rule, approval: { id, required: value } })}
    />
  );
}

interface RuleRowProps {
  rule: DraftRule;
  ofGroup: boolean;
  name: ReactNode;
  mark: 'Added' | 'Changed' | 'Removed' | undefined;
  children: ReactNode;
}

function RuleRow({ rule, ofGroup, name, mark, children }: RuleRowProps) {
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
          {rule.kind === 'role' ? (
            ruleDetail(rule, ofGroup)
          ) : (
            <TailText text={ruleDetail(rule, ofGroup) || unnamed[rule.kind]} tail={12} />
          )}
        </div>
      </div>
      <div className="gh-rule-controls">{children}</div>
    </li>
  );
}
