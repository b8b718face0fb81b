import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useRuleCandidates } from '../../api/directory.ts';
import { roleRules, ruleDetail, ruleKey, ruleLabel, type DraftRule } from './rule-draft.ts';
import { RuleIcon } from './rule-icon.tsx';

interface RulePickerProps {
  projectId: number;
  chosen: readonly DraftRule[];
  onPick: (rule: DraftRule) => void;
  error?: ReactNode;
}

/** Finds roles, people and groups by typing, and adds the one that is picked. */
export function RulePicker({ projectId, chosen, onPick, error }: RulePickerProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 60);
  const candidates = useRuleCandidates(projectId, search);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });

  const taken = new Set(chosen.map(ruleKey));
  const free = (rules: readonly DraftRule[]) => rules.filter((rule) => !taken.has(ruleKey(rule)));
  const sections: { label: string; rules: DraftRule[] }[] = [
    {
      label: 'Roles',
      rules: free(roleRules).filter((rule) => ruleLabel(rule).toLowerCase().includes(typed.trim().toLowerCase())),
    },
    {
      label: 'People',
      rules: free(
        (candidates.data?.users ?? []).map((user) => ({
          kind: 'user' as const,
          userId: user.id,
          label: user.name,
          detail: `@${user.username}`,
        })),
      ),
    },
    {
      label: 'Groups',
      rules: free(
        (candidates.data?.groups ?? []).map((group) => ({
          kind: 'group' as const,
          groupId: group.id,
          groupInheritanceType: 0 as const,
          label: group.name,
          detail: group.fullPath,
        })),
      ),
    },
  ].filter((section) => section.rules.length > 0);

  // People and groups come a moment after the typing; Enter takes the first of what is shown then, too.
  const { dropdownOpened, selectFirstOption } = combobox;
  const first = sections[0]?.rules[0];
  const firstKey = first && ruleKey(first);
  useEffect(() => {
    if (typed === '' || !dropdownOpened || firstKey === undefined) return;
    // The list is drawn a frame after it was opened.
    const frame = requestAnimationFrame(() => selectFirstOption());
    return () => cancelAnimationFrame(frame);
  }, [typed, dropdownOpened, firstKey, selectFirstOption]);

  const pick = (key: string) => {
    const rule = sections.flatMap((section) => section.rules).find((each) => ruleKey(each) === key);
    if (rule === undefined) return;
    onPick(rule);
    setTyped('');
    combobox.closeDropdown();
  };

  return (
    <Combobox store={combobox} onOptionSubmit={pick}>
      <Combobox.Target>
        <TextInput
          label="Add who may deploy"
          placeholder="A role, a person or a group"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={error}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            combobox.openDropdown();
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label="Who may deploy">
          {sections.map((section) => (
            <Combobox.Group key={section.label} label={section.label}>
              {section.rules.map((rule) => (
                <Combobox.Option key={ruleKey(rule)} value={ruleKey(rule)}>
                  <div className="gh-option">
                    <RuleIcon kind={rule.kind} />
                    <span className="gh-truncate">{ruleLabel(rule)}</span>
                    <span className="gh-truncate">{ruleDetail(rule)}</span>
                  </div>
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {sections.length === 0 ? (
            <Combobox.Empty>
              Nobody by that name with access to this project. A person needs the Developer role; a group needs the
              project shared with it.
            </Combobox.Empty>
          ) : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
