import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { peopleTabs, type PeopleTab } from '../features/people/people-tabs.ts';
import { packageTabs, type PackageTab } from '../features/packages/package-tabs.ts';
import { PackagesPage } from '../features/packages/packages-page.tsx';
import { upstreamTabs, type UpstreamTab } from '../features/upstream/upstream-tabs.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';
import { Shell } from './shell.tsx';
import { IconMapOff } from '@tabler/icons-react';
import { RouteCrashed } from '../ui/route-crashed.tsx';

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
  component: lazyRouteComponent(() => import('../features/packages/package-page.tsx'), 'PackagePage'),
});

/** Target of `gatehouse://package/NAME` links, which carry no id. */
const packageByNameRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/package-by-name/$name',
  component: lazyRouteComponent(() => import('../features/packages/package-by-name.tsx'), 'PackageByName'),
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
  component: lazyRouteComponent(() => import('../features/environments/environments-page.tsx'), 'EnvironmentsPage'),
});

const connectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/connect',
  component: lazyRouteComponent(() => import('../features/connect/connect-page.tsx'), 'ConnectPage'),
});

const peopleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people',
  validateSearch: (search: { tab?: PeopleTab } & SearchSchemaInput): { tab?: PeopleTab } =>
    search.tab !== undefined && peopleTabs.includes(search.tab) ? { tab: search.tab } : {},
  component: lazyRouteComponent(() => import('../features/people/people-page.tsx'), 'PeoplePage'),
});

const activityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/activity',
  validateSearch: (search: { view?: 'requests' } & SearchSchemaInput): { view?: 'requests' } =>
    search.view === 'requests' ? { view: search.view } : {},
  component: lazyRouteComponent(() => import('../features/activity/activity-page.tsx'), 'ActivityPage'),
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
  component: lazyRouteComponent(() => import('../features/upstream/upstream-page.tsx'), 'UpstreamPage'),
});

const backupsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/backups',
  component: lazyRouteComponent(() => import('../features/backups/backups-page.tsx'), 'BackupsPage'),
});
const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/overview',
  component: lazyRouteComponent(() => import('../features/overview/overview-page.tsx'), 'OverviewPage'),
});
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
});

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
  // The file of a screen is fetched while the pointer or the focus is on its way to the click.
  defaultPreload: 'intent',
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
