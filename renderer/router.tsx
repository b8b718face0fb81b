import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { ActivityPage } from './features/activity/activity-page.tsx';
import { BackupsPage } from './features/backups/backups-page.tsx';
import { ConnectPage } from './features/connect/connect-page.tsx';
import { EnvironmentsPage } from './features/environments/environments-page.tsx';
import { OverviewPage } from './features/overview/overview-page.tsx';
import { PeoplePage } from './features/people/people-page.tsx';
import { peopleTabs, type PeopleTab } from './features/people/people-tabs.ts';
import { SettingsPage } from './features/settings/settings-page.tsx';
import { PackagePage } from './features/packages/package-page.tsx';
import { packageTabs, type PackageTab } from './features/packages/package-tabs.ts';
import { PackageByName } from './features/packages/package-by-name.tsx';
import { PackagesPage } from './features/packages/packages-page.tsx';
import { UpstreamPage } from './features/upstream/upstream-page.tsx';
import { upstreamTabs, type UpstreamTab } from './features/upstream/upstream-tabs.ts';
import { EmptyState } from './ui/empty-state.tsx';
import { Page } from './ui/page.tsx';
import { Shell } from './ui/shell.tsx';
import { IconMapOff } from '@tabler/icons-react';
import { RouteCrashed } from './ui/route-crashed.tsx';

const rootRoute = createRootRoute({ component: Shell });

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/packages', throw: true });
  },
});

interface PackagesSearch {
  q?: string;
  scope?: string;
  project?: number;
  sort?: 'name' | 'publishedAt' | 'size' | 'versions';
  desc?: boolean;
}

const packagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/packages',
  validateSearch: (search: PackagesSearch & SearchSchemaInput): PackagesSearch => ({
    ...(typeof search.q === 'string' && search.q !== '' ? { q: search.q } : {}),
    ...(typeof search.scope === 'string' ? { scope: search.scope } : {}),
    ...(typeof search.project === 'number' ? { project: search.project } : {}),
    ...(search.sort !== undefined && ['name', 'publishedAt', 'size', 'versions'].includes(search.sort)
      ? { sort: search.sort }
      : {}),
    ...(search.desc === true ? { desc: true } : {}),
  }),
  component: PackagesPage,
});

const packageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/packages/$packageId',
  params: {
    parse: ({ packageId }) => ({ packageId: Number(packageId) }),
    stringify: ({ packageId }) => ({ packageId: String(packageId) }),
  },
  validateSearch: (search: { tab?: PackageTab } & SearchSchemaInput): { tab?: PackageTab } =>
    search.tab !== undefined && packageTabs.includes(search.tab) ? { tab: search.tab } : {},
  component: PackagePage,
});

/** Where `gatehouse://package/NAME` leads: whoever makes such a link knows no ids. */
const packageByNameRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/package-by-name/$name',
  component: PackageByName,
});

interface EnvironmentsSearch {
  project?: number;
  name?: string;
  view?: 'access';
}

const environmentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/environments',
  validateSearch: (search: EnvironmentsSearch & SearchSchemaInput): EnvironmentsSearch => ({
    ...(typeof search.project === 'number' ? { project: search.project } : {}),
    ...(typeof search.name === 'string' ? { name: search.name } : {}),
    ...(search.view === 'access' ? { view: search.view } : {}),
  }),
  component: EnvironmentsPage,
});

const connectRoute = createRoute({ getParentRoute: () => rootRoute, path: '/connect', component: ConnectPage });

const peopleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people',
  validateSearch: (search: { tab?: PeopleTab } & SearchSchemaInput): { tab?: PeopleTab } =>
    search.tab !== undefined && peopleTabs.includes(search.tab) ? { tab: search.tab } : {},
  component: PeoplePage,
});

const activityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/activity',
  validateSearch: (search: { view?: 'requests' } & SearchSchemaInput): { view?: 'requests' } =>
    search.view === 'requests' ? { view: search.view } : {},
  component: ActivityPage,
});

interface UpstreamSearch {
  tab?: UpstreamTab;
  /** Id of the registry that the tab is about. */
  of?: number;
}

const upstreamRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/upstream',
  validateSearch: (search: UpstreamSearch & SearchSchemaInput): UpstreamSearch => ({
    ...(search.tab !== undefined && upstreamTabs.includes(search.tab) ? { tab: search.tab } : {}),
    ...(typeof search.of === 'number' ? { of: search.of } : {}),
  }),
  component: UpstreamPage,
});

const backupsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/backups', component: BackupsPage });
const overviewRoute = createRoute({ getParentRoute: () => rootRoute, path: '/overview', component: OverviewPage });
const settingsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/settings', component: SettingsPage });

/** The screens and their addresses, after the hash. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    indexRoute,
    packagesRoute,
    packageRoute,
    packageByNameRoute,
    environmentsRoute,
    peopleRoute,
    activityRoute,
    connectRoute,
    overviewRoute,
    upstreamRoute,
    backupsRoute,
    settingsRoute,
  ]),
  history: createHashHistory(),
  defaultErrorComponent: RouteCrashed,
  defaultNotFoundComponent: () => (
    <Page title="Not here">
      <EmptyState icon={<IconMapOff size={22} />} title="There is no such screen" text="Choose one at the left." />
    </Page>
  ),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
