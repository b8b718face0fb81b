import { Combobox, Group, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { accessLevels } from '../../../server/contract/constants.ts';
import type { ProtectionOwner } from '../../../server/contract/environments.ts';
import { useRuleCandidates } from '../../api/directory.ts';
import { rankMatches } from '../forms/match-rank.ts';
import { TailText } from '../text/tail-text.tsx';
import { groupRule, roleRules, ruleDetail, subjectKey, ruleLabel, userRule, type DraftRule } from './rule-draft.ts';
import { RuleIcon } from './rule-list.tsx';

interface RulePickerProps {
  owner: ProtectionOwner;
  label?: string;
  /** Whether what stands above says the same. */
  isLabelHidden?: boolean;
  description?: string;
  chosen: readonly DraftRule[];
  /** Whether a rule that is picked says who must approve, not who is allowed. */
  isApproval?: boolean;
  onPick: (rule: DraftRule) => void;
}

/** Finds roles, users and groups by typing, and adds the one that is picked. */
export function RulePicker({
  owner,
  label = 'Allowed to deploy',
  isLabelHidden = false,
  chosen,
  isApproval = false,
  onPick,
  ...field
}: RulePickerProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 60);
  const candidates = useRuleCandidates(owner, search);
  const isSearching = candidates.isFetching || search !== typed.trim();
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });

  const taken = new Set(chosen.map(subjectKey));
  const found = (rules: readonly DraftRule[]) =>
    rankMatches(
      rules.filter((rule) => !taken.has(subjectKey(rule))),
      typed,
      textsOf,
    );
  const { users = [], groups = [] } = candidates.data ?? {};
  // The section with the best match stands first, too.
  const sections = rankMatches(
    [
      { label: 'Roles', rules: found(isApproval ? roleRules : lesserRoleRules) },
      { label: 'Users', rules: found(users.map(userRule)) },
      { label: 'Groups', rules: found(groups.map(groupRule)) },
    ],
    typed,
    (section) => section.rules.flatMap(textsOf),
  );

  // Users and groups arrive a moment after the typing; Enter takes the first of what is shown then, too.
  const { dropdownOpened, selectFirstOption } = combobox;
  const first = sections[0]?.rules[0];
  const firstKey = first && subjectKey(first);
  useEffect(() => {
    if (typed === '' || !dropdownOpened || firstKey === undefined) return;
    // The list is drawn a frame after it opens.
    const frame = requestAnimationFrame(() => selectFirstOption());
    return () => cancelAnimationFrame(frame);
  }, [typed, dropdownOpened, firstKey, selectFirstOption]);

  const pick = (key: string) => {
    const rule = sections.flatMap((section) => section.rules).find((each) => subjectKey(each) === key);
    if (rule === undefined) return;
    onPick(rule);
    setTyped('');
    combobox.closeDropdown();
  };

  return (
    // Users and groups may come when the list is open, and need more room.
    <Combobox store={combobox} onOptionSubmit={pick} preventPositionChangeWhenVisible={false}>
      <Combobox.Target>
        <TextInput
          {...(isLabelHidden ? { 'aria-label': label } : { label })}
          placeholder="Add a role, user or group"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          {...field}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            combobox.openDropdown();
          }}
          onClick={() => combobox.openDropdown()}
          onKeyDown={(event) => {
            // Where nothing matches, too, it must not send the form without what was typed.
            if (event.key === 'Enter' && typed !== '') event.preventDefault();
          }}
          onBlur={(event) => {
            combobox.closeDropdown();
            // Text that is not picked would look as if it were. The field of a window that was left for another one is still the active one.
            if (document.activeElement !== event.currentTarget) setTyped('');
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options
          mah="min(320px, 42vh)"
          style={{ overflowY: 'auto' }}
          aria-label={label}
          // An Enter waits for what is found.
          aria-busy={isSearching}
        >
          {sections.map((section) => (
            <Combobox.Group key={section.label} label={section.label}>
              {section.rules.map((rule) => (
                <Combobox.Option key={subjectKey(rule)} value={subjectKey(rule)}>
                  <Group gap={10} wrap="nowrap">
                    <RuleIcon kind={rule.kind} />
                    <Text truncate flex="none" maw="calc(100% - 180px)">
                      {ruleLabel(rule)}
                    </Text>
                    <Text className="gh-small" truncate miw={0} opacity={0.8} ml="auto" pl={12} ta="right">
                      {rule.kind === 'role' ? (
                        ruleDetail(rule, 'groupId' in owner)
                      ) : (
                        <TailText text={ruleDetail(rule, false)} tail={12} />
                      )}
                    </Text>
                  </Group>
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {sections.length > 0 ? null : isSearching ? (
            <Combobox.Empty>Searching…</Combobox.Empty>
          ) : (
            <Combobox.Empty>
              {'projectId' in owner
                ? 'No match among users with the Developer role and invited groups.'
                : 'No match among users with the Maintainer role in the group, groups below it and invited groups.'}{' '}
              {/* The field must keep the focus: without it the list closes before the click. */}
              <Link
                {...('projectId' in owner
                  ? { to: '/people/projects/$id', params: { id: owner.projectId } }
                  : { to: '/people/groups/$id', params: { id: owner.groupId } })}
                onMouseDown={(event) => event.preventDefault()}
              >
                {'projectId' in owner ? 'Project access' : 'Group access'}
              </Link>
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Administrators are allowed always, which needs no choice; a list without a rule is theirs alone. */
const lesserRoleRules = roleRules.filter((rule) => rule.kind === 'role' && rule.accessLevel !== accessLevels.admin);

/** What a rule is found by. A role's detail only explains it. */
function textsOf(rule: DraftRule): string[] {
  return rule.kind === 'role' ? [ruleLabel(rule)] : [ruleLabel(rule), ruleDetail(rule, false).replace(/^@/, '')];
}
