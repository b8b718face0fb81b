import { expect, it } from 'vitest';
import { decideApprovals, type ApplicableRule } from '../environments/approval-decision.ts';
import { describeMissing, type Gate } from './release.ts';

const dan = 7;

const rule = (given: Partial<ApplicableRule>): ApplicableRule => ({
  id: 1,
  accessLevel: null,
  userId: null,
  groupId: null,
  groupInheritanceType: 0,
  requiredApprovals: 1,
  name: '',
  description: '',
  ownerPath: null,
  ...given,
});

const maintainers = rule({ accessLevel: 40, description: 'Maintainers', requiredApprovals: 2 });
const danRule = rule({ userId: dan, description: 'Dan' });

/** What dan asked for, and nobody has approved yet. */
function gate(environment: string, rules: readonly ApplicableRule[]): Gate {
  const facts = {
    rules,
    approvals: [],
    requesterId: dan,
    allowSelfApproval: false,
    matches: () => true,
    mayDeploy: () => true,
  };
  return { projectId: 1, environment, tags: ['latest', 'beta'], facts, progress: decideApprovals(facts) };
}

it.each<[string, Gate[], string]>([
  [
    'one environment is not named, as there is nothing to tell apart',
    [gate('releases', [maintainers])],
    '2 approvals from Maintainers',
  ],
  [
    'each of several is, with its own approvals',
    [gate('production', [maintainers]), gate('qa', [rule({ accessLevel: 30, description: 'Developers' })])],
    '2 approvals from Maintainers for the environment production, and 1 approval from Developers for the environment qa',
  ],
  [
    'the rule of who asked needs an administrator',
    [gate('releases', [danRule])],
    '1 approval from an administrator (Dan asked)',
  ],
  ['without rules, the tags say what it is for', [gate('releases', [])], '1 approval for latest and beta'],
  [
    'a rule of a group says whose it is',
    [gate('production', [{ ...maintainers, ownerPath: 'acme' }])],
    '2 approvals from Maintainers (rule of the group acme)',
  ],
])('of what is missing, %s', (_what, gates, text) => {
  expect(describeMissing(gates)).toBe(text);
});
