import { describe, expect, it } from 'vitest';
import type { EffectiveLevel } from '../contract/levels.ts';
import { type DeployFacts, type DeployReason, decideDeployment, explainDecision } from './deploy-decision.ts';
import type { DeployLevel } from './records.ts';

const ann = { id: 7, username: 'ann', isAdmin: false, blocked: false };
const admin = { ...ann, isAdmin: true };

let ids = 0;
function rule(selector: Partial<Omit<DeployLevel, 'id'>>): DeployLevel {
  ids += 1;
  return { id: ids, accessLevel: null, userId: null, groupId: null, groupInheritanceType: 0, ...selector };
}

function facts(
  level: EffectiveLevel,
  rules: readonly DeployLevel[] | undefined,
  more: Partial<DeployFacts> = {},
): DeployFacts {
  return {
    deployer: ann,
    projectLevel: level,
    protections: rules ? [{ ...own, level, rules }] : [],
    directGroups: new Set(),
    allGroups: new Set(),
    ...more,
  };
}

function verdicts(rules: readonly DeployLevel[] | undefined, more: Partial<DeployFacts> = {}): string[] {
  const people: DeployFacts[] = [10, 20, 30, 40, 50].map((level) => facts(level as EffectiveLevel, rules, more));
  people.push(facts(0, rules, { ...more, deployer: admin }));
  return people.map((person) => (decideDeployment(person).allowed ? 'yes' : 'no'));
}

const own = { name: 'production', group: null };
const ofGroup = { name: 'production', group: 'acme' };

const inGroup = { directGroups: new Set([3]), allGroups: new Set([3]) };
const inGroupIndirectly = { allGroups: new Set([3]) };

describe('decideDeployment: guest, reporter, developer, maintainer, owner, administrator', () => {
  it.each<[string, DeployLevel[] | undefined, Partial<DeployFacts>, string]>([
    ['unprotected', undefined, {}, 'no no yes yes yes yes'],
    ['no rule left', [], {}, 'no no no no no yes'],
    ['a rule for somebody else', [rule({ userId: 8 })], {}, 'no no no no no yes'],
    ['a rule for the user', [rule({ userId: 7 })], {}, 'no yes yes yes yes yes'],
    ['the role 30', [rule({ accessLevel: 30 })], {}, 'no no yes yes yes yes'],
    ['the role 40', [rule({ accessLevel: 40 })], {}, 'no no no yes yes yes'],
    ['the role 60', [rule({ accessLevel: 60 })], {}, 'no no no no no yes'],
    ['a group of the user', [rule({ groupId: 3 })], inGroup, 'no yes yes yes yes yes'],
    ['a group of others', [rule({ groupId: 3 })], {}, 'no no no no no yes'],
    ['an inherited group, direct members only', [rule({ groupId: 3 })], inGroupIndirectly, 'no no no no no yes'],
    [
      'an inherited group, all members',
      [rule({ groupId: 3, groupInheritanceType: 1 })],
      inGroupIndirectly,
      'no yes yes yes yes yes',
    ],
    ['any of several rules', [rule({ userId: 8 }), rule({ accessLevel: 40 })], {}, 'no no no yes yes yes'],
    [
      'inheritance of a role means nothing',
      [rule({ accessLevel: 40, groupInheritanceType: 1 })],
      {},
      'no no no yes yes yes',
    ],
    ['anonymous', [rule({ accessLevel: 30 })], { deployer: null }, 'no no no no no yes'],
  ])('%s', (_name, rules, more, expected) => {
    expect(verdicts(rules, more).join(' ')).toBe(expected);
  });

  it('asks every protection that applies', () => {
    const project = { ...own, level: 30, rules: [rule({ accessLevel: 30 })] } as const;
    const strictGroup = { ...ofGroup, level: 30, rules: [rule({ accessLevel: 40 })] } as const;
    const kindGroup = { ...ofGroup, level: 40, rules: [rule({ accessLevel: 40 })] } as const;
    expect(decideDeployment(facts(30, undefined, { protections: [project, strictGroup] })).allowed).toBe(false);
    expect(decideDeployment(facts(30, undefined, { protections: [strictGroup, project] })).allowed).toBe(false);
    expect(decideDeployment(facts(30, undefined, { protections: [project, kindGroup] }))).toMatchObject({
      allowed: true,
      rule: project.rules[0],
    });
  });

  it('refuses a blocked administrator', () => {
    expect(decideDeployment(facts(50, undefined, { deployer: { ...admin, blocked: true } })).reason).toBe('blocked');
  });
});

