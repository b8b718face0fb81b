import { expect, it } from 'vitest';
import type { TagGuardView } from '../../../server/contract/guards.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { EnvironmentList } from './environment-list.tsx';

const guard: TagGuardView = {
  id: 1,
  pattern: 'latest',
  environment: 'releases',
  tier: 'other',
  protected: true,
  allowSelfApproval: false,
  deployersWait: false,
  createdAt: 5,
  updatedAt: 5,
};

it('keeps how many more may deploy in one piece where the first of them is cut', () => {
  const rule = { userId: null, groupId: null, groupInheritanceType: 0 as const, detail: '' };
  const { container } = renderInWindow(
    <EnvironmentList
      ref={null}
      owner={{ projectId: 1 }}
      list={[
        {
          id: 1,
          name: 'production',
          tier: 'production',
          rules: [
            { ...rule, id: 1, kind: 'role', accessLevel: 40, description: 'Maintainers' },
            { ...rule, id: 2, kind: 'user', accessLevel: null, userId: 7, description: 'Ada Lovelace' },
          ],
          approvalRules: [],
          updatedAt: 1,
        },
      ]}
      inherited={[]}
      guards={[]}
      isStaged
      active={undefined}
      onOpen={() => undefined}
      areTagsOpen={false}
      onOpenTags={() => undefined}
    />,
  );
  expect(container.textContent).toContain('Maintainers and 1 more');
  expect([...container.querySelectorAll('bdi')].map((end) => end.textContent)).toContain(' and 1 more');
});

it.each([
  [true, /^releases.*Approvers of latest and 2 more$/],
  [false, /^releases.*Guards latest and 2 more$/],
])('names of the tags that an environment guards latest first, and how many more there are', (isStaged, first) => {
  const { container } = renderInWindow(
    <EnvironmentList
      ref={null}
      owner={{ projectId: 1 }}
      list={['releases', 'tag-approvers'].map((name, id) => {
        return { id, name, tier: 'other', rules: [], approvalRules: [], updatedAt: 1 };
      })}
      inherited={[]}
      guards={[
        { ...guard, pattern: 'rc', environment: 'tag-approvers' },
        { ...guard, pattern: 'beta' },
        { ...guard, pattern: 'latest' },
        { ...guard, pattern: '*-lts' },
        { ...guard, pattern: 'next', environment: 'preview' },
      ]}
      isStaged={isStaged}
      active={undefined}
      onOpen={() => undefined}
      areTagsOpen={false}
      onOpenTags={() => undefined}
    />,
  );
  const entries = [...container.querySelectorAll('button')].map((entry) => entry.textContent);
  expect(entries[0]).toMatch(first);
  expect(entries[1]).toBe(isStaged ? 'previewApprovers of next' : 'previewGuards the tag next');
  // What is for tags only is opened from there.
  expect(entries.slice(2)).toEqual(['Tag approvalslatest and 4 more']);
});
