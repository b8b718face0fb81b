import { expect, it } from 'vitest';
import { readProvenance } from './provenance.ts';

const predicateType = 'https://slsa.dev/provenance/v1';
const bundle = (statement: unknown) => ({
  predicateType,
  text: JSON.stringify({ dsseEnvelope: { payload: Buffer.from(JSON.stringify(statement)).toString('base64') } }),
});
const nothing = { predicateType, builder: null, repository: null, ref: null, commit: null, workflow: null };

it('names the repository, the commit and the build system of a publish from CI', () => {
  const predicate = {
    buildDefinition: {
      externalParameters: {
        workflow: { repository: 'https://git.test/acme/ui', ref: 'refs/tags/v1', path: '.ci/release.yml' },
      },
      resolvedDependencies: [{ uri: 'git+https://git.test/acme/ui', digest: { gitCommit: 'c0ffee' } }],
    },
    runDetails: { builder: { id: 'https://git.test/runner' } },
  };
  expect(readProvenance(bundle({ predicate }))).toEqual({
    predicateType,
    builder: 'https://git.test/runner',
    repository: 'https://git.test/acme/ui',
    ref: 'refs/tags/v1',
    commit: 'c0ffee',
    workflow: '.ci/release.yml',
  });
});

it.each([
  null,
  'text',
  {},
  { predicate: 7 },
  { predicate: { buildDefinition: { externalParameters: { workflow: [] }, resolvedDependencies: [null] } } },
  { predicate: { runDetails: { builder: { id: { deep: true } } } } },
])('says nothing of what it cannot read: %j', (statement) => {
  expect(readProvenance(bundle(statement))).toEqual(nothing);
});

it('survives what is no bundle at all', () => {
  expect(readProvenance({ predicateType, text: '{' })).toEqual(nothing);
});
