import { messageToServer } from '../contract/link.ts';
import type { LinkRequest } from '../contract/link.ts';
import type { RunningServer } from '../services.ts';
import type { OpenRegistry } from '../compose.ts';
import { callMethod, describeError } from './call-method.ts';
import type { Carrier } from './carrier.ts';
import { createMethodTable } from './method-table.ts';

export interface ControlHostOptions {
  readonly registry: OpenRegistry;
  readonly server: RunningServer;
  readonly carrier: Carrier;
  readonly onShutdown: () => void;
}

/** The server's end of the control link: answers calls by the method table and passes on every event. */
export class ControlHost {
  readonly #options: ControlHostOptions;
  readonly #table;

  constructor(options: ControlHostOptions) {
    this.#options = options;
    this.#table = createMethodTable(options.registry, options.server);
    const { carrier, registry, onShutdown } = options;
    // Only here there is a window to send people to: commands reach a headless server through the same methods.
    registry.npm.logins.attachDesktop();
    registry.events.subscribe((event) => carrier.send({ kind: 'event', ...event }));
    carrier.onGone(onShutdown);
    carrier.onMessage((raw) => {
      const message = messageToServer.safeParse(raw);
      if (!message.success) return;
      if (message.data.kind === 'shutdown') onShutdown();
      else void this.#answer(message.data);
    });
  }

  /** Tells the app that the registry answers. */
  ready(): void {
    const { carrier, server } = this.#options;
    carrier.send({ kind: 'ready', origin: server.origin, port: server.port, pid: process.pid });
  }

  async #answer({ id, method, params }: LinkRequest): Promise<void> {
    const { carrier } = this.#options;
    try {
      const value = await callMethod(this.#table, method, params);
      carrier.send({ kind: 'reply', id, ok: true, value });
    } catch (error) {
      carrier.send({ kind: 'reply', id, ok: false, error: describeError(error) });
    }
  }
}
