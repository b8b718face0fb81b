import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { commandLineActor } from '../accounts/change.ts';
import type { OpenRegistry } from '../compose.ts';
import { GatehouseError, isErrorCode } from '../contract/errors.ts';
import { messageFromServer } from '../contract/link.ts';
import type { LinkReply } from '../contract/link.ts';
import { job as jobSchema } from '../contract/maintenance.ts';
import type { Job } from '../contract/maintenance.ts';
import type { MethodName, MethodParams, MethodResult } from '../contract/methods.ts';
import { callMethod } from './call-method.ts';
import { controlSocketOf, parseLine } from './control-socket.ts';
import { readLines } from './lines.ts';
import { createLocalMethods } from './method-table.ts';

/** The methods of one data folder, carried out by the server that holds it or by this process. */
export interface ControlClient {
  /** @throws GatehouseError of the method, or `shutting_down` if the server ends before it answers. */
  readonly call: <M extends MethodName>(method: M, params: MethodParams<M>) => Promise<MethodResult<M>>;
  /** Reports every change of a job of maintenance. */
  onJob(listener: (job: Job) => void): void;
  /** Rejects when the server ends before `close`. */
  readonly closed: Promise<never>;
  /** Whether a server carries the methods out, and goes on after this process has ended. */
  readonly isServed: boolean;
  close(): Promise<void>;
}

/** A client of a registry that this process has open, in the name of the command line; `close` closes the registry. */
export function createLocalClient(registry: OpenRegistry): ControlClient {
  const table = createLocalMethods(registry, commandLineActor());
  return {
    async call(method, params) {
      return (await callMethod(table, 'cli', method, params)) as MethodResult<typeof method>;
    },
    onJob(listener) {
      registry.events.subscribe((event) => {
        if (event.topic === 'maintenance.progress') listener(event.payload);
      });
    },
    closed: new Promise<never>(() => undefined),
    isServed: false,
    close: () => registry.close(),
  };
}

/** A client of the server that holds a data folder; undefined if none listens. */
export async function connectToServer(
  dataDir: string,
  announcedSocket: string | undefined,
): Promise<ControlClient | undefined> {
  const socket = await open(controlSocketOf(dataDir, announcedSocket));
  if (!socket) return undefined;
  const pending = new Map<number, (reply: LinkReply | undefined) => void>();
  const listeners = new Set<(job: Job) => void>();
  let nextId = 1;
  readLines(socket, Number.POSITIVE_INFINITY, (line) => {
    const message = messageFromServer.safeParse(parseLine(line));
    if (!message.success) return;
    if (message.data.kind === 'reply') pending.get(message.data.id)?.(message.data);
    if (message.data.kind !== 'event' || message.data.topic !== 'maintenance.progress') return;
    const job = jobSchema.safeParse(message.data.payload);
    if (job.success) for (const listener of listeners) listener(job.data);
  });
  socket.on('error', () => undefined);
  const closed = new Promise<never>((_resolve, reject) => {
    socket.on('close', () => {
      for (const resolve of pending.values()) resolve(undefined);
      reject(new GatehouseError('shutting_down', 'The server stopped before it was done.'));
    });
  });
  closed.catch(() => undefined);
  return {
    async call(method, params) {
      const id = nextId;
      nextId += 1;
      const reply = await new Promise<LinkReply | undefined>((resolve) => {
        pending.set(id, resolve);
        if (socket.destroyed) resolve(undefined);
        else socket.write(`${JSON.stringify({ kind: 'request', id, caller: 'cli', method, params })}\n`);
      });
      pending.delete(id);
      if (!reply) throw new GatehouseError('shutting_down', 'The server stopped before it answered.');
      if (reply.ok) return reply.value as MethodResult<typeof method>;
      throw new GatehouseError(isErrorCode(reply.error.code) ? reply.error.code : 'internal', reply.error.message);
    },
    onJob: (listener) => void listeners.add(listener),
    closed,
    isServed: true,
    async close() {
      socket.destroy();
    },
  };
}

function open(path: string | undefined): Promise<Socket | undefined> {
  if (path === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}
