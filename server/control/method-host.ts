import { commandLineActor } from '../accounts/change.ts';
import { GatehouseError } from '../contract/errors.ts';
import type { EventTopic } from '../contract/events.ts';
import type { LinkRequest } from '../contract/link.ts';
import type { Caller } from '../contract/methods.ts';
import type { OpenRegistry } from '../compose.ts';
import type { RunningServer } from '../services.ts';
import { callMethod, describeError } from './call-method.ts';
import type { MethodTable } from './call-method.ts';
import { createMethodTable } from './method-table.ts';
import type { Transport } from './transport.ts';

export interface AttachOptions {
  /** Callers that the other end may speak for. */
  readonly callers: readonly Caller[];
  /** The events that the other end gets. */
  readonly sendsEvent: (topic: EventTopic) => boolean;
  /** Called when the other end requests a shutdown; left out where it may not. */
  readonly onShutdown?: () => void;
}

/** The server's end of every control link: answers calls by the method table and passes on events. */
export class MethodHost {
  readonly #registry: OpenRegistry;
  /** What a command changes is recorded in its own name, everything else in that of the person at the window. */
  readonly #tables: Readonly<Record<'desktop' | 'cli', MethodTable>>;

  #isClosed = false;

  constructor(registry: OpenRegistry, server: RunningServer) {
    this.#registry = registry;
    this.#tables = {
      desktop: createMethodTable(registry, server),
      cli: createMethodTable(registry, server, commandLineActor()),
    };
  }

  /** Serves a transport until it closes. */
  attach(transport: Transport, { callers, sendsEvent, onShutdown }: AttachOptions): void {
    const unsubscribe = this.#registry.events.subscribe((event) => {
      if (sendsEvent(event.topic)) transport.send({ kind: 'event', ...event });
    });
    transport.onClose(unsubscribe);
    transport.onMessage((message) => {
      if (message.kind === 'shutdown') onShutdown?.();
      else void this.#answer(transport, callers, message);
    });
  }

  /** Refuses further calls and ends the work that a call has left running; while the registry is still open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const table of Object.values(this.#tables)) await table['connect.stopSelfTest']({});
  }

  async #answer(transport: Transport, callers: readonly Caller[], request: LinkRequest): Promise<void> {
    const { id, caller, method, params } = request;
    try {
      if (this.#isClosed) throw new GatehouseError('shutting_down');
      if (!callers.includes(caller)) throw new GatehouseError('forbidden');
      const table = this.#tables[caller === 'cli' ? 'cli' : 'desktop'];
      const value = await callMethod(table, caller, method, params);
      transport.send({ kind: 'reply', id, ok: true, value });
    } catch (error) {
      transport.send({ kind: 'reply', id, ok: false, error: describeError(error, this.#registry.folder.path) });
    }
  }
}
