import { z } from 'zod';
import { accessLevels, levelNames, memberLevels, type MemberLevel, ruleLevels, visibilities } from './constants.ts';

export { accessLevels, levelNames, memberLevels, type MemberLevel, ruleLevels, visibilities };
export const memberLevel = z.union(memberLevels.map((level) => z.literal(level)));

/** Effective access in a project or group: 0 for none, else a member level. Administrators are a flag, not a level. */
export type EffectiveLevel = 0 | MemberLevel;

export const ruleLevel = z.union(ruleLevels.map((level) => z.literal(level)));
export type RuleLevel = (typeof ruleLevels)[number];

export const visibility = z.enum(visibilities);
export type Visibility = (typeof visibilities)[number];

/**
 * Whether a membership keeps a group from being without an owner: not through an invited group, and without a last day.
 * @param throughGroup the invited group that it comes through, or its id; null for none
 */
export function isLastingOwner(
  { level, expiresOn }: { readonly level: number; readonly expiresOn: string | null },
  throughGroup: unknown,
): boolean {
  return level === accessLevels.owner && throughGroup === null && expiresOn === null;
}
