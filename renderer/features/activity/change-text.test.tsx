import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { DetailText, SubjectText } from './change-text.tsx';

/** What stays in sight of a text that is cut: the ends of its pieces. */
function kept(text: ReactNode): (string | null)[] {
  const { container } = render(text);
  return [...container.querySelectorAll('bdi')].map((end) => end.textContent);
}

it('keeps the number of a version that has more than 32 characters, and its end', () => {
  const version = '12.34.567-beta.20270131.with.a.long.prerelease.identifier';
  expect(kept(<SubjectText text={`@acme/kettle@${version}`} />)).toEqual(['@12.34.567', 'identifier']);
});

it('keeps all of a version with 32 characters, and the end of a name without one', () => {
  expect(kept(<SubjectText text="kettle@2.0.0-beta.20270131" />)).toEqual(['@2.0.0-beta.20270131']);
  expect(kept(<SubjectText text="customers/europe/west/production-2" />)).toEqual(['production-2']);
  expect(kept(<SubjectText text="kettle@a-version-that-begins-with-no-number-at-all" />)).toHaveLength(1);
});

it('keeps the end of a detail, where the role and the version of now are, and of the group before it', () => {
  const { container } = render(<DetailText text="in team-of-the-night-shift-30 · role: Maintainer" />);
  expect(container.querySelector('bdi')?.textContent).toBe('shift-30');
  expect(container.querySelector('.gh-change-detail-parts')?.lastChild?.textContent).toBe(' · role: Maintainer');
  expect(kept(<DetailText text="in local/packages · 2.0.0-beta.20270131 → 2.0.0" />)).toEqual(['20270131']);
  expect(kept(<DetailText text="owner: kettle" />)).toEqual([]);
  // Cut before its end, it said "may deploy:…Mia Chen · approvers: + Maintainers".
  expect(kept(<DetailText text="may deploy: + Mia Chen · approvers: + Maintainers" />)).toEqual([]);
  expect(kept(<DetailText text="tags: release-candidate-of-the-branch · size: 242 B" />)).toEqual(['-of-the-branch']);
  expect(kept(<DetailText text="name: Team of the night shift · visibility: private" />)).toEqual([' the night shift']);
});
