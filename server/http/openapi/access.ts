import { accessLevels, levelNames } from '../../contract/constants.ts';
import { requirementsOf } from '../../accounts/access/policy.ts';
import type { Operation } from '../operation.ts';

/** Who can make a call, as a sentence in Markdown. */
export function accessText(access: Operation<unknown>['access']): string {
  if (access === 'anyone') return '**Who:** anyone, without a token.';
  const { scopes, who, anonymousIfPublic } = requirementsOf(access);
  const place = access.startsWith('group') ? 'group' : 'project';
  return `**Who:** ${whoText(who, place, anonymousIfPublic)}. **Scope:** ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`;
}

function whoText(who: ReturnType<typeof requirementsOf>['who'], place: string, anonymousIfPublic: boolean): string {
  switch (who) {
    case 'administrator':
      return 'administrators';
    case 'user':
      return 'every user';
    case 'visible':
      return `those who can see the ${place}${anonymousIfPublic ? '; a public one also without a token' : ''}`;
    default:
      return `the ${levelNames[who]} role${who === accessLevels.owner ? '' : ' or higher'} in the ${place}`;
  }
}
