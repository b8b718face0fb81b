import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../ui/page/page.tsx';
import { PageTabs } from '../../ui/page/page-tabs.tsx';
import { GroupsPanel, ProjectsPanel } from './containers-panel.tsx';
import { peopleTabs, type PeopleTab } from './people-tabs.ts';
import { TokensPanel } from './tokens-panel.tsx';
import { UsersPanel } from './users-panel.tsx';

const labels: Record<PeopleTab, string> = { users: 'Users', groups: 'Groups', projects: 'Projects', tokens: 'Tokens' };
const panels = { users: UsersPanel, groups: GroupsPanel, projects: ProjectsPanel, tokens: TokensPanel } as const;

/** Users, groups, projects with their members, and access tokens. */
export function PeoplePage() {
  const { tab = 'users', q = '' } = useSearch({ from: '/people' });
  const navigate = useNavigate({ from: '/people' });
  return (
    <Page title="People" padded={false}>
      <PageTabs
        // Each search that an address names begins anew.
        key={q}
        label="People"
        tabs={peopleTabs}
        labels={labels}
        panels={panels}
        current={tab}
        onChange={(chosen) => void navigate({ search: { tab: chosen }, replace: true })}
      />
    </Page>
  );
}
