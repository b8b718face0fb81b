import { Button, Group } from '@mantine/core';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ruleLabel, type DraftRule } from '../../ui/rules/rule-draft.ts';
import { plural } from '../../ui/text/format.ts';
import type { Collision } from './edit-session.ts';

interface CollisionsProps {
  collisions: readonly Collision[];
  onDecide: (collision: Collision, keep: 'mine' | 'theirs') => void;
}

/** Asks about each rule that was changed here and elsewhere; everything else is merged without a question. */
export function Collisions({ collisions, onDecide }: CollisionsProps) {
  return (
    <Notice tone="warn" title="Changed elsewhere while you were editing">
      {collisions.map((collision) => {
        const { key, mine, theirs } = collision;
        const rule = mine ?? theirs;
        const label = rule === undefined ? key : ruleLabel(rule);
        return (
          <Group key={key} role="group" aria-label={label} gap={8} mt={4}>
            <span className="gh-rule-text">
              {label}: {stateText(theirs)} there, {stateText(mine)} here.
            </span>
            {(['theirs', 'mine'] as const).map((keep) => (
              <Button key={keep} variant="default" size="compact-xs" onClick={() => onDecide(collision, keep)}>
                {keep === 'mine' ? 'Keep mine' : 'Use theirs'}
              </Button>
            ))}
          </Group>
        );
      })}
    </Notice>
  );
}

function stateText(rule: DraftRule | undefined): string {
  if (rule === undefined) return 'removed';
  if (rule.approval !== undefined) return plural(rule.approval.required, 'approval');
  if (rule.kind !== 'group') return 'added';
  return rule.groupInheritanceType === 1 ? 'with inherited members' : 'direct members only';
}
