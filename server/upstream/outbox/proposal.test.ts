import { expect, it } from 'vitest';
import { proposeSending } from './proposal.ts';

it('proposes a scope where all packages of it belong there, else each by its name, of their projects only', () => {
  expect(
    proposeSending([
      { name: '@acme/boiler', projectIds: [1], belongs: true },
      { name: '@acme/valve', projectIds: [1, 4], belongs: true },
      { name: '@team/open', projectIds: [2], belongs: true },
      { name: '@team/secret', projectIds: [3], belongs: false },
      { name: 'tiny-queue', projectIds: [1], belongs: true },
      { name: 'private', projectIds: [5], belongs: false },
    ]),
  ).toEqual({ selection: ['@acme/*', '@team/open', 'tiny-queue'], pushFrom: { projectIds: [1, 4, 2] } });
});

it('proposes nothing where nothing belongs there, or more than can be named', () => {
  const nothing = { selection: [], pushFrom: null };
  expect(proposeSending([{ name: 'private', projectIds: [1], belongs: false }])).toEqual(nothing);
  const many = Array.from({ length: 1001 }, (_, index) => ({ name: `p${index}`, projectIds: [1], belongs: true }));
  expect(proposeSending(many)).toEqual(nothing);
});
