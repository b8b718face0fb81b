import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type ErrorComponentProps,
  type SearchSchemaInput,
} from '@tanstack/react-router';
import { changeKinds, type ChangeKind } from '../../server/contract/constants.ts';
import { peopleTabs, type PeopleTab } from '../features/people/people-tabs.ts';
import { packageTabs, type PackageTab } from '../features/packages/page/package-tabs.ts';
import { versionTabs, type VersionTab } from '../features/packages/version/version-tabs.ts';
import { PackagesPage } from '../features/packages/list/packages-page.tsx';
import { upstreamTabs, type UpstreamTab } from '../features/upstream/upstream-tabs.ts';
import { Button } from '@mantine/core';
import { EmptyState } from '../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../ui/feedback/notice.tsx';
import { Page } from '../ui/page/page.tsx';
import { Shell } from './shell.tsx';
import { IconMapOff } from '@tabler/icons-react';

const rootRoute = createRootRoute({ component: Shell });

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/packages', throw: true });
  },
});

/** Keeps the parameters of an address that pass their check and drops the rest. */
function validSearch<T extends object>(checks: Record<keyof Required<T>, (value: unknown) => boolean>) {
  return (search: T & SearchSchemaInput): T => {
    const isValid = ([name, value]: [string, unknown]) => Object.hasOwn(checks, name) && checks[name as keyof T](value);
    return Object.fromEntries(Object.entries(search).filter(isValid)) as T;
  };
}

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value);

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
  validateSearch: validSearch<PackagesSearch>({
    q: isText,
    scope: isText,
    project: isNumber,
    sort: oneOf('name', 'publishedAt', 'size', 'versions'),
    desc: oneOf(true),
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
  validateSearch: validSearch<{ tab?: PackageTab }>({ tab: oneOf(...packageTabs) }),
  component: lazyRouteComponent(() => import('../features/packages/page/package-page.tsx'), 'PackagePage'),
});

const versionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/packages/$packageId/versions/$version',
  params: {
    parse: ({ packageId, version }) => ({ packageId: Number(packageId), version }),
    stringify: ({ packageId, version }) => ({ packageId: String(packageId), version }),
  },
  // `base` is the version that its files are compared with.
  validateSearch: validSearch<{ tab?: VersionTab; base?: string }>({ tab: oneOf(...versionTabs), base: isText }),
  component: lazyRouteComponent(() => import('../features/packages/version/version-page.tsx'), 'VersionPage'),
});

/** Target of `gatehouse://package/NAME` links, which carry no id. */
const packageByNameRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/package-by-name/$name',
  component: lazyRouteComponent(() => import('../features/packages/page/package-by-name.tsx'), 'PackageByName'),
});

const inboxRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/inbox',
  // What is shown of what waits.
  validateSearch: validSearch<{ id?: string }>({ id: isText }),
  component: lazyRouteComponent(() => import('../features/inbox/inbox-page.tsx'), 'InboxPage'),
});

const environmentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/environments',
  validateSearch: validSearch<{
    project?: number;
    groupId?: number;
    name?: string;
    group?: number;
    view?: 'access' | 'tags';
    user?: number;
    environment?: string;
  }>({
    project: isNumber,
    // In the place of a project: a group with its own protections.
    groupId: isNumber,
    name: isText,
    // Of the group whose protection of that name is shown.
    group: isNumber,
    view: oneOf('access', 'tags'),
    // The cell of the matrix that is explained.
    user: isNumber,
    environment: isText,
  }),
  component: lazyRouteComponent(() => import('../features/environments/environments-page.tsx'), 'EnvironmentsPage'),
});

const connectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/connect',
  validateSearch: validSearch<{ project?: number }>({ project: isNumber }),
  component: lazyRouteComponent(() => import('../features/connect/connect-page.tsx'), 'ConnectPage'),
});

const peopleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people',
  // `q` is what the list is searched for at first.
  validateSearch: validSearch<{ tab?: PeopleTab; q?: string }>({ tab: oneOf(...peopleTabs), q: isText }),
  component: lazyRouteComponent(() => import('../features/people/people-page.tsx'), 'PeoplePage'),
});

const byId = {
  parse: ({ id }: { id: string }) => ({ id: Number(id) }),
  stringify: ({ id }: { id: number }) => ({ id: String(id) }),
};

const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people/users/$id',
  params: byId,
  component: lazyRouteComponent(() => import('../features/people/user-page.tsx'), 'UserPage'),
});

const projectAccessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people/projects/$id',
  params: byId,
  // The cell of the matrix that led here, for the way back.
  validateSearch: validSearch<{ user?: number; environment?: string }>({ user: isNumber, environment: isText }),
  component: lazyRouteComponent(() => import('../features/people/access-page.tsx'), 'ProjectAccess'),
});

const groupAccessRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people/groups/$id',
  params: byId,
  component: lazyRouteComponent(() => import('../features/people/access-page.tsx'), 'GroupAccess'),
});

interface ActivitySearch {
  view?: 'requests';
  /** What is searched for at first. */
  q?: string;
  /** Of the changes that are listed. */
  kind?: ChangeKind;
  user?: number;
  project?: number;
}

const activityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/activity',
  validateSearch: validSearch<ActivitySearch>({
    view: oneOf('requests'),
    q: isText,
    kind: oneOf(...Object.keys(changeKinds)),
    user: isNumber,
    project: isNumber,
  }),
  component: lazyRouteComponent(() => import('../features/activity/activity-page.tsx'), 'ActivityPage'),
});

interface UpstreamSearch {
  tab?: UpstreamTab;
  /** Id of the registry that the tab is about. */
  of?: number;
  /** Name of the package to export or to send. */
  package?: string;
}

const upstreamRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/upstream',
  validateSearch: validSearch<UpstreamSearch>({ tab: oneOf(...upstreamTabs), of: isNumber, package: isText }),
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

/** The screens and their addresses, which stand after the hash. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    indexRoute,
    packagesRoute,
    packageRoute,
    versionRoute,
    packageByNameRoute,
    inboxRoute,
    environmentsRoute,
    peopleRoute,
    userRoute,
    projectAccessRoute,
    groupAccessRoute,
    activityRoute,
    connectRoute,
    overviewRoute,
    upstreamRoute,
    backupsRoute,
    settingsRoute,
  ]),
  history: createHashHistory(),
  defaultPreload: 'intent',
  defaultErrorComponent: RouteCrashed,
  defaultNotFoundComponent: () => (
    <Page title="Not found">
      <EmptyState icon={<IconMapOff size={22} />} title="This screen does not exist" text="Choose one at the left." />
    </Page>
  ),
});

/** Loads the code of all screens, one after the other, so that each opens at once. */
export async function loadScreens(): Promise<void> {
  for (const route of Object.values(router.routesById)) await router.loadRouteChunk(route);
}

/** In place of a screen whose code failed; the rest of the window still works. */
function RouteCrashed({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="Something went wrong">
      <ErrorNotice
        title="This screen failed"
        error={error}
        actions={
          <Button variant="default" onClick={reset}>
            Try again
          </Button>
        }
      />
    </Page>
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
