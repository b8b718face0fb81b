import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { GatehouseError, isErrorCode } from '../contract/errors.ts';
import { messageFromServer } from '../contract/link.ts';
import type { LinkReply } from '../contract/link.ts';
import type { MethodName, MethodParams, MethodResult } from '../contract/methods.ts';
import { controlSocketOf } from '../control/socket-path.ts';

/** A running server that this process talks to. */
export interface ServerConnection {
  /** @throws GatehouseError as the server has it, `shutting_down` if it ends before it answers. */
  call<M extends MethodName>(method: M, params: MethodParams<M>): Promise<MethodResult<M>>;
  /** Calls `listener` with the payload of each event of the topic, unchecked. */
  onEvent(listener: (topic: string, payload: unknown) => void): void;
  /** Rejects when the server goes before `close`. */
  readonly gone: Promise<never>;
  close(): void;
}

/** @throws GatehouseError `shutting_down` if the server that has the data folder does not answer. */
export async function connectToServer(dataDir: string): Promise<ServerConnection> {
  const socket = await open(controlSocketOf(dataDir));
  const waiting = new Map<number, (reply: LinkReply | undefined) => void>();
  const listeners = new Set<(topic: string, payload: unknown) => void>();
  let next = 1;
  createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => {
    const message = messageFromServer.safeParse(JSON.parse(line));
    if (!message.success) return;
    if (message.data.kind === 'reply') waiting.get(message.data.id)?.(message.data);
    else if (message.data.kind === 'event')
      for (const listen of listeners) listen(message.data.topic, message.data.payload);
  });
  socket.on('error', () => undefined);
  const gone = new Promise<never>((_resolve, reject) => {
    socket.on('close', () => {
      for (const resolve of waiting.values()) resolve(undefined);
      reject(new GatehouseError('shutting_down', 'The server ended before it was done.'));
    });
  });
  gone.catch(() => undefined);
  return {
    async call(method, params) {
      const id = next;
      next += 1;
      const reply = await new Promise<LinkReply | undefined>((resolve) => {
        waiting.set(id, resolve);
        if (socket.destroyed) resolve(undefined);
        else socket.write(`${JSON.stringify({ kind: 'request', id, caller: 'cli', method, params })}\n`);
      });
      waiting.delete(id);
      if (!reply) throw new GatehouseError('shutting_down', 'The server ended before it answered.');
      if (reply.ok) return reply.value as MethodResult<typeof method>;
      throw new GatehouseError(isErrorCode(reply.error.code) ? reply.error.code : 'internal', reply.error.message);
    },
    onEvent: (listener) => void listeners.add(listener),
    gone,
    close: () => socket.destroy(),
  };
}

function open(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new GatehouseError(
          'shutting_down',
          `A Gatehouse has this data folder open, but does not answer (${error.code ?? error.message}). Stop it and run this again.`,
        ),
      ),
    );
  });
}
