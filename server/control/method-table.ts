import type { Actor } from '../accounts/change.ts';
import type { RunningServer } from '../services.ts';
import type { OpenRegistry } from '../compose.ts';
import { createBundleMethods } from './bundle-methods.ts';
import { createConnectMethods } from './connect-methods.ts';
import { createContentMethods } from './content-methods.ts';
import { createDirectoryMethods } from './directory-methods.ts';
import { createEnvironmentMethods } from './environment-methods.ts';
import { createLoginMethods } from './login-methods.ts';
import { createMaintenanceMethods } from './maintenance-methods.ts';
import { createOverviewMethods } from './overview-methods.ts';
import type { MethodTable } from './method-types.ts';
import { createPackageMethods } from './package-methods.ts';
import { createPublishAgeMethods, createStageMethods } from './stage-methods.ts';
import { createServerMethods } from './server-methods.ts';
import { createUpstreamMethods } from './upstream-methods.ts';

/** Every method of the contract with what carries it out. */
export function createMethodTable(registry: OpenRegistry, server: RunningServer): MethodTable {
  const actor = desktopActor(registry);
  return {
    ...createServerMethods(registry, server),
    ...createOverviewMethods(registry, server),
    ...createConnectMethods(registry, server, actor),
    ...createPackageMethods(registry, actor),
    ...createContentMethods(registry),
    ...createMaintenanceMethods(registry.maintenance, actor),
    ...createLoginMethods(registry, actor),
    ...createUpstreamMethods(registry, actor),
    ...createBundleMethods(registry, actor),
    ...createStageMethods(registry, actor),
    ...createPublishAgeMethods(registry, actor),
    ...createDirectoryMethods(registry.people, actor),
    ...createEnvironmentMethods({ directory: registry.people, environments: registry.environments }, actor),
  };
}

/** Whoever sits at the window owns the laptop and the data folder, hence acts as its administrator. */
function desktopActor(registry: OpenRegistry): Actor {
  const root = registry.directory.snapshot.users.get(1);
  return { userId: root?.id ?? null, username: root?.username ?? 'desktop', origin: 'window', address: null };
}
