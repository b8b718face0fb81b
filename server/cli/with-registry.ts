import { resolve } from 'node:path';
import { GatehouseError } from '../contract/errors.ts';
import type { MethodName, MethodParams, MethodResult } from '../contract/methods.ts';
import { callMethod } from '../control/call-method.ts';
import { createDirectoryMethods } from '../control/directory-methods.ts';
import { createBundleMethods, createUpstreamMethods } from '../control/upstream-methods.ts';
import { openRegistry } from '../compose.ts';
import type { OpenRegistry } from '../compose.ts';
import { StartupError } from '../lib/startup-error.ts';
import { connectToServer } from './call-server.ts';
import { cliActor } from './open-people.ts';

type Area = 'upstream' | 'offline' | 'outbox' | 'bundles' | 'directory';

/** Methods of the contract that are about other registries, wherever they are carried out. */
export interface RegistryAccess {
  readonly call: <M extends Extract<MethodName, `${Area}.${string}`>>(
    method: M,
    params: MethodParams<M>,
  ) => Promise<MethodResult<M>>;
  /** Whether a server does what is asked and goes on when this process has ended. */
  readonly isServed: boolean;
}

/**
 * Runs `work` on the registry of a data folder, made if it is missing. Where a server has the folder open, that server does what is asked:
 * it holds the connections, the cache and the switch.
 * @throws StartupError if the folder can't be opened.
 */
export async function withRegistry<T>(dataDir: string, work: (access: RegistryAccess) => Promise<T>): Promise<T> {
  const folder = resolve(dataDir);
  let registry: OpenRegistry;
  try {
    registry = await openRegistry({
      dataDir: folder,
      rootToken: process.env['GATEHOUSE_ROOT_TOKEN'],
      background: false,
    });
  } catch (error) {
    if (!(error instanceof StartupError) || error.failure !== 'dataFolderLocked') throw error;
    const server = await connectToServer(folder);
    try {
      return await work({ call: (method, params) => server.call(method, params), isServed: true });
    } finally {
      server.close();
    }
  }
  try {
    const table = {
      ...createUpstreamMethods(registry, cliActor),
      ...createBundleMethods(registry, cliActor),
      ...createDirectoryMethods(registry.people, cliActor),
    };
    const call: RegistryAccess['call'] = async (method, params) =>
      (await callMethod(table, 'cli', method, params)) as MethodResult<typeof method>;
    return await work({ call, isServed: false });
  } finally {
    await registry.close();
  }
}

/** The upstream of this name, or of this number. @throws GatehouseError `not_found` that names those that are there. */
export async function findUpstream(
  access: RegistryAccess,
  name: string,
): Promise<MethodResult<'upstream.list'>['upstreams'][number]> {
  const { upstreams } = await access.call('upstream.list', {});
  const found = upstreams.find((row) => row.name.toLowerCase() === name.toLowerCase() || String(row.id) === name);
  if (found) return found;
  const known = upstreams.map((row) => row.name).join(', ');
  throw new GatehouseError(
    'not_found',
    `There is no upstream "${name}"${known === '' ? '; none is set up ("gatehouse upstream add")' : `; there are ${known}`}.`,
  );
}

/** Resolves after `milliseconds`: between two looks at something that goes on elsewhere. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
  });
}
