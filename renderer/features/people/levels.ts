import { levelNames, memberLevels, type MemberLevel } from '../../../server/contract/constants.ts';

/** The roles that a membership can give, for a select. */
export const levelOptions = memberLevels.map((level) => ({ value: String(level), label: levelNames[level] ?? '' }));

/** The role behind the value of such a select. */
export function levelOf(value: string | null): MemberLevel | undefined {
  return memberLevels.find((level) => String(level) === value);
}
