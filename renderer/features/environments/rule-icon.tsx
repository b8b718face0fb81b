import { IconShieldHalf, IconUser, IconUsersGroup } from '@tabler/icons-react';
import type { DraftRule } from './rule-draft.ts';

const icons = { role: IconShieldHalf, user: IconUser, group: IconUsersGroup } as const;

/** Whether a rule names a role, a person or a group. */
export function RuleIcon({ kind, size = 16 }: { kind: DraftRule['kind']; size?: number }) {
  const Icon = icons[kind];
  return <Icon size={size} aria-hidden="true" />;
}