describe('explainDecision', () => {
  it.each<[DeployReason, EffectiveLevel, string]>([
    ['anonymous', 0, 'Only signed-in users deploy to production.'],
    ['blocked', 30, '@ann is blocked.'],
    ['administrator', 0, '@ann is an administrator and may deploy everywhere.'],
    ['role', 30, 'production is not protected, and @ann has the Developer role, which may deploy.'],
    [
      'role_too_low',
      20,
      'production is not protected, but @ann has only the Reporter role; deploying needs Developer or higher.',
    ],
    ['role_too_low', 0, '@ann has no access to the project.'],
    ['rule', 40, 'The rule for Maintainers lets @ann deploy to production.'],
    ['no_rules', 40, 'production is protected and no rule is left: only administrators may deploy.'],
    ['no_rule_matches', 30, 'No rule of production allows @ann, who has the Developer role.'],
    [
      'no_rule_matches',
      20,
      'No rule of production allows @ann. First give @ann the Developer role (now Reporter), then add a rule.',
    ],
    ['no_rule_matches', 0, 'No rule of production allows @ann, who has no access to the project.'],
    ['no_access', 0, 'The rule for Maintainers allows @ann, but @ann has no access to the project any more.'],
    [
      'no_access',
      10,
      'The rule for Maintainers allows @ann, but @ann has only the Guest role; deploying needs Reporter or higher.',
    ],
  ])('says why: %s', (reason, projectLevel, sentence) => {
    const decision = { allowed: true, reason, rule: null };
    const who = { deployer: reason === 'anonymous' ? null : ann, projectLevel };
    expect(explainDecision(decision, who, 'production', 'Maintainers')).toBe(sentence);
  });

  it.each<[DeployReason, string | null, string]>([
    ['rule', null, 'The rules of live allow @ann by name.'],
    ['rule', 'acme', 'The rules of live of the group "acme" allow @ann by name.'],
    ['no_access', null, 'The rules of live allow @ann by name, but @ann has no access to the project any more.'],
  ])('names a user once whom a rule names: %s', (reason, group, sentence) => {
    const protection = { name: 'production', group, level: 0, rules: [] } as const;
    const decision = { allowed: reason === 'rule', reason, rule: rule({ userId: ann.id }), protection };
    expect(explainDecision(decision, { deployer: ann, projectLevel: 0 }, 'live', 'Ann')).toBe(sentence);
  });

  it.each<[string, DeployLevel[], EffectiveLevel, string]>([
    [
      'a role',
      [rule({ userId: 8 }), rule({ accessLevel: 40 }), rule({ accessLevel: 60 })],
      0,
      'The group "acme" lets its Maintainers deploy to production environments; @ann has no role there.',
    ],
    [
      'a role above that of the user',
      [rule({ accessLevel: 40 })],
      30,
      'The group "acme" lets its Maintainers deploy to production environments; @ann has only the Developer role there.',
    ],
    [
      'others',
      [rule({ userId: 8 }), rule({ accessLevel: 60 })],
      30,
      'The group "acme" lets others deploy to production environments, not @ann.',
    ],
  ])('says whom a group asks for: %s', (_name, rules, level, sentence) => {
    const protection = { name: 'production', group: 'acme', level, rules };
    const decision = { allowed: false, reason: 'no_rule_matches', rule: null, protection } as const;
    expect(explainDecision(decision, { deployer: ann, projectLevel: 40 }, 'live', '')).toBe(sentence);
  });
});
