import { z } from 'zod';

/**
 * Access levels as GitLab numbers them (api/environments.md 5). A membership is 10 to 50; a deploy rule is 30, 40 or 60, where 60
 * means administrators and is never a membership.
 */
export const accessLevels = {
  none: 0,
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
  admin: 60,
} as const;

export const memberLevels = [10, 15, 20, 30, 40, 50] as const;
export const memberLevel = z.union(memberLevels.map((level) => z.literal(level)));
export type MemberLevel = (typeof memberLevels)[number];

/** Effective access in a project or group: 0 for none, else a member level. Administrators are a flag, not a level. */
export type EffectiveLevel = 0 | MemberLevel;

export const ruleLevels = [30, 40, 60] as const;
export const ruleLevel = z.union(ruleLevels.map((level) => z.literal(level)));
export type RuleLevel = (typeof ruleLevels)[number];

/** Names people know the levels by; shown in the window and in messages. */
export const levelNames: Readonly<Record<number, string>> = {
  0: 'No access',
  10: 'Guest',
  15: 'Planner',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
  60: 'Admin',
};

export const visibilities = ['private', 'internal', 'public'] as const;
export const visibility = z.enum(visibilities);
export type Visibility = (typeof visibilities)[number];
