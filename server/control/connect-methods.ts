import { dateOf, dayLength } from '../lib/calendar.ts';
import { GatehouseError } from '../contract/errors.ts';
import { connectFolder, disconnectFolder, previewConnection } from '../registry/connect/connect-folder.ts';
import { SelfTest, selfTestPrefix } from '../registry/connect/self-test.ts';
import type { Actor } from '../accounts/change.ts';
import type { RunningServer } from '../services.ts';
import type { OpenRegistry } from '../compose.ts';
import type { MethodInput } from '../contract/methods.ts';
import type { MethodsOf } from './call-method.ts';

type FolderTarget = MethodInput<'connect.write'>;
type FolderMethod = 'connect.preview' | 'connect.write' | 'connect.writeFor' | 'connect.undo' | 'connect.corepack';

/** Connecting a project folder to this registry. Without a server there is no address but the caller's. */
export function createConnectMethods(
  registry: OpenRegistry,
  actor: Actor,
  server?: RunningServer,
): Pick<MethodsOf<'connect'>, FolderMethod> {
  const { tokens } = registry.people;
  const inputFor = ({ folder, scope, tool, projectId }: FolderTarget, origin = server?.origin) => ({
    folder,
    scope,
    tool,
    registry: registryAddress(registry, projectId, origin),
  });
  const write = async (target: FolderTarget, userId: number, origin?: string) => {
    const { file } = await connectFolder(inputFor(target, origin), tokens, actor, userId);
    return { file, undoable: true };
  };
  return {
    'connect.preview': (target) => previewConnection(inputFor(target)),
    'connect.write': (target) => write(target, requireUser(actor)),
    'connect.writeFor': ({ userId, origin, ...target }) => write(target, userId, origin),
    'connect.corepack': async ({ projectId, userId, origin }) => {
      const COREPACK_NPM_REGISTRY = registryAddress(registry, projectId, origin).replace(/\/$/, '');
      const trusted = await registry.upstream.trustedKeys(registry.packages.keys);
      const { secret } = await tokens.create(actor, {
        userId,
        name: 'Corepack',
        description: 'Made by "connect --tool corepack".',
        scopes: ['read_package_registry'],
        expiresOn: null,
      });
      return {
        COREPACK_NPM_REGISTRY,
        COREPACK_NPM_TOKEN: secret,
        COREPACK_INTEGRITY_KEYS: JSON.stringify({ npm: trusted }),
      };
    },
    'connect.undo': async ({ folder }) => ({ restored: await disconnectFolder(folder, tokens, actor) }),
  };
}

/** Trying the package managers of this machine against the running server. */
export function createSelfTestMethods(
  registry: OpenRegistry,
  actor: Actor,
  server: RunningServer,
): Omit<MethodsOf<'connect'>, FolderMethod> {
  const { tokens } = registry.people;
  let test: SelfTest | undefined;
  let running = false;
  let ended: Promise<void> = Promise.resolve();

  return {
    'connect.arrivals': ({ since }) => {
      const seen = new Map<string, { client: string; at: number; path: string; status: number }>();
      for (const { client, at, path, status } of server.requests.list({ limit: 2000 })) {
        // The self-test is no client that was connected by hand.
        const isClient = path.includes('/packages/npm') && !path.includes(selfTestPrefix);
        if (at >= since && isClient && !seen.has(client)) seen.set(client, { client, at, path, status });
      }
      return [...seen.values()];
    },
    'connect.startSelfTest': async ({ projectId }) => {
      if (running) throw new GatehouseError('conflict', 'A self-test is running already.');
      const address = registryAddress(registry, projectId, server.origin);
      const options = {
        userId: requireUser(actor),
        name: 'self-test',
        description: 'Revoked when the test ends.',
        scopes: ['api'],
        // In case the server is stopped before the test ends.
        expiresOn: dateOf(Date.now() + 2 * dayLength),
      } as const;
      running = true;
      const { secret, token } = await tokens.create(actor, options).catch((error: unknown) => {
        running = false;
        throw error;
      });
      test = new SelfTest({
        registry: address,
        token: secret,
        onProgress: () => registry.events.publish('connect.changed', {}),
      });
      registry.events.publish('connect.changed', {});
      // What fails in the end (a full disk, a server that stops) leaves a token that expires.
      ended = finish(test, projectId, token.id).catch(() => undefined);
    },
    'connect.selfTest': () => ({ running, steps: [...(test?.steps ?? [])] }),
    'connect.stopSelfTest': async () => {
      test?.stop();
      await ended;
    },
  };

  async function finish(started: SelfTest, projectId: number, tokenId: number): Promise<void> {
    try {
      await started.run();
    } finally {
      // Nothing of the test stays: neither its token nor its package. One may be removed although the other cannot.
      const row = registry.packages.store.findPackage(projectId, started.packageName);
      const removed = row && registry.packages.unpublisher.unpublishPackage(row.id, actor);
      await Promise.allSettled([tokens.revoke(actor, tokenId), removed]);
      running = false;
      registry.events.publish('connect.changed', {});
    }
  }
}

function registryAddress(registry: OpenRegistry, projectId: number, origin: string | undefined): string {
  if (!registry.directory.findProject(projectId)) throw new GatehouseError('project_not_found');
  if (origin === undefined) throw new GatehouseError('invalid_request', 'No server is running: name its origin.');
  return `${origin}/api/v4/projects/${projectId}/packages/npm/`;
}

function requireUser(actor: Actor): number {
  if (actor.userId === null) throw new GatehouseError('forbidden', 'There is no administrator to make a token for.');
  return actor.userId;
}
