import { z } from 'zod';
import { GatehouseError } from '../contract/errors.ts';
import { messageToServer } from '../contract/link.ts';
import type { LinkError, LinkRequest } from '../contract/link.ts';
import { isMethodName, methods } from '../contract/methods.ts';
import type { RunningServer } from '../http/listen.ts';
import { asGatehouseError } from '../http/unexpected-errors.ts';
import type { OpenRegistry } from '../open-registry.ts';
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
      const value = await this.#call(method, params);
      carrier.send({ kind: 'reply', id, ok: true, value });
    } catch (error) {
      carrier.send({ kind: 'reply', id, ok: false, error: describe(error) });
    }
  }

  async #call(method: string, params: unknown): Promise<unknown> {
    if (!isMethodName(method)) throw new GatehouseError('not_found', `There is no method "${method.slice(0, 60)}".`);
    const input = methods[method].input.safeParse(params ?? {});
    if (!input.success) throw new GatehouseError('invalid_request', z.prettifyError(input.error));
    const implementation = this.#table[method];
    if (!implementation) throw new GatehouseError('not_found', `The method ${method} is not there yet.`);
    return implementation(input.data as never);
  }
}

function describe(error: unknown): LinkError {
  const known = asGatehouseError(error);
  if (known.code === 'internal')
    process.stderr.write(`control: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return { code: known.code, message: known.message, details: { ...known.details } };
}
