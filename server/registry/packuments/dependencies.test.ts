import { describe, expect, it } from 'vitest';
import { declaredDependencies, describeDependencies, describeDependents, type DependentStore } from './dependencies.ts';

const store: DependentStore = {
  findByName: (name) => (name === '@acme/http' ? { packageId: 4, versions: ['1.0.0', '1.4.0', '2.0.0'] } : undefined),
  mentioning: () => [
    { packageId: 9, name: 'z', version: '1.0.0', manifest: '{"dependencies":{"@acme/http":"^2.0.0"}}' },
    { packageId: 8, name: 'a', version: '3.0.0', manifest: '{"devDependencies":{"@acme/http":"1.x"}}' },
    { packageId: 7, name: 'talks-of-it', version: '1.0.0', manifest: '{"description":"like @acme/http"}' },
  ],
};

describe('dependencies', () => {
  it('are read from a manifest, optional ones as optional, nonsense left out', () => {
    const manifest = {
      dependencies: { a: '1', opt: '2', odd: 5 },
      optionalDependencies: { opt: '2' },
      peerDependencies: { react: '>=18' },
      devDependencies: 'none',
    };
    expect(declaredDependencies(manifest)).toEqual([
      { name: 'a', range: '1', kind: 'dependencies' },
      { name: 'opt', range: '2', kind: 'optionalDependencies' },
      { name: 'react', range: '>=18', kind: 'peerDependencies' },
    ]);
  });

  it('say what this registry has for them', () => {
    const manifest = { dependencies: { '@acme/http': '^1.0.0', left: '*' }, peerDependencies: { '@acme/http': '^9' } };
    expect(describeDependencies(manifest, store, 1).map((each) => each.here)).toEqual([
      { packageId: 4, satisfiedBy: '1.4.0' },
      null,
      { packageId: 4, satisfiedBy: null },
    ]);
  });

  it('are found the other way round, where a manifest really depends', () => {
    expect(describeDependents('@acme/http', '2.0.0', store)).toEqual([
      { packageId: 8, name: 'a', version: '3.0.0', range: '1.x', kind: 'devDependencies', satisfied: false },
      { packageId: 9, name: 'z', version: '1.0.0', range: '^2.0.0', kind: 'dependencies', satisfied: true },
    ]);
  });
});
