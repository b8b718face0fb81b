import { connectCarrier } from '../control/carrier.ts';
import { openControlSocket } from '../control/control-socket.ts';
import { exitCodes } from '../contract/errors.ts';
import { listen } from '../http/listen.ts';
import { isLoopback } from '../lib/loopback.ts';
import type { RunningServer } from '../services.ts';
import { openRegistry } from '../compose.ts';
import type { OpenRegistry } from '../compose.ts';
import { announcePort } from '../storage/data-folder.ts';
import { StartupError } from '../lib/startup-error.ts';
import { describeServer } from './describe-server.ts';
import { letHeapGrow } from './heap-growth.ts';
import { giveBackWhenIdle } from './idle-memory.ts';
import { openLog } from './open-log.ts';

export interface ServeOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Largest tarball in MiB; undefined for the registry's own limit. */
  readonly maxTarball?: number;
  readonly json: boolean;
  readonly allowHost?: string[];
  readonly trustProxy: boolean;
  readonly externalUrl?: string;
  readonly logLevel: string;
  readonly control: boolean;
}

/** Milliseconds that requests under way get to finish when the server is told to stop. */
const drainGrace = 10_000;

/** Runs the registry until a signal or the desktop app ends it; resolves when everything is closed. */
export async function runServer(options: ServeOptions): Promise<void> {
  letHeapGrow();
  const carrier = options.control ? connectCarrier() : undefined;
  let opened: { registry: OpenRegistry; server: RunningServer };
  try {
    opened = await start(options);
  } catch (error) {
    if (carrier && error instanceof StartupError) {
      carrier.send({ kind: 'start-failed', failure: error.failure, message: error.message });
    }
    throw error;
  }
  const { registry, server } = opened;
  const stopped = stopSignal();
  const socket = await openControlSocket(registry, server);
  if (carrier) {
    // Headless there is no window, and the schemas of its calls are never loaded.
    const { ControlHost } = await import('../control/control-host.ts');
    const host = new ControlHost({ registry, server, carrier, onShutdown: stopped.now });
    host.ready();
  } else process.stdout.write(describeServer(registry, server, options));
  const stopGivingBack = giveBackWhenIdle(() => server.requests.newest);
  await stopped.promise;
  stopGivingBack();
  await server.stop(drainGrace);
  await socket?.close();
  await registry.close();
  process.exitCode = exitCodes.ok;
  // Stays alive otherwise while the carrier is connected.
  carrier?.disconnect();
}

async function start(options: ServeOptions): Promise<{ registry: OpenRegistry; server: RunningServer }> {
  const log = openLog(options.logLevel);
  const registry = await openRegistry({
    dataDir: options.dataDir,
    rootToken: process.env['GATEHOUSE_ROOT_TOKEN'],
    ...(options.maxTarball === undefined ? {} : { limits: { tarball: options.maxTarball * 1024 * 1024 } }),
  });
  try {
    const server = await listen({
      registry,
      log,
      host: options.host,
      port: options.port,
      hosts: {
        allowedHosts: (options.allowHost ?? [])
          .map((name) => name.toLowerCase())
          .concat(isLoopback(options.host) ? [] : [options.host.toLowerCase()]),
        trustProxy: options.trustProxy,
        externalUrl: options.externalUrl ?? null,
      },
    });
    announcePort(registry.folder, server.port);
    return { registry, server };
  } catch (error) {
    await registry.close();
    throw error;
  }
}

function stopSignal(): { promise: Promise<void>; now: () => void } {
  let now = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    now = resolve;
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  return { promise, now };
}
