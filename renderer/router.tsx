import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { ConnectPage } from './features/connect/connect-page.tsx';
import { EnvironmentsPage } from './features/environments/environments-page.tsx';
import { PackagePage } from './features/packages/package-page.tsx';
import { packageTabs, type PackageTab } from './features/packages/package-tabs.ts';
import { PackagesPage } from './features/packages/packages-page.tsx';
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

const environmentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/environments',
  validateSearch: (
    search: { project?: number; name?: string } & SearchSchemaInput,
  ): { project?: number; name?: string } => ({
    ...(typeof search.project === 'number' ? { project: search.project } : {}),
    ...(typeof search.name === 'string' ? { name: search.name } : {}),
  }),
  component: EnvironmentsPage,
});

const connectRoute = createRoute({ getParentRoute: () => rootRoute, path: '/connect', component: ConnectPage });

/** The screens and their addresses, after the hash. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([indexRoute, packagesRoute, packageRoute, environmentsRoute, connectRoute]),
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
