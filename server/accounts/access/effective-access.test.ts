import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemberLevel } from '../../contract/levels.ts';
import { type AccessFacts, grantsOfGroup, grantsOfProject, levelOfUser, strongestGrants } from './effective-access.ts';
import type { Container } from '../records.ts';

interface Sketch {
  /** Parents of groups; groups that are not listed stand at the top. */
  parents?: Record<number, number>;
  /** Container (`g1`, `p1`), user, level. */
  members?: [string, number, MemberLevel][];
  /** Container that is shared, invited group, level. */
  shares?: [string, number, MemberLevel][];
  /** Where project 1 lives: a group, or the owner of a personal namespace. */
  group?: number;
  owner?: number;
}

function sketch({ parents = {}, members = [], shares = [], group = 1, owner }: Sketch): AccessFacts {
  const key = (container: Container) => `${container.kind === 'group' ? 'g' : 'p'}${container.id}`;
  const times = { createdAt: 0, expiresOn: null };
  return {
    parentOf: (id) => parents[id] ?? null,
    namespaceOf: () => (owner === undefined ? { id: group, ownerId: null } : { id: 99, ownerId: owner }),
    membersOf: (container) =>
      members
        .filter(([place]) => place === key(container))
        .map(([, userId, level]) => ({ container, userId, level, createdBy: null, ...times })),
    sharesOf: (container) =>
      shares
        .filter(([place]) => place === key(container))
        .map(([, groupId, level], id) => ({ id, container, groupId, level, ...times })),
  };
}

function levelsInProject(facts: Sketch): Record<number, number> {
  const access = strongestGrants(grantsOfProject(sketch(facts), 1));
  return Object.fromEntries([...access].map(([userId, grant]) => [userId, grant.level]));
}

function levelsInGroup(facts: Sketch, groupId: number): Record<number, number> {
  const access = strongestGrants(grantsOfGroup(sketch(facts), groupId));
  return Object.fromEntries([...access].map(([userId, grant]) => [userId, grant.level]));
}

describe('effective access to a project', () => {
  it('is the strongest of direct and inherited membership', () => {
    const parents = { 1: 2, 2: 3 };
    expect(
      levelsInProject({
        parents,
        members: [
          ['p1', 7, 20],
          ['g1', 7, 30],
          ['g3', 7, 40],
        ],
      }),
    ).toEqual({ 7: 40 });
    expect(
      levelsInProject({
        parents,
        members: [
          ['p1', 7, 50],
          ['g2', 7, 30],
        ],
      }),
    ).toEqual({ 7: 50 });
  });

  it('comes from above, never from below or beside', () => {
    expect(
      levelsInProject({
        parents: { 4: 1 },
        members: [
          ['g4', 7, 50],
          ['g5', 8, 50],
        ],
      }),
    ).toEqual({});
  });

  it('through an invited group is the smaller of the two roles, and counts members that the group inherits', () => {
    const parents = { 5: 6 };
    const members: Sketch['members'] = [
      ['g5', 7, 50],
      ['g5', 8, 10],
      ['g6', 9, 40],
    ];
    expect(levelsInProject({ parents, members, shares: [['p1', 5, 30]] })).toEqual({ 7: 30, 8: 10, 9: 30 });
  });

  it('counts groups that are invited to a group above', () => {
    const facts: Sketch = { parents: { 1: 2 }, members: [['g5', 7, 40]], shares: [['g2', 5, 20]] };
    expect(levelsInProject(facts)).toEqual({ 7: 20 });
  });

  it('of a group invited to an invited group passes both caps; a third link brings nobody in', () => {
    const members: Sketch['members'] = [
      ['g5', 7, 50],
      ['g6', 8, 50],
      ['g7', 9, 50],
    ];
    const shares: Sketch['shares'] = [
      ['p1', 5, 40],
      ['g5', 6, 30],
      ['g6', 7, 50],
    ];
    expect(levelsInProject({ members, shares })).toEqual({ 7: 40, 8: 30 });
  });

  it('is ownership for the owner of a personal namespace', () => {
    expect(levelsInProject({ owner: 7, members: [['p1', 8, 30]] })).toEqual({ 7: 50, 8: 30 });
  });
});

describe('effective access of one user', () => {
  it('is what the grants of the whole project come to', () => {
    const level = fc.constantFrom<MemberLevel>(10, 15, 20, 30, 40, 50);
    const place = fc.constantFrom('p1', 'g1', 'g2', 'g3', 'g4');
    const anySketch = fc.record({
      parents: fc.constantFrom<Record<number, number>>({}, { 1: 2 }, { 1: 2, 2: 3 }, { 4: 3, 1: 3 }),
      members: fc.uniqueArray(fc.tuple(place, fc.integer({ min: 7, max: 9 }), level), {
        maxLength: 8,
        selector: ([where, who]) => `${where} ${who}`,
      }),
      shares: fc.array(fc.tuple(place, fc.integer({ min: 1, max: 4 }), level), { maxLength: 5 }),
      owner: fc.constantFrom(undefined, undefined, 7),
    });
    fc.assert(
      fc.property(anySketch, fc.integer({ min: 7, max: 9 }), ({ owner, ...rest }, userId) => {
        const facts = sketch(owner === undefined ? rest : { ...rest, owner });
        const groupLevel = (id: number) => strongestGrants(grantsOfGroup(facts, id)).get(userId)?.level ?? 0;
        const expected = strongestGrants(grantsOfProject(facts, 1)).get(userId)?.level ?? 0;
        expect(levelOfUser(facts, userId, 1, groupLevel)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('effective access to a group', () => {
  it('is that of the group and those above, with the groups invited to any of them', () => {
    const facts: Sketch = {
      parents: { 1: 2 },
      members: [
        ['g1', 7, 20],
        ['g2', 8, 50],
        ['g5', 9, 40],
        ['g1', 9, 10],
      ],
      shares: [['g2', 5, 30]],
    };
    expect(levelsInGroup(facts, 1)).toEqual({ 7: 20, 8: 50, 9: 30 });
  });

  it('ends for groups that invite each other', () => {
    const facts: Sketch = {
      members: [
        ['g1', 7, 50],
        ['g2', 8, 40],
      ],
      shares: [
        ['g1', 2, 30],
        ['g2', 1, 20],
      ],
    };
    expect(levelsInGroup(facts, 1)).toEqual({ 7: 50, 8: 30 });
    expect(levelsInGroup(facts, 2)).toEqual({ 7: 20, 8: 40 });
  });
});
