import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
import { GroupsPanel } from './groups-panel.tsx';
import { peopleTabs, type PeopleTab } from './people-tabs.ts';
import { ProjectsPanel } from './projects-panel.tsx';
import { TokensPanel } from './tokens-panel.tsx';
import { UsersPanel } from './users-panel.tsx';
import '../../ui/tabbed.css';
import './people.css';

const labels: Record<PeopleTab, string> = { users: 'Users', groups: 'Groups', projects: 'Projects', tokens: 'Tokens' };
const panels = { users: UsersPanel, groups: GroupsPanel, projects: ProjectsPanel, tokens: TokensPanel } as const;

/** Who is who: users, groups, projects with their members, and access tokens. */
export function PeoplePage() {
  const { tab = 'users' } = useSearch({ from: '/people' });
  const navigate = useNavigate({ from: '/people' });
  return (
    <Page title="People" padded={false}>
      <Tabs
        className="gh-tabbed"
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          void navigate({ search: value === null ? {} : { tab: value as PeopleTab }, replace: true })
        }
      >
        <Tabs.List aria-label="People">
          {peopleTabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {labels[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {peopleTabs.map((each) => {
          const Panel = panels[each];
          return (
            <Tabs.Panel key={each} value={each} className="gh-tab-panel">
              <Panel />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Page>
  );
}
