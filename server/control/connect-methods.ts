import { GatehouseError } from '../contract/errors.ts';
import { connectFolder, disconnectFolder, previewConnection } from '../registry/connect/connect-folder.ts';
import { SelfTest } from '../registry/connect/self-test.ts';
import type { Actor } from '../accounts/change.ts';
import type { RunningServer } from '../services.ts';
import type { OpenRegistry } from '../compose.ts';
import type { MethodsOf } from './call-method.ts';

/** Connecting a project folder to this registry, and trying the package managers of this machine against it. */
export function createConnectMethods(
  registry: OpenRegistry,
  server: RunningServer,
  actor: Actor,
): MethodsOf<'connect'> {
  const { tokens } = registry.people;
  const registryOf = (projectId: number) => {
    if (!registry.directory.findProject(projectId)) throw new GatehouseError('project_not_found');
    return `${server.origin}/api/v4/projects/${projectId}/packages/npm/`;
  };
  const userId = () => {
    if (actor.userId === null) throw new GatehouseError('forbidden', 'There is no administrator to make a token for.');
    return actor.userId;
  };
  let test: SelfTest | undefined;
  let running = false;

  return {
    'connect.preview': ({ projectId, scope, folder }) =>
      previewConnection({ folder, scope, registry: registryOf(projectId) }),
    'connect.write': async ({ projectId, scope, folder }) => {
      const { file } = await connectFolder({ folder, scope, registry: registryOf(projectId) }, tokens, actor, userId());
      return { file, undoable: true };
    },
    'connect.undo': async ({ folder }) => ({ restored: await disconnectFolder(folder, tokens, actor) }),
    'connect.arrivals': ({ since }) => {
      const seen = new Map<string, { client: string; at: number; path: string; status: number }>();
      for (const { client, at, path, status } of server.requests.list({ limit: 2000 })) {
        if (at >= since && path.includes('/packages/npm') && !seen.has(client))
          seen.set(client, { client, at, path, status });
      }
      return [...seen.values()];
    },
    'connect.startSelfTest': async ({ projectId }) => {
      if (running) throw new GatehouseError('conflict', 'A self-test is running already.');
      running = true;
      const { secret, token } = await tokens.create(actor, {
        userId: userId(),
        name: 'self-test',
        description: 'Revoked when the test ends.',
        scopes: ['api'],
        expiresOn: null,
      });
      test = new SelfTest({
        registry: registryOf(projectId),
        token: secret,
        onProgress: () => registry.events.publish('connect.changed', {}),
      });
      registry.events.publish('connect.changed', {});
      void finish(test, projectId, token.id);
    },
    'connect.selfTest': () => ({ running, steps: [...(test?.steps ?? [])] }),
    'connect.stopSelfTest': () => test?.stop(),
  };

  async function finish(started: SelfTest, projectId: number, tokenId: number): Promise<void> {
    try {
      await started.run();
    } finally {
      // Nothing of the test stays: neither its package nor its token.
      const row = registry.packages.store.findPackage(projectId, started.packageName);
      if (row) await registry.packages.editor.unpublishPackage(row.id, actor);
      await tokens.revoke(actor, tokenId);
      running = false;
      registry.events.publish('connect.changed', {});
    }
  }
}
