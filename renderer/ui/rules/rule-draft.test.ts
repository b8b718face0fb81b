import { describe, expect, it } from 'vitest';
import {
  changeCount,
  changesBetween,
  changeSentence,
  draftsOf,
  environmentNameProblem,
  inputOf,
  ruleSummary,
  unguardConsequence,
  unprotectConsequence,
  type DraftRule,
} from './rule-draft.ts';

const maintainers: DraftRule = { kind: 'role', accessLevel: 40 };
const ada: DraftRule = { kind: 'user', userId: 7, label: 'Ada Lovelace', detail: '@ada' };
const approval = (id: number | null, required: number): DraftRule => ({ ...maintainers, approval: { id, required } });
const crew = (groupInheritanceType: 0 | 1): DraftRule => ({
  kind: 'group',
  groupId: 3,
  groupInheritanceType,
  label: 'Release crew',
  detail: 'crew',
});

describe('changesBetween', () => {
  it('tells added, removed and changed rules apart and ignores their order', () => {
    const changes = changesBetween([maintainers, crew(0)], [crew(1), ada]);
    expect(changes).toEqual({ added: [ada], removed: [maintainers], changed: [{ rule: crew(1), was: crew(0) }] });
    expect(changeCount(changes)).toBe(3);
    expect(changeCount(changesBetween([maintainers, ada], [ada, maintainers]))).toBe(0);
  });

  it('is said in sentences', () => {
    expect(changeSentence(changesBetween([maintainers, crew(0)], [crew(1), ada]))).toBe(
      'Adds Ada Lovelace. Removes Maintainers. Lets inherited members of Release crew deploy too.',
    );
    expect(changeSentence(changesBetween([ada], [ada]))).toBe('');
    expect(changeSentence(changesBetween([approval(5, 1)], [approval(5, 2), maintainers]))).toBe(
      'Adds Maintainers. Asks for 2 approvals of Maintainers.',
    );
  });
});

describe('rules', () => {
  it('come from what is stored, without those whose user or group was deleted', () => {
    const stored = { accessLevel: null, userId: null, groupId: null, groupInheritanceType: 0 as const, detail: '' };
    expect(
      draftsOf({
        approvalRules: [{ ...stored, id: 5, kind: 'role', accessLevel: 40, description: '', requiredApprovals: 2 }],
        rules: [
          { ...stored, id: 1, kind: 'role', accessLevel: 40, description: 'Maintainers' },
          { ...stored, id: 2, kind: 'user', userId: 7, description: 'Ada Lovelace', detail: '@ada' },
          {
            ...stored,
            id: 3,
            kind: 'group',
            groupId: 3,
            groupInheritanceType: 1,
            description: 'Release crew',
            detail: 'crew',
          },
          { ...stored, id: 4, kind: 'user', description: 'gone' },
        ],
      }),
    ).toEqual([maintainers, ada, crew(1), approval(5, 2)]);
  });

  it('are sent with exactly one selector each', () => {
    expect(inputOf([maintainers, ada, crew(1), approval(5, 2), approval(null, 1)])).toEqual({
      rules: [{ accessLevel: 40 }, { userId: 7 }, { groupId: 3, groupInheritanceType: 1 }],
      approvalRules: [
        { id: 5, requiredApprovals: 2, groupInheritanceType: 0 },
        { accessLevel: 40, requiredApprovals: 1 },
      ],
    });
    expect(inputOf([approval(5, 2)], true).approvalRules).toEqual([{ accessLevel: 40, requiredApprovals: 2 }]);
  });

  it('are summed up by name', () => {
    expect(ruleSummary([maintainers, approval(5, 1)])).toBe('Maintainers');
    expect(ruleSummary([maintainers, ada, crew(0)])).toBe('Maintainers and 2 more');
  });
});

describe('environmentNameProblem', () => {
  it.each([
    ['production', undefined],
    ['review/feature 1', undefined],
    ['', 'Enter a name.'],
    ['a\u0007b', 'A name has no control characters.'],
    ['x'.repeat(256), 'A name has at most 255 characters.'],
    ['staging', 'staging is already protected.'],
  ])('judges %j', (name, problem) => {
    expect(environmentNameProblem(name, ['staging'])).toBe(problem);
  });
});

describe('unguardConsequence', () => {
  it.each([
    [true, true, 'This tag no longer needs approval:'],
    [false, true, 'These tags no longer need approval:'],
    [true, false, 'It stops guarding this tag:'],
    [false, false, 'It stops guarding these tags:'],
  ])('of one tag (%s) where publishes wait (%s)', (isOne, isStaged, words) => {
    expect(unguardConsequence(isOne, isStaged)).toBe(words);
  });
});

describe('unprotectConsequence', () => {
  it('names the groups that still protect the environment', () => {
    expect(unprotectConsequence('production', [])).toBe(
      'Its rules are deleted. Everyone with the Developer role or higher may then deploy to production.',
    );
    expect(unprotectConsequence('production', ['acme'])).toBe(
      'Its rules are deleted. The rules of the group acme still decide who may deploy to production.',
    );
  });
});
