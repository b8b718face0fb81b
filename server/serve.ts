import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { openRegistry } from './compose.ts';
import type { OpenRegistry } from './compose.ts';
import { exitCodes } from './contract/errors.ts';
import type { EventTopic } from './contract/events.ts';
import { escapeControls, printable } from './contract/printable.ts';
import { openControlSocket } from './control/control-socket.ts';
import type { ControlSocket } from './control/control-socket.ts';
import type { MethodHost } from './control/method-host.ts';
import { parentTransport } from './control/transport.ts';
import { listen } from './http/listen.ts';
import { explainDataError } from './lib/file-error.ts';
import type { Log } from './lib/log.ts';
import { releaseMemoryWhenIdle } from './lib/idle-memory.ts';
import { isLoopback } from './contract/loopback.ts';
import { StartupError } from './lib/startup-error.ts';
import type { RunningServer } from './services.ts';

export interface ServeOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Largest tarball in MiB; undefined for the registry's own limit. */
  readonly maxTarball?: number;
  readonly allowHost?: string[];
  readonly trustProxy: boolean;
  readonly externalUrl?: string;
  readonly logLevel: string;
  readonly control: boolean;
}

/** Milliseconds that current requests get to finish when the server stops. */
const drainGrace = 10_000;

/**
 * Runs the registry until a signal or the desktop app ends it; resolves when everything is closed.
 * @param onListening called once it answers, unless the desktop app started it
 */
export async function runServer(
  options: ServeOptions,
  onListening: (registry: OpenRegistry, server: RunningServer) => void,
): Promise<void> {
  const app = options.control ? parentTransport() : undefined;
  let opened: { registry: OpenRegistry; server: RunningServer };
  try {
    opened = await start(options);
  } catch (error) {
    if (app && error instanceof StartupError) {
      app.send({ kind: 'start-failed', failure: error.failure, message: error.fault });
    }
    throw error;
  }
  const { registry, server } = opened;
  releaseMemoryWhenIdle({ requests: () => server.requests.newest });
  const stopped = stopSignal();
  const { socket, host, close } = await openControl(registry, server);
  if (app) {
    // Logins can be approved only where there is a window.
    registry.npm.logins.attachDesktop();
    (await host()).attach(app, { callers: ['window', 'app'], sendsEvent: () => true, onShutdown: stopped.now });
    app.onClose(stopped.now);
    app.send({ kind: 'ready', origin: server.origin, port: server.port, pid: process.pid });
  } else onListening(registry, server);
  await stopped.promise;
  await close();
  await server.stop(drainGrace);
  await socket?.close();
  await registry.close();
  process.exitCode = exitCodes.ok;
  // The process would stay alive while the link is open.
  app?.close();
}

/** Opens the control socket for commands. The method host is loaded by the first link: most headless servers never get one. */
export async function openControl(
  registry: OpenRegistry,
  server: RunningServer,
): Promise<{
  socket: ControlSocket | undefined;
  host: () => Promise<MethodHost>;
  /** Ends what calls have left running. */
  close: () => Promise<void>;
}> {
  let loading: Promise<MethodHost> | undefined;
  const host = () =>
    (loading ??= import('./control/method-host.ts').then(({ MethodHost }) => new MethodHost(registry, server)));
  const socket = await openControlSocket(registry.folder, async (command) => {
    const sendsEvent = (topic: EventTopic) => topic === 'maintenance.progress';
    (await host()).attach(command, { callers: ['cli'], sendsEvent });
  });
  return { socket, host, close: async () => (await loading)?.close() };
}

async function start(options: ServeOptions): Promise<{ registry: OpenRegistry; server: RunningServer }> {
  const log = openLog(options);
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
    registry.folder.announce({ port: server.port });
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

/**
 * Lines of JSON on the error stream; an error about a file gets a `fault` that names it and what to do. The library is loaded by the first
 * line, which most servers never write.
 */
function openLog({ logLevel: level, dataDir }: ServeOptions): Log {
  let logger: Promise<Logger> | undefined;
  return {
    error(facts, message) {
      logger ??= import('pino').then(({ pino }) =>
        pino({ level, base: null }, escaped(pino.destination({ fd: 2, sync: false }))),
      );
      const fault = explainDataError(facts['err'], resolve(dataDir));
      logger.then(
        (opened) => opened.error(fault === undefined ? facts : { ...facts, fault }, message),
        () => process.stderr.write(`${printable(message)}\n`),
      );
    },
  };
}

/** A destination for lines of JSON on which a terminal shows what is written and nothing else. */
function escaped(destination: { write(line: string): unknown }): { write(line: string): void } {
  return { write: (line) => void destination.write(escapeControls(line)) };
}
