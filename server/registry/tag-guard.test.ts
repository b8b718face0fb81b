import { describe, expect, it } from 'vitest';
import { systemActor } from '../accounts/change.ts';
import type { PackageRow } from './package-store.ts';
import { TagChecks } from './tag-guard.ts';

interface Stored {
  readonly versions: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  /** When its tags were changed. */
  readonly changedAt?: number;
}

/** The tags that a check asks the guard about, with the project; packages are numbered from 1, as are their projects. */
function asked(packages: readonly Stored[], check: (checks: TagChecks) => void, guardsLatest = true): string[] {
  const found: string[] = [];
  const rows = packages.map((_, index) => packageRow(index + 1));
  const tagsOf = (id: number) =>
    Object.entries(packages[id - 1]?.tags ?? {}).map(([tag, version], index) => ({
      id: index,
      tag,
      version,
      versionId: index,
      createdAt: 0,
      updatedAt: packages[id - 1]?.changedAt ?? 0,
    }));
  const guard = {
    isGuarded: () => guardsLatest,
    requireAllowed: ({ tag, projectId }: { tag: string; projectId: number }) => void found.push(`${projectId} ${tag}`),
  };
  const store = {
    tagsOf,
    findVersion: () => undefined,
    versionNames: (id: number) => [...(packages[id - 1]?.versions ?? [])],
  };
  check(
    new TagChecks({
      store,
      guard,
      packagesBeside: ({ projectId }) => rows.filter((row) => row.projectId !== projectId),
    }),
  );
  return found;
}

function packageRow(id: number): PackageRow {
  return { id, projectId: id, name: 'pkg', revision: 1, createdAt: 0, updatedAt: 0 };
}

describe('the tags that a publish touches', () => {
  const cases: [string, Record<string, string>, string[], string, string[]][] = [
    ['the tags of the document', { latest: '1.0.0' }, ['next'], '2.0.0', ['1 next']],
    ['a computed latest that moves', { next: '1.0.0' }, ['next'], '2.0.0', ['1 next', '1 latest']],
    ['no computed latest that stays', { next: '1.0.0' }, ['next'], '0.9.0', ['1 next']],
    ['no computed latest that a prerelease leaves', { next: '1.0.0' }, ['next'], '2.0.0-rc.1', ['1 next']],
    ['latest once', {}, ['latest'], '2.0.0', ['1 latest']],
  ];
  it.each(cases)('%s', (_, tags, published, version, expected) => {
    const found = asked([{ versions: ['1.0.0'], tags }], (checks) =>
      checks.requirePublish(packageRow(1), version, published, systemActor),
    );
    expect(found).toEqual(expected);
  });

  it('the computed latest of a package that was not there', () => {
    const found = asked([], (checks) =>
      checks.requirePublish({ projectId: 1, name: 'pkg' }, '1.0.0-rc.1', ['next'], systemActor),
    );
    expect(found).toEqual(['1 next', '1 latest']);
  });

  it('those of the same package in another project that shared prefixes merge', () => {
    const there = { versions: ['1.0.0'], tags: { latest: '1.0.0' } };
    const publish = (tags: string[]) => (checks: TagChecks) =>
      checks.requirePublish({ projectId: 2, name: 'pkg' }, '2.0.0', tags, systemActor);
    expect(asked([there], publish(['next']))).toEqual(['2 next', '2 latest', '1 next']);
    expect(asked([{ ...there, tags: {} }], publish(['next']))).toEqual(['2 next', '2 latest', '1 next', '1 latest']);
    const set = (checks: TagChecks) => checks.requireSet({ projectId: 2, name: 'pkg' }, 'latest', systemActor);
    expect(asked([there], set)).toEqual(['2 latest', '1 latest']);
  });
});

it('asks nobody about a release that was approved', () => {
  const store = { tagsOf: () => [], findVersion: () => undefined, versionNames: () => [] };
  const checks = new TagChecks({
    store,
    guard: { isGuarded: () => false, requireAllowed: () => undefined },
    packagesBeside: () => [],
  });
  expect(() => checks.requirePublish(packageRow(1), '1.0.0', ['latest'], systemActor)).not.toThrow();
});

describe('the tags of versions that are deprecated or removed', () => {
  const cases: [string, Record<string, string>, string[], string[]][] = [
    ['those that point there', { latest: '1.0.0', next: '2.0.0', beta: '2.0.0' }, ['2.0.0'], ['1 next', '1 beta']],
    ['none where none points there', { latest: '2.0.0' }, ['1.0.0'], []],
    ['the computed latest', { beta: '1.0.0' }, ['2.0.0'], ['1 latest']],
    ['a version without its build metadata', { latest: '1.0.0', next: '3.0.0+b1' }, ['3.0.0'], ['1 next']],
  ];
  it.each(cases)('%s', (_, tags, changed, expected) => {
    const found = asked([{ versions: ['1.0.0', '2.0.0'], tags }], (checks) =>
      checks.requireVersions(packageRow(1), changed, 'unpublish', systemActor),
    );
    expect(found).toEqual(expected);
  });

  it('those of the project that had the name first, whose older tag shared prefixes would show then', () => {
    const first = { versions: ['1.0.0'], tags: { latest: '1.0.0' }, changedAt: 5 };
    const later = { versions: ['2.0.0'], tags: { latest: '2.0.0' }, changedAt: 6 };
    const remove = (checks: TagChecks) => checks.requireRemove(packageRow(2), 'latest', systemActor);
    const unpublish = (checks: TagChecks) => checks.requireVersions(packageRow(2), ['2.0.0'], 'unpublish', systemActor);
    for (const act of [remove, unpublish]) {
      expect(asked([first, later], act)).toEqual(['2 latest', '1 latest']);
      // What is not shown takes nothing away.
      expect(asked([{ ...first, changedAt: 7 }, later], act)).toEqual(['2 latest']);
    }
    const untagged = [first, later].map((each) => ({ ...each, tags: {} }));
    expect(asked(untagged, unpublish)).toEqual(['2 latest', '1 latest']);
  });

  it('not the computed latest where nothing guards it', () => {
    const deprecate = (checks: TagChecks) => checks.requireVersions(packageRow(1), ['1.0.0'], 'deprecate', systemActor);
    expect(asked([{ versions: ['1.0.0'], tags: {} }], deprecate, false)).toEqual([]);
  });
});
