import type { Actor } from '../accounts/change.ts';
import type { RunningServer } from '../services.ts';
import type { OpenRegistry } from '../compose.ts';
import type { MethodTable } from './call-method.ts';
import { createConnectMethods, createSelfTestMethods } from './connect-methods.ts';
import { createDirectoryMethods } from './directory-methods.ts';
import { createEnvironmentMethods } from './environment-methods.ts';
import { createGuardMethods } from './guard-methods.ts';
import { createMaintenanceMethods } from './maintenance-methods.ts';
import { createNpmMethods } from './npm-methods.ts';
import { createPackageMethods } from './package-methods.ts';
import { createReleaseMethods } from './release-methods.ts';
import { createServerMethods } from './server-methods.ts';
import { createUpstreamMethods } from './upstream-methods.ts';

/** The implementation of every method of the contract. @param actor whom the audit trail names */
export function createMethodTable(
  registry: OpenRegistry,
  server: RunningServer,
  actor = desktopActor(registry),
): MethodTable {
  return {
    ...createLocalMethods(registry, actor, server),
    ...createServerMethods(registry, server, actor),
    ...createSelfTestMethods(registry, actor, server),
  };
}

/** The methods that need no running server. */
export function createLocalMethods(registry: OpenRegistry, actor: Actor, server?: RunningServer) {
  return {
    ...createConnectMethods(registry, actor, server),
    ...createPackageMethods(registry, actor),
    ...createMaintenanceMethods(registry.maintenance, actor),
    ...createUpstreamMethods(registry, actor),
    ...createNpmMethods(registry, actor),
    ...createDirectoryMethods(registry.people, actor, registry.packages.store),
    ...createGuardMethods(registry, actor),
    ...createReleaseMethods(registry, actor),
    ...createEnvironmentMethods({ directory: registry.people, environments: registry.environments }, actor),
  };
}

/** The person at the window owns the data folder, hence acts as its administrator. */
function desktopActor(registry: OpenRegistry): Actor {
  const root = registry.directory.index.users.get(1);
  return { userId: root?.id ?? null, username: root?.username ?? 'desktop', origin: 'window', address: null };
}
